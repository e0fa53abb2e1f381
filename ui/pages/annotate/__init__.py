"""The page on which annotators label items."""
