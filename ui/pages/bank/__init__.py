"""The page of the template bank."""
