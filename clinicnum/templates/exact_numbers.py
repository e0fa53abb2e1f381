"""Exact numbers; rounding is half up, away from zero.

Inside the evaluator a number is a `Ratio`: two integers, not in lowest terms, which is several times quicker
than `Fraction`. What leaves it is an `Exact`.
"""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd

Exact = int | Fraction
Ratio = tuple[int, int]
"""Numerator and a denominator above 0."""
APPROXIMATE_DIGITS = 6
POWERS = tuple(int(10**decimals) for decimals in range(APPROXIMATE_DIGITS + 1))


def power(decimals: int) -> int:
    """Ten to the power of a number of decimals."""
    return POWERS[decimals] if decimals < len(POWERS) else int(10**decimals)


@lru_cache(maxsize=4096)
def ratio_of_text(text: str) -> Ratio:
    """A decimal number as an exact ratio."""
    return Decimal(text).as_integer_ratio()


def reduced(value: Ratio) -> Exact:
    """The number in lowest terms; whole numbers as int."""
    numerator, denominator = value
    whole, rest = divmod(numerator, denominator)
    return Fraction(numerator, denominator) if rest else whole


def rounded(value: Ratio, decimals: int) -> Ratio:
    """`value` rounded half up to `decimals` digits."""
    scale = power(decimals)
    return _scaled(value, scale), scale


def rounded_text(value: Exact, decimals: int) -> str:
    """`value` written with exactly `decimals` digits, rounded half up; zero has no sign."""
    return ratio_text((value.numerator, value.denominator), decimals)


def ratio_text(value: Ratio, decimals: int) -> str:
    """As `rounded_text`, of a ratio."""
    scale = power(decimals)
    scaled = _scaled(value, scale)
    if not decimals:
        return str(scaled)
    whole, part = divmod(abs(scaled), scale)
    return f"{'-' if scaled < 0 else ''}{whole}.{part:0{decimals}d}"


def _scaled(value: Ratio, scale: int) -> int:
    numerator, denominator = value
    size = (2 * abs(numerator) * scale + denominator) // (2 * denominator)
    return -size if numerator < 0 else size


def is_tie(value: Exact, decimals: int) -> bool:
    """Whether `value` lies exactly between two numbers of `decimals` digits."""
    doubled = 2 * value.numerator * power(decimals)
    return doubled % value.denominator == 0 and (doubled // value.denominator) % 2 == 1


def ending_decimals(denominator: int) -> int | None:
    """Number of decimals that a reduced fraction with this denominator needs; None if it has no finite
    decimal form.
    """
    rest, twos, fives = denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def exact_text(value: Exact) -> str:
    """A decimal, or `numerator/denominator` if there is no finite decimal form."""
    numerator, denominator = value.numerator, value.denominator
    decimals = ending_decimals(denominator)
    if decimals is None:
        return f"{numerator}/{denominator}"
    if not decimals:
        return str(numerator)
    scale = power(decimals)
    whole, part = divmod(abs(numerator) * scale // denominator, scale)
    return f"{'-' if numerator < 0 else ''}{whole}.{part:0{decimals}d}"


def working_text(value: Ratio) -> str:
    """A number as in a person's working: exact if short, otherwise to six decimals."""
    return _shown(value)[0]


def equals_text(value: Ratio, operands: Iterable[Ratio] = ()) -> str:
    """`= 25`, or `≈ 10.666667` if the result or an operand is shown rounded, so that the printed line
    holds.
    """
    text, is_exact = _shown(value)
    return f"= {text}" if is_exact and all(_shown(operand)[1] for operand in operands) else f"≈ {text}"


def is_short(value: Ratio) -> bool:
    """Whether `working_text` writes the number exactly, without rounding."""
    return _shown(value)[1]


def _shown(value: Ratio) -> tuple[str, bool]:
    return (str(value[0]), True) if value[1] == 1 else _shown_part(value)


@lru_cache(maxsize=16_384)
def _shown_part(value: Ratio) -> tuple[str, bool]:
    numerator, denominator = value
    common = gcd(numerator, denominator)
    decimals = ending_decimals(denominator // common)
    if decimals is None or decimals > APPROXIMATE_DIGITS:
        return ratio_text(value, APPROXIMATE_DIGITS), False
    return ratio_text(value, decimals), True
