"""Changes of labels, read from the audit log."""
