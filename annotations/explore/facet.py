"""One property of generations as small integers: the operation, or the vital signs asked about.

A row has one value of most facets, and several of some, such as tags. Rows with the same values share a code.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.bool_] | NDArray[np.integer]
Values = str | tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Facet:
    """A categorical column. Every row has at least one value; "" means none or unknown."""

    values: tuple[str, ...]
    """Distinct values in display order; after selecting rows, some may not occur."""
    sets: tuple[tuple[int, ...], ...]
    """For each code, the indices into `values`."""
    codes: NDArray[np.int32]
    """For each row, an index into `sets`."""

    @classmethod
    def of(cls, rows: Iterable[Values], order: Sequence[str] = ()) -> "Facet":
        """The column of these rows, each a value or a tuple of values (empty: none).

        Values named in `order` come first, in its order; the others follow by name.
        """
        found: dict[Values, int] = {}
        codes = np.fromiter((found.setdefault(one, len(found)) for one in rows), dtype=np.int32)
        sets = [(one,) if isinstance(one, str) else one or ("",) for one in found]
        values = _sorted({value for one in sets for value in one}, order)
        at = {value: place for place, value in enumerate(values)}
        return cls(values, tuple(tuple(at[value] for value in one) for one in sets), codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Rows) -> "Facet":
        """The column of these rows: a mask, or indices in any order and number."""
        return replace(self, codes=self.codes[rows])

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Each (code, value) of `sets`, as two columns."""
        return (
            np.repeat(np.arange(len(self.sets)), [len(one) for one in self.sets]),
            np.array([value for one in self.sets for value in one], dtype=np.intp),
        )

    def members(self, values: Sequence[int]) -> NDArray[np.bool_]:
        """For each distinct set of values (code) and each given value index, whether the set has the value:
        sets x values given.
        """
        column = np.full(len(self.values), -1)
        column[list(values)] = np.arange(len(values))
        codes, of = self._pairs
        asked = column[of] >= 0
        found = np.zeros((len(self.sets), len(values)), dtype=bool)
        found[codes[asked], column[of[asked]]] = True
        return found

    def having(self, chosen: Collection[str]) -> NDArray[np.bool_]:
        """Boolean [rows]: which have any of these values; unknown values match no row."""
        names = frozenset(chosen)
        wanted = [at for at, value in enumerate(self.values) if value in names]
        return np.asarray(self.members(wanted).any(axis=1))[self.codes]

    def counts(self, within: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Number of rows with each value, among all rows or those that the mask `within` selects."""
        codes, values = self._pairs
        by_code = np.bincount(self.codes if within is None else self.codes[within], minlength=len(self.sets))
        counted = np.bincount(values, weights=by_code[codes], minlength=len(self.values))
        return counted.astype(np.int64)

    def values_of(self, row: int) -> tuple[str, ...]:
        """The facet's values in the row at this index, as text."""
        return tuple(self.values[at] for at in self.sets[self.codes[row]])


def concatenated(parts: Sequence[Facet], order: Sequence[str] = ()) -> Facet:
    """One column with the rows of several, in turn."""
    if len(parts) == 1:
        return parts[0]
    values = _sorted({value for part in parts for value in part.values}, order)
    at = {value: place for place, value in enumerate(values)}
    sets: dict[tuple[int, ...], int] = {}
    codes = []
    for part in parts:
        own = [tuple(at[part.values[value]] for value in one) for one in part.sets]
        new = np.array([sets.setdefault(one, len(sets)) for one in own], dtype=np.int32)
        codes.append(new[part.codes])
    return Facet(values, tuple(sets), np.concatenate(codes) if codes else np.zeros(0, dtype=np.int32))


def _sorted(values: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    place = {value: at for at, value in enumerate(order)}
    return tuple(sorted(values, key=lambda value: (place.get(value, len(place)), value)))
