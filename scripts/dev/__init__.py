"""Tools for developers: benchmarks, oracles, load tests. Not part of the wheel."""
