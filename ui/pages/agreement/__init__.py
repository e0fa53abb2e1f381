"""The page with a study's agreement statistics."""
