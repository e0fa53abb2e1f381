"""The composition root: the commands, the demo and the benchmarks. Imports all, imported by none."""
