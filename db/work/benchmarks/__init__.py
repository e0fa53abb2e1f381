"""Benchmarks in the database, run or not."""
