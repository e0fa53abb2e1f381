"""Warn on standard error that the data read or written are credentialed."""

import sys


def warn(said: str | None) -> None:
    """Print the terms of credentialed data to standard error; for open data (None), nothing."""
    if said is not None:
        print(f"warning: {said}", file=sys.stderr)
