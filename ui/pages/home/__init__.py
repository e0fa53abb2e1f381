"""The home page: what waits for each role, and the first steps."""
