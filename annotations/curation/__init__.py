"""Curation: from a failed answer to a validated template or benchmark item, without database access."""
