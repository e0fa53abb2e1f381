"""Phrases for results in a working. Every phrase is true as printed: rounded numbers have ≈."""

from collections.abc import Sequence
from decimal import Decimal

from clinicnum.templates.exact_numbers import Ratio, equals_text, is_short, working_text
from clinicnum.templates.ratio_arithmetic import best, slope_sums, total
from clinicnum.templates.tree import Band


def operand(value: Ratio) -> str:
    """A number within an equation; a negative one is put in brackets."""
    text = working_text(value)
    return f"({text})" if value[0] < 0 else text


def points_text(points: int) -> str:
    """A number of points in words, such as `1 point` or `2 points`."""
    return f"{points} point{'' if abs(points) == 1 else 's'}"


def band_text(bands: Sequence[Band], value: Ratio) -> str:
    """Band in which a value falls: `21 to 24`, with the digits of the limits unless the value has more."""
    limits = [band.at_most for band in bands if band.at_most is not None]
    index = next((i for i, limit in enumerate(limits) if _at_most(value, limit)), len(limits))
    if index == 0:
        return f"at most {limits[0]}"
    digits = max(decimals_of(limit) for limit in limits)
    step = Decimal(1).scaleb(-digits)
    whole_steps = value[0] * int(10**digits) % value[1] == 0
    over = limits[index - 1]
    if index == len(limits):
        return f"{over + step} or more" if whole_steps else f"above {over}"
    if not whole_steps:
        return f"above {over}, at most {limits[index]}"
    low, high = over + step, limits[index]
    return f"{high}" if low == high else f"{low} to {high}"


def _at_most(value: Ratio, limit: Decimal) -> bool:
    numerator, denominator = limit.as_integer_ratio()
    return value[0] * denominator <= numerator * value[1]


def decimals_of(value: Decimal) -> int:
    """Number of decimals with which a number is written."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def combined_text(how: str, values: Sequence[Ratio], result: Ratio) -> list[str]:
    """The step that combines numbers of several records, as a list; empty for a single number, unless its
    range is asked.
    """
    if len(values) == 1 and how != "range":
        return []
    texts = list(map(operand, values))
    if how == "mean":
        return [f"({' + '.join(texts)}) / {len(values)} {equals_text(result, values)}"]
    if how == "sum":
        return [f"{' + '.join(texts)} {equals_text(result, values)}"]
    if how == "range":
        high, low = best(values, True), best(values, False)
        equals = equals_text(result, (high, low))
        return [f"highest less lowest: {operand(high)} - {operand(low)} {equals}"]
    shown = list(map(working_text, values))
    return [f"the {how} of {', '.join(shown[:-1])} and {shown[-1]} is {working_text(result)}"]


def slope_texts(start: str, seconds: Sequence[int], values: Sequence[Ratio], slope: Ratio) -> list[str]:
    """Least squares step by step: minutes, the two means, the two sums, their quotient per hour."""
    n = len(seconds)
    minutes = [(second - seconds[0], 60) for second in seconds]
    across, along = slope_sums(seconds, values)
    products, squares = (across[0], across[1] * n * 60), (along, n * 3600)
    shown = ", ".join(map(working_text, minutes))
    about = "" if all(map(is_short, minutes)) else "about "
    means = [(total(each)[0], total(each)[1] * n) for each in (minutes, values)]
    return [
        f"minutes since {start}: {about}{shown}",
        f"mean of the minutes {equals_text(means[0])}, of the values {equals_text(means[1])}",
        f"sum of (minutes - mean) x (value - mean) {equals_text(products)}",
        f"sum of (minutes - mean) x (minutes - mean) {equals_text(squares)}",
        f"per hour: 60 x {operand(products)} / {operand(squares)} {equals_text(slope, (products, squares))}",
    ]
