"""The composition root: the commands, the demo and the benchmarks. It may import every package; none imports
it.
"""
