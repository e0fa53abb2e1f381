"""An annotator's page of their own work."""
