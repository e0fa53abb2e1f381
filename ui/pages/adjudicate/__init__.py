"""The page on which adjudicators decide."""
