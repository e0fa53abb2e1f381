"""What several commands share: database, sources, warnings."""
