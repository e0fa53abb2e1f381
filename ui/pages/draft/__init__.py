"""The page for writing template drafts."""
