"""What annotators see of their own work, and of the decisions on it once a study is closed."""
