"""Releases of the bank, and what depends on them."""
