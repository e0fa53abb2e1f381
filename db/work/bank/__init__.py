"""The template versions in the bank."""
