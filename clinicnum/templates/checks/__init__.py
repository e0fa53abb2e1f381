"""Faults of a template that are found without trying it on patients."""
