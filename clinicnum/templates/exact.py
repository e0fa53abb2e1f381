"""Exact numbers: integers where whole, fractions otherwise; rounding half-up, away from zero on a tie."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

Exact = int | Fraction
APPROXIMATE_DIGITS = 6


def exact(value: Decimal) -> Exact:
    """A decimal without loss; whole numbers as int, which is quick."""
    numerator, denominator = value.as_integer_ratio()
    return numerator if denominator == 1 else Fraction(numerator, denominator)


def power(decimals: int) -> int:
    """Ten to a number of decimals."""
    return int(10**decimals)


def rounded(value: Exact, decimals: int) -> Exact:
    """`value` to `decimals` digits, half-up."""
    return Fraction(_scaled(value, decimals), power(decimals))


def rounded_text(value: Exact, decimals: int) -> str:
    """`rounded`, written with exactly `decimals` digits; zero has no sign."""
    scaled = _scaled(value, decimals)
    whole, part = divmod(abs(scaled), power(decimals))
    digits = f"{whole}.{part:0{decimals}d}" if decimals else str(whole)
    return f"-{digits}" if scaled < 0 else digits


def _scaled(value: Exact, decimals: int) -> int:
    numerator, denominator = abs(value.numerator) * power(decimals), value.denominator
    size = (2 * numerator + denominator) // (2 * denominator)
    return -size if value < 0 else size


def is_tie(value: Exact, decimals: int) -> bool:
    """Whether `value` lies exactly between two numbers of `decimals` digits."""
    doubled = 2 * value.numerator * power(decimals)
    return doubled % value.denominator == 0 and (doubled // value.denominator) % 2 == 1


def ending_decimals(value: Exact) -> int | None:
    """How many decimals `value` needs to be written exactly; None if no decimal ends."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def exact_text(value: Exact) -> str:
    """A decimal, or `numerator/denominator` where no decimal ends."""
    decimals = ending_decimals(value)
    if decimals is None:
        return f"{value.numerator}/{value.denominator}"
    return rounded_text(value, decimals)


def working_text(value: Exact) -> str:
    """As a person would write it in a working: exact where short, else to six decimals."""
    return exact_text(value) if _is_short(value) else rounded_text(value, APPROXIMATE_DIGITS)


def equals_text(value: Exact) -> str:
    """`= 25` or, where `working_text` had to round, `≈ 10.666667`."""
    return f"{'=' if _is_short(value) else '≈'} {working_text(value)}"


def follows_text(value: Exact, *, operands: Sequence[Exact]) -> str:
    """`equals_text`, but `≈` too where an operand was shown rounded: the line as printed must hold."""
    return f"{'=' if all(map(_is_short, [value, *operands])) else '≈'} {working_text(value)}"


def _is_short(value: Exact) -> bool:
    decimals = ending_decimals(value)
    return decimals is not None and decimals <= APPROXIMATE_DIGITS
