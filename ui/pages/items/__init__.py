"""The page that lists a study's items."""
