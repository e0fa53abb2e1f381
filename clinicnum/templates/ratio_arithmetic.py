"""Arithmetic on fractions that are not reduced, which is faster; the integers stay small enough."""

from collections.abc import Sequence

from clinicnum.templates.evaluation_input import UndefinedError
from clinicnum.templates.exact_numbers import Ratio


def add(left: Ratio, right: Ratio) -> Ratio:
    """left + right."""
    (a, b), (c, d) = left, right
    return (a + c, b) if b == d else (a * d + c * b, b * d)


def subtract(left: Ratio, right: Ratio) -> Ratio:
    """left - right."""
    (a, b), (c, d) = left, right
    return (a - c, b) if b == d else (a * d - c * b, b * d)


def multiply(left: Ratio, right: Ratio) -> Ratio:
    """left x right."""
    return left[0] * right[0], left[1] * right[1]


def divide(left: Ratio, right: Ratio) -> Ratio:
    """left / right. Raises UndefinedError if right is 0."""
    (a, b), (c, d) = left, right
    if c > 0:
        return a * d, b * c
    if c < 0:
        return -a * d, -b * c
    raise UndefinedError("V3.division_by_zero")


ARITHMETIC = {"add": add, "subtract": subtract, "multiply": multiply, "divide": divide}


def total(values: Sequence[Ratio]) -> Ratio:
    """The sum of numbers."""
    numerator, denominator = values[0]
    for a, b in values[1:]:
        if b == denominator:
            numerator += a
        elif denominator % b == 0:
            numerator += a * (denominator // b)
        else:
            numerator, denominator = numerator * b + a * denominator, denominator * b
    return numerator, denominator


def best(values: Sequence[Ratio], highest: bool) -> Ratio:
    """The highest or lowest of numbers; on ties the first."""
    found = values[0]
    for value in values:
        ahead = value[0] * found[1] - found[0] * value[1]
        if ahead > 0 if highest else ahead < 0:
            found = value
    return found


def equal(one: Ratio, other: Ratio) -> bool:
    """Whether two ratios are the same number."""
    return one[0] * other[1] == other[0] * one[1]


def mean(values: Sequence[Ratio]) -> Ratio:
    """The mean of numbers."""
    numerator, denominator = total(values)
    return numerator, denominator * len(values)


def highest(values: Sequence[Ratio]) -> Ratio:
    """The highest of numbers."""
    return best(values, True)


def lowest(values: Sequence[Ratio]) -> Ratio:
    """The lowest of numbers."""
    return best(values, False)


def spread(values: Sequence[Ratio]) -> Ratio:
    """Highest minus lowest."""
    return subtract(best(values, True), best(values, False))


COMBINE = {"mean": mean, "sum": total, "highest": highest, "lowest": lowest, "range": spread}


def slope_sums(seconds: Sequence[int], values: Sequence[Ratio]) -> tuple[Ratio, int]:
    """n times the sums of (t - mean)(v - mean) and of (t - mean)²; their quotient is the slope per second."""
    n, start = len(seconds), seconds[0]
    since = [second - start for second in seconds]
    reach = sum(since)
    across = total([((n * t - reach) * v[0], v[1]) for t, v in zip(since, values, strict=True)])
    return across, n * sum([t * t for t in since]) - reach * reach
