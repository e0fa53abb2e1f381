"""Curation: from a failure to a validated template. Pure."""
