"""Build the report of a study from its tables, and render it as HTML and CSV."""
