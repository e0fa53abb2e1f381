"""Model runs in the database: launched, loaded, listed, named and compared."""
