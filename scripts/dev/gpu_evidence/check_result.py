"""Result of one check: passed or not, with one line about it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    right: bool
    said: str


def is_one_line_error(code: int, stderr: str, *words: str) -> bool:
    """Whether a command ended with exit code 2 and a one-line error with these words, no traceback."""
    last = stderr.strip().splitlines()[-1:] or [""]
    return (
        code == 2
        and last[0].startswith("error: ")
        and all(word in last[0] for word in words)
        and "Traceback" not in stderr
    )
