"""Studies: opened, changed, followed, loaded for reports."""
