"""Taxonomy, rights, assignment, agreement, consensus, adjudication and reports, without database or web."""
