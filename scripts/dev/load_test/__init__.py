"""Simulated annotators over HTTP: what the benchmark and the tests under load share."""
