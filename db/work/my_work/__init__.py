"""What annotators see of their own work."""
