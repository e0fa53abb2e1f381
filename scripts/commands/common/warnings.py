"""How a command says on standard error that what it reads or writes is credentialed."""

import sys


def warn(said: str | None) -> None:
    """One line, or none for open data."""
    if said is not None:
        print(f"warning: {said}", file=sys.stderr)
