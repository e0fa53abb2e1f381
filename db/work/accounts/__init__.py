"""Accounts, and how often a password may be tried."""
