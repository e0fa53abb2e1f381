"""The page on which invited experts review templates."""
