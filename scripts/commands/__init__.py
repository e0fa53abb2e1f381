"""One module per command. Slow imports are inside the functions, so that `--help` is fast."""
