"""Figures as text with a fixed number of decimals, rounded by their decimal digits."""

from decimal import Decimal


def rounded(value: float, decimals: int, *, signed: bool = False) -> str:
    """The value with so many decimals, a tie to the even digit: 28.75 gives 28.8.

    Twelve significant digits decide, as the binary number nearest to a decimal one may lie below it:
    100 * 0.2875 is 28.749999999999996. `signed` puts a plus before a value that is not negative.
    """
    exact = Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-decimals))
    return f"{exact:{'+' if signed else ''}f}"


def percent(share: float, decimals: int = 1) -> str:
    """A share from 0 to 1 as a number of percent, without the sign."""
    return rounded(100 * share, decimals)
