"""The page that shows what the worker does."""
