"""Tools for developers: benchmarks, test oracles, load tests. Not part of the wheel."""
