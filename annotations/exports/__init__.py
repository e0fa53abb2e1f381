"""A study's rows and figures in the forms that other programs read."""
