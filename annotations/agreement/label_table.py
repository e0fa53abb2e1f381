"""The long table of labels as columns, which keeps agreement fast on many rows.

`LabelTable.of` converts a list of `Rating`; a file is read into columns directly. All checks are made on this
form, once, in `rating_panel_builder.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clinicnum.annotations.agreement.types import Rating

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MISSING = -1
"""The code of an empty cell."""


@dataclass(frozen=True)
class Column:
    """Texts encoded as indices into a list of the distinct ones."""

    codes: Ints
    """One a row: index into `names`, or `MISSING`."""
    names: tuple[str, ...]
    """Each distinct text once."""

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "Column":
        """Encode texts, numbered by first appearance; None means missing."""
        given = list(texts)
        names = [text for text in dict.fromkeys(given) if text is not None]
        at: dict[str | None, int] = {name: place for place, name in enumerate(names)}
        at[None] = MISSING
        codes = np.fromiter(map(at.__getitem__, given), dtype=np.int64, count=len(given))
        return cls(codes, tuple(names))


@dataclass(frozen=True)
class LabelTable:
    """A long table of labels: one row a label, columns of equal length."""

    item: Column
    annotator: Column
    label: Column
    """Texts as given; missing where the cell is blank."""
    cluster: Column | None = None
    """What items share that makes them dependent, usually the subject."""
    repeat: Ints | None = None
    """Number of the annotator's pass over the item, one per row; None if there is only one pass."""

    def __len__(self) -> int:
        return len(self.item.codes)

    @classmethod
    def of(cls, table: "Sequence[Rating] | LabelTable") -> "LabelTable":
        """Turn a list of ratings into columns; a table is returned as it is."""
        if isinstance(table, LabelTable):
            return table
        clustered = any(row.cluster is not None for row in table)
        return cls(
            item=Column.of(row.item for row in table),
            annotator=Column.of(row.annotator for row in table),
            label=Column.of(row.label for row in table),
            cluster=Column.of(row.cluster for row in table) if clustered else None,
            repeat=np.array([row.repeat for row in table], dtype=np.int64),
        )

    def ratings(self) -> list[Rating]:
        """The rows as ratings, one by one."""
        clusters = [None] * len(self) if self.cluster is None else _texts(self.cluster)
        repeats = [0] * len(self) if self.repeat is None else self.repeat.tolist()
        columns = (_texts(self.item), _texts(self.annotator), _texts(self.label), clusters, repeats)
        return [
            Rating(item or "", annotator or "", label, cluster, repeat)
            for item, annotator, label, cluster, repeat in zip(*columns, strict=True)
        ]


def _texts(column: Column) -> list[str | None]:
    return [None if code == MISSING else column.names[code] for code in column.codes.tolist()]


def ranked(codes: Ints, size: int) -> tuple[Ints, Ints]:
    """The distinct values of `codes` (0 to size - 1) in order, and the index of each code among them.

    Counting beats sorting where the range is not much longer than the column.
    """
    if size > 8 * len(codes) + 1024:
        distinct, place = np.unique(codes, return_inverse=True)
        return distinct, place
    seen = np.zeros(size, dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]


def first_rows(codes: Ints, size: int) -> Ints:
    """Index of the first row of each code; 0 for a code that does not occur."""
    first = np.zeros(size, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first
