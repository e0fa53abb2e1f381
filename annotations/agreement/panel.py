"""The long table as arrays: checked once, so that the coefficients are arithmetic on counts.

A panel's `values` are what labels are compared as: the declared categories, or on the scale `set` the
distinct sets that were given. A missing label has no row here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotations.agreement.labels import LabelReader, Value
from annotations.agreement.types import LeftOut, Rating, Scale
from clinicnum.errors import InputError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Panel:
    """Labels given: three parallel arrays, one element a label, and what their indices mean."""

    scale: Scale
    items: tuple[str, ...]
    annotators: tuple[str, ...]
    values: tuple[Value, ...]
    item: Ints
    """Index into `items`, one a label."""
    annotator: Ints
    label: Ints
    """Index into `values`."""
    cluster: Ints | None
    """Cluster of each item, one an item; None where items are independent."""

    @cached_property
    def counts(self) -> Floats:
        """How many annotators gave each value: items x values."""
        width = len(self.values)
        flat = np.bincount(self.item * width + self.label, minlength=len(self.items) * width)
        return flat.reshape(len(self.items), width).astype(float)

    @cached_property
    def raters(self) -> Floats:
        """Labels on each item."""
        total: Floats = self.counts.sum(axis=1)
        return total

    @property
    def n_clusters(self) -> int | None:
        return None if self.cluster is None else int(self.cluster.max()) + 1

    def against_the_rest(self, category: str) -> "Panel":
        """The same labels seen as `category` (on sets: containing it) or not."""
        hit = np.array([_has(value, category) for value in self.values], dtype=np.int64)
        return Panel(
            scale="nominal",
            items=self.items,
            annotators=self.annotators,
            values=(f"not {category}", category),
            item=self.item,
            annotator=self.annotator,
            label=hit[self.label],
            cluster=self.cluster,
        )


def _has(value: Value, category: str) -> bool:
    if isinstance(value, frozenset):
        return category in value if category != "none" else not value
    return value == category


def build_panel(
    table: Sequence[Rating],
    *,
    scale: Scale,
    reader: LabelReader,
    clusters: Mapping[str, str] | None,
) -> tuple[Panel, tuple[LeftOut, ...]]:
    """Check the table and turn it into arrays; also what was left out.

    Raises InputError for a label outside the declared categories, a duplicate (item, annotator), and a
    cluster that is missing or differs within an item.
    """
    if not table:
        raise InputError("the table has no rows; expected one row per item and annotator")
    chosen, left_out = _without_repeats(table)
    parsed = [(row, reader.read(row.label, row.item)) for row in chosen if row.label is not None]
    missing = len(chosen) - len(parsed)
    if missing:
        left_out.append(LeftOut(what="labels", n=missing, why="blank cell: missing"))
    items = sorted({row.item for row, _ in parsed})
    unlabelled = len({row.item for row in chosen}) - len(items)
    if unlabelled:
        left_out.append(LeftOut(what="items", n=unlabelled, why="no label at all"))
    annotators = sorted({row.annotator for row, _ in parsed})
    values = reader.values(value for _, value in parsed)
    item_at = {item: index for index, item in enumerate(items)}
    annotator_at = {annotator: index for index, annotator in enumerate(annotators)}
    value_at = {value: index for index, value in enumerate(values)}
    panel = Panel(
        scale=scale,
        items=tuple(items),
        annotators=tuple(annotators),
        values=values,
        item=np.array([item_at[row.item] for row, _ in parsed], dtype=np.int64),
        annotator=np.array([annotator_at[row.annotator] for row, _ in parsed], dtype=np.int64),
        label=np.array([value_at[value] for _, value in parsed], dtype=np.int64),
        cluster=_clusters([row for row, _ in parsed], item_at, clusters),
    )
    return panel, tuple(left_out)


def _without_repeats(table: Sequence[Rating]) -> tuple[list[Rating], list[LeftOut]]:
    first: dict[tuple[str, str], Rating] = {}
    passes: set[tuple[str, str, int]] = set()
    for row in table:
        if (row.item, row.annotator, row.repeat) in passes:
            raise InputError(
                f"annotator {row.annotator!r} has two labels on item {row.item!r}; expected one, or a column "
                "`repeat` that numbers the passes: delete one row or add the column"
            )
        passes.add((row.item, row.annotator, row.repeat))
        kept = first.get((row.item, row.annotator))
        if kept is None or row.repeat < kept.repeat:
            first[row.item, row.annotator] = row
    repeats = len(table) - len(first)
    left_out = [LeftOut(what="labels", n=repeats, why="repeat by the same annotator")] if repeats else []
    return list(first.values()), left_out


def _clusters(
    rows: Sequence[Rating], item_at: Mapping[str, int], given: Mapping[str, str] | None
) -> Ints | None:
    """Cluster index per item; None when no clusters are named or every item is its own."""
    if given is None and all(row.cluster is None for row in rows):
        return None
    of_item: dict[str, str] = {}
    for row in rows:
        cluster = row.cluster if given is None else given.get(row.item)
        if cluster is None:
            raise InputError(
                f"item {row.item!r} has no cluster though others do; name one for each item, or none at all"
            )
        if of_item.setdefault(row.item, cluster) != cluster:
            raise InputError(
                f"item {row.item!r} stands in two clusters, {of_item[row.item]!r} and {cluster!r}; "
                "expected one"
            )
    names = sorted(set(of_item.values()))
    if len(names) == len(item_at):
        return None
    at = {name: index for index, name in enumerate(names)}
    return np.array([at[of_item[item]] for item in item_at], dtype=np.int64)
