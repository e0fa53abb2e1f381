"""Simulated annotators over HTTP, for benchmarks and load tests."""
