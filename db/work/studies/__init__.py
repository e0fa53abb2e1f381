"""Studies: open them, change them, follow their progress, load them for reports."""
