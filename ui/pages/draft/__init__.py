"""The page on which templates are drafted."""
