"""Releases of the bank, imports of templates, regressions, the trace of a template, and next versions of
imported benchmarks.
"""
