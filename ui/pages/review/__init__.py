"""The page on which experts review templates."""
