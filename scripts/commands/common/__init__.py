"""What several commands share: database, banks, warnings."""
