"""Rubric criteria and answer points: what they are, how they are read, ticked and scored."""
