"""One module per command. Heavy imports stand inside the functions, so that `--help` is fast."""
