"""Check the golds of a benchmark file, ours or another's, from its text alone: `lint_file.lint`."""
