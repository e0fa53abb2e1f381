"""The benchmarks page."""
