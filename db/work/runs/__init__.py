"""Model runs that are loaded into the database."""
