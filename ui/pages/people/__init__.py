"""The page of accounts."""
