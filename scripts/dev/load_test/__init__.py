"""Simulated annotators over HTTP, shared by the benchmark and the load tests."""
