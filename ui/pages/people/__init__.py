"""The page for managing accounts."""
