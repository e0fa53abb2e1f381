"""Benchmarks in the database: stored, listed, searched and checked, whether run or not."""
