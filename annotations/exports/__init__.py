"""A study's data and figures in formats that other programs read."""
