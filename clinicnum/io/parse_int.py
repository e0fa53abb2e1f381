"""Whole numbers that somebody wrote."""

MOST_DIGITS = 15
"""No count is longer; Python itself refuses 4,300 digits, and arrays 19."""


def whole_number(text: str) -> int | None:
    """A whole number in plain digits; None for anything else, and for one that no count can be."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS else None
