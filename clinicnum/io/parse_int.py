"""Parse whole numbers."""

MOST_DIGITS = 15
"""No count is longer; Python itself refuses 4,300 digits, and arrays 19."""


def whole_number(text: str) -> int | None:
    """A whole number from plain digits; None for anything else, and for a number too large to be a count."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS else None
