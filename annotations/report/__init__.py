"""The report of a study: built from its tables, rendered as one HTML file and as CSV."""
