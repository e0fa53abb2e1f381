"""The page of labelled failures."""
