"""Accounts, and the throttle on password attempts."""
