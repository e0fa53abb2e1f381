"""Warn on standard error that the data read or written are credentialed."""

import sys


def warn(said: str | None) -> None:
    """Print the notice as one line; nothing for open data (None)."""
    if said is not None:
        print(f"warning: {said}", file=sys.stderr)
