"""Rounds of expert review of templates."""
