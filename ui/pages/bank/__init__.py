"""The page for searching and curating the template bank."""
