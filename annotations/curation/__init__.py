"""Curation: from a failed answer to a validated template, without database access."""
