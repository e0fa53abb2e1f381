"""Ratings of answers on named axes: the axes, and what the ratings come to (`docs/ratings.md`)."""
