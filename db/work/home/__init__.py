"""What waits for each role, the first steps of an empty installation, and the sample project."""
