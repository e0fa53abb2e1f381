"""The page for browsing labelled failures."""
