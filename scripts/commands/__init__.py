"""The commands, one module per command or group of them. Slow imports are inside the functions, so that
`--help` is fast.
"""
