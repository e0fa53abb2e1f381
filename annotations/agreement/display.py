"""A coefficient as people read it: the page and the command print the very same characters."""

from annotations.agreement.types import CoefficientValue


def value_text(coefficient: CoefficientValue) -> str:
    """Three decimals, or `undefined`."""
    return "undefined" if coefficient.value is None else f"{coefficient.value:.3f}"


def interval_text(coefficient: CoefficientValue) -> str:
    """`low to high` with three decimals; empty where there is none."""
    return ends_text(coefficient.ci95)


def ends_text(ends: tuple[float, float] | None) -> str:
    """The two ends of an interval, written as `interval_text` does."""
    return "" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"
