"""Result of one check: passed or not, with one line about it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """Whether one check passed, and what it found."""

    name: str
    """What was checked, in words."""
    right: bool
    """Whether it passed."""
    said: str
    """What was found, in one line."""


def is_one_line_error(code: int, stderr: str, *words: str) -> bool:
    """Whether a command ended with exit code 2 and a one-line error with these words, no traceback."""
    last = stderr.strip().splitlines()[-1:] or [""]
    return (
        code == 2
        and last[0].startswith("error: ")
        and all(word in last[0] for word in words)
        and "Traceback" not in stderr
    )
