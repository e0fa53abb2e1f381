"""The page of studies."""
