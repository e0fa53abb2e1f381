"""The page for publishing bank releases."""
