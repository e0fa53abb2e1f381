"""The page on which annotators see their own work."""
