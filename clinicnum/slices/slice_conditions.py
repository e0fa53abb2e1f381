"""The conditions that define slices: a facet has a value, or lies on one side of a threshold.

Each facet of a frame becomes integer codes, so that a condition is a range of codes: one code for `facet =
value`, all codes below or from a threshold for an ordered facet. Thresholds are quantiles of the observed
values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

THRESHOLDS = 7
"""Maximum thresholds of an ordered facet: the octiles of its values."""
MOST_VALUES = 200
"""Maximum number of values considered per facet: the most frequent ones."""

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Condition:
    """One condition on one facet, such as `records >= 12`."""

    facet: str
    operator: Literal["=", ">=", "<"]
    value: Any
    """A string, number or boolean, as in the frame."""

    def __str__(self) -> str:
        return f"{self.facet} {self.operator} {self.value}"


@dataclass(frozen=True, eq=False)
class Facet:
    """One facet as integer codes, with its conditions as ranges of codes."""

    name: str
    codes: Codes
    """Code of each row, from 0 to `width` - 1; the last is for values that meet no condition."""
    width: int
    conditions: tuple[Condition, ...]
    ranges: NDArray[np.int64]
    """Half-open range of codes of each condition: [conditions, 2]."""

    def holds(self, condition: int) -> Flags:
        """Mask of the rows that meet the condition number `condition`."""
        first, after = self.ranges[condition]
        return np.asarray((self.codes >= first) & (self.codes < after))

    def sums(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums of values by code [..., width] over the codes that meet each condition: [..., conditions]."""
        below = np.zeros((*cells.shape[:-1], self.width + 1))
        np.cumsum(cells, axis=-1, out=below[..., 1:])
        found: NDArray[np.float64] = below[..., self.ranges[:, 1]] - below[..., self.ranges[:, 0]]
        return found


def facets_of(column: "pd.Series[Any]", *, least: int) -> list[Facet]:
    """The conditions on a column that at least `least` rows meet, as facets of codes.

    Numbers and ordered categories are cut at thresholds, all else is compared with its values. Cells that are
    tuples hold several values: each value is then a facet of its own, which a row has or lacks.
    """
    name = str(column.name)
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = np.asarray(column.cat.codes, dtype=np.int64), list(column.cat.categories)
        return [(_ordered if column.cat.ordered else _values)(name, codes, values, least)]
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        codes, found = pd.factorize(column, sort=True)
        return [_ordered(name, codes.astype(np.int64), np.asarray(found).tolist(), least)]
    codes, found = pd.factorize(column, sort=False)
    if any(isinstance(one, tuple) for one in found):
        return _memberships(name, codes.astype(np.int64), list(found), least)
    return [_values(name, codes.astype(np.int64), np.asarray(found, dtype=object).tolist(), least)]


def _memberships(name: str, codes: Codes, sets: Sequence[Any], least: int) -> list[Facet]:
    counts = np.bincount(codes[codes >= 0], minlength=len(sets))
    every = [one if isinstance(one, tuple) else (one,) for one in sets]
    found = []
    for value in sorted({value for one in every for value in one}, key=str):
        has = np.array([*(value in one for one in every), False])
        if counts[has[:-1]].sum() >= least:
            condition = Condition(name, "=", value)
            found.append(Facet(name, np.where(has, 0, 1)[codes], 2, (condition,), np.array([[0, 1]])))
    return found


def _values(name: str, codes: Codes, values: Sequence[Any], least: int) -> Facet:
    counts = np.bincount(codes[codes >= 0], minlength=len(values))
    often = [place for place in np.argsort(-counts, kind="stable")[:MOST_VALUES] if counts[place] >= least]
    new = np.full(len(values) + 1, len(often), dtype=np.int64)
    new[often] = np.arange(len(often))
    conditions = tuple(Condition(name, "=", values[place]) for place in often)
    ranges = np.column_stack([np.arange(len(often)), np.arange(len(often)) + 1]).reshape(-1, 2)
    return Facet(name, new[codes], len(often) + 1, conditions, ranges)


def _ordered(name: str, codes: Codes, values: Sequence[Any], least: int) -> Facet:
    """Facet of a column with an order, cut at thresholds; of its conditions, those met by `least` rows or
    more.

    `codes` are places in the sorted `values`, -1 where a row has no value.
    """
    known = np.sort(codes[codes >= 0])
    at = np.linspace(0, 1, THRESHOLDS + 2)[1:-1]
    cuts = (
        sorted({int(known[int(share * len(known))]) for share in at} - {int(known[0])}) if len(known) else []
    )
    new = np.where(codes >= 0, np.searchsorted(cuts, codes, side="right"), len(cuts) + 1)
    below = [(Condition(name, "<", values[cut]), (0, place + 1)) for place, cut in enumerate(cuts)]
    above = [
        (Condition(name, ">=", values[cut]), (place + 1, len(cuts) + 1)) for place, cut in enumerate(cuts)
    ]
    sizes = np.concatenate([[0], np.cumsum(np.bincount(new, minlength=len(cuts) + 2))])
    kept = [one for one in (*below, *above) if sizes[one[1][1]] - sizes[one[1][0]] >= least]
    ranges = np.array([ends for _, ends in kept], dtype=np.int64).reshape(-1, 2)
    return Facet(name, new.astype(np.int64), len(cuts) + 2, tuple(one for one, _ in kept), ranges)
