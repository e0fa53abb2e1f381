"""The template versions in the bank: stored, browsed, retired, and their health."""
