"""The page with changes of labels."""
