"""Studies: open, change, follow, load for reports."""
