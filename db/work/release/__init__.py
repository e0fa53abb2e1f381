"""Releases of the bank, imports of templates, regressions and the trace of a template."""
