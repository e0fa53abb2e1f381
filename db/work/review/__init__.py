"""Rounds of expert review of templates and of benchmark items."""
