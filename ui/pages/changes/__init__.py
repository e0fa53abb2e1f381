"""The page that lists label changes."""
