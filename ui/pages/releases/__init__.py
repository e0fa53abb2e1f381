"""The page of bank releases."""
