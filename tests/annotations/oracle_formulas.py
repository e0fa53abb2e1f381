"""What packages compute where it is not the coefficient, said after their source, and exact figures."""

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import fdtri

from tests.annotations.oracles import Table

Given = float | str
"""A figure, or what stands in place of one: the error, or `nan`."""


def pyirr_alpha(table: Table, level: str) -> Given:
    """`kripp_alpha` of pyirr 0.84.1.2, which goes wrong twice.

    It shares an item's pairs out among labels - 1 only if a label is missing somewhere. And it lays distances
    of values, which stand above the diagonal, beside coincidences above the diagonal (values // 2 - 1), both
    by column: the right one for 4 or 5 values, too low for fewer, too high for more.
    """
    values = table.seen()
    if len(values) < 2:
        return 1.0
    counts = np.stack([(table.grid == value).sum(axis=0) for value in values])
    complete = bool((table.grid >= 0).all())
    shared = 1.0 if complete else np.maximum(table.on_item - 1, 1)
    coincidences = (counts / shared) @ counts.T - np.diag((counts / shared).sum(axis=1))
    margins = coincidences.sum(axis=1)
    ranks = range(len(values))
    wanted = [(low, high) for high in ranks for low in range(high)]
    taken = [(row, column) for column in ranks for row in ranks if column - row >= len(values) // 2 - 1]
    if len(taken) < len(wanted):
        return f"IndexError: index {len(taken)} is out of bounds for axis 0 with size {len(taken)}"
    distances = [_distance(level, values, margins, low, high) for low, high in wanted]
    seen = sum(coincidences[at] * distance for at, distance in zip(taken, distances, strict=False))
    expected = sum(margins[low] * margins[high] * d for (low, high), d in zip(wanted, distances, strict=True))
    return float(1 - (margins.sum() - 1) * seen / expected)


def _distance(level: str, values: list[int], margins: Any, low: int, high: int) -> float:
    if level == "nominal":
        return 1.0
    if level == "interval":
        return float(values[high] - values[low]) ** 2
    return float(margins[low : high + 1].sum() - (margins[low] + margins[high]) / 2) ** 2


def pyirr_ends_of_mean(table: Table) -> tuple[float, float]:
    """Its interval of icc(2,k): degrees of freedom as if the correlation were 0; (2,1) has the estimate's."""
    n, k, b, j, e, _ = (float(one) for one in mean_squares(table))
    df = (n - 1) * (k - 1)
    upper, lower = fdtri(n - 1, df, 0.975), fdtri(df, n - 1, 0.975)
    low = n * (b - upper * e) / (upper * (j - e) + n * b)
    return float(low), float(n * (lower * b - e) / (j - e + n * lower * b))


def exact_icc(table: Table, name: str) -> tuple[Fraction, Fraction] | None:
    """Numerator and denominator without rounding (Shrout and Fleiss 1979); None under 2 complete items."""
    if (table.on_item == len(table.labels)).sum() < 2:
        return None
    n, k, b, j, e, w = mean_squares(table)
    return {
        "icc(1,1)": (b - w, b + (k - 1) * w),
        "icc(1,k)": (b - w, b),
        "icc(2,1)": (b - e, b + (k - 1) * e + k * (j - e) / n),
        "icc(2,k)": (b - e, b + (j - e) / n),
        "icc(3,1)": (b - e, b + (k - 1) * e),
        "icc(3,k)": (b - e, b),
    }[name]


def mean_squares(table: Table) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction]:
    """Complete items and annotators; mean squares of items, annotators, residual and within items, exact."""
    complete = table.grid[:, table.on_item == len(table.labels)]
    k, n = complete.shape
    centre = Fraction(int(complete.sum()) ** 2, n * k)
    total = int((complete**2).sum()) - centre
    items = Fraction(int((complete.sum(axis=0) ** 2).sum()), k) - centre
    annotators = Fraction(int((complete.sum(axis=1) ** 2).sum()), n) - centre
    residual, within = total - items - annotators, total - items
    df = (n - 1) * (k - 1)
    return n, k, items / (n - 1), annotators / (k - 1), residual / df, within / (n * (k - 1))
