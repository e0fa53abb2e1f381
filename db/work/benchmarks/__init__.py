"""Benchmarks in the database: stored, listed, searched and checked, whether a model was run on them or
not.
"""
