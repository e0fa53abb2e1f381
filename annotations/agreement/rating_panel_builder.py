"""Build the rating panel from the long table and check its input, so that coefficients need no checks.

Every error names the first row at fault, in the order of the table.
"""

from collections.abc import Mapping

import numpy as np

from clinicnum.annotations.agreement.label_table import MISSING, Column, Ints, LabelTable, first_rows, ranked
from clinicnum.annotations.agreement.parse_label_text import LabelReader, Value
from clinicnum.annotations.agreement.rating_panel import Panel, Rows, distinct_rows
from clinicnum.annotations.agreement.types import Exclusion
from clinicnum.errors import InputError

Clusters = Mapping[str, str]
"""Cluster of each item, by name."""


def build_panel(
    table: LabelTable, *, reader: LabelReader, clusters: Clusters | None
) -> tuple[Panel, tuple[Exclusion, ...], tuple[str, ...]]:
    """The panel, what was left out of it, and the name of each of its items.

    Raises InputError for a label outside the declared categories, a duplicate (item, annotator), and a
    cluster that is missing or differs within an item.
    """
    if not len(table):
        raise InputError("the table has no rows; expected one row per item and annotator")
    kept, left_out = _first_passes(table)
    missing = int((table.label.codes[kept] == MISSING).sum())
    if missing:
        left_out.append(Exclusion(what="labels", n=missing, why="blank cell: missing"))
    n_seen = len(ranked(table.item.codes[kept], len(table.item.names))[0])
    kept = kept[table.label.codes[kept] != MISSING]
    values, of_label = _read_labels(table, kept, reader)
    items, place = ranked(table.item.codes[kept], len(table.item.names))
    if n_seen > len(items):
        left_out.append(Exclusion(what="items", n=n_seen - len(items), why="no label at all"))
    annotators, annotator = _by_name(table.annotator, kept)
    grid: Rows = np.full((len(items), len(annotators)), MISSING, dtype=np.int32)
    grid[place, annotator] = of_label[table.label.codes[kept]]
    rows, pattern = distinct_rows(grid)
    names = table.item.names
    if len(items) < len(names):
        names = tuple(names[code] for code in items.tolist())
    panel = Panel(
        scale=reader.scale,
        annotators=annotators,
        values=values,
        declared=bool(reader.categories) and reader.scale != "set",
        rows=rows,
        pattern=pattern,
        cluster=_clusters(table, kept, place, names) if clusters is None else cluster_codes(names, clusters),
    )
    return panel, tuple(left_out), names


def _first_passes(table: LabelTable) -> tuple[Ints, list[Exclusion]]:
    """Row numbers of each annotator's first pass over each item, in order, and what was left out.

    Raises InputError for two labels by an annotator in one pass over an item.
    """
    width = len(table.annotator.names)
    key = table.item.codes * width + table.annotator.codes
    distinct, place = ranked(key, len(table.item.names) * width)
    rows = np.arange(len(table))
    if len(distinct) == len(table):
        return rows, []
    repeat = np.zeros(len(table), dtype=np.int64) if table.repeat is None else table.repeat
    order = np.lexsort((rows, repeat, place))
    same = np.diff(place[order]) == 0
    doubled = order[1:][same & (np.diff(repeat[order]) == 0)]
    if len(doubled):
        row = int(doubled.min())
        raise InputError(
            f"annotator {table.annotator.names[table.annotator.codes[row]]!r} has two labels on item "
            f"{table.item.names[table.item.codes[row]]!r}; expected one, or a column `repeat` that numbers "
            "the passes: delete one row or add the column"
        )
    first = np.sort(order[np.concatenate(([True], ~same))])
    return first, [Exclusion(what="labels", n=len(table) - len(first), why="repeat by the same annotator")]


def _read_labels(table: LabelTable, kept: Ints, reader: LabelReader) -> tuple[tuple[Value, ...], Ints]:
    """The values under which labels are compared, and for each distinct text the index of its value."""
    codes = table.label.codes[kept]
    first = first_rows(codes, len(table.label.names))
    used = ranked(codes, len(table.label.names))[0] if len(codes) else codes
    read: dict[int, Value] = {}
    for code in sorted(used.tolist(), key=lambda code: int(first[code])):
        item = table.item.names[table.item.codes[kept[first[code]]]]
        read[code] = reader.read(table.label.names[code], item)
    values = reader.values(read.values())
    at = {value: index for index, value in enumerate(values)}
    of_label = np.full(max(len(table.label.names), 1), MISSING, dtype=np.int64)
    for code, value in read.items():
        of_label[code] = at[value]
    return values, of_label


def _by_name(column: Column, kept: Ints) -> tuple[tuple[str, ...], Ints]:
    """The names in use, sorted, and for each row the index of its name."""
    codes = column.codes[kept]
    used = ranked(codes, len(column.names))[0]
    names = sorted(column.names[code] for code in used.tolist())
    at = {name: place for place, name in enumerate(names)}
    places = np.zeros(len(column.names), dtype=np.int64)
    for code in used.tolist():
        places[code] = at[column.names[code]]
    return tuple(names), places[codes]


def _clusters(table: LabelTable, kept: Ints, place: Ints, names: tuple[str, ...]) -> Ints | None:
    """Cluster of each item, from the table's own column; None without one, or if no two items share any.

    Raises InputError for an item without a cluster, or with two.
    """
    if table.cluster is None or not (table.cluster.codes[kept] != MISSING).any():
        return None
    codes = table.cluster.codes[kept]
    if (codes == MISSING).any():
        raise _no_cluster(names[place[int(np.flatnonzero(codes == MISSING)[0])]])
    of_item = codes[first_rows(place, len(names))]
    torn = np.flatnonzero(of_item[place] != codes)
    if len(torn):
        row = int(torn[0])
        one, other = (table.cluster.names[code] for code in (of_item[place[row]], codes[row]))
        raise InputError(
            f"item {names[place[row]]!r} stands in two clusters, {one!r} and {other!r}; expected one"
        )
    sorted_names, sorted_codes = _by_name(Column(of_item, table.cluster.names), np.arange(len(of_item)))
    return None if len(sorted_names) == len(names) else sorted_codes


def cluster_codes(names: tuple[str, ...], clusters: Clusters) -> Ints | None:
    """Cluster index of each item; None if every item is its own cluster. Raises InputError for an item
    without one.
    """
    given = list(map(clusters.get, names))
    if None in given:
        raise _no_cluster(names[given.index(None)])
    column = Column.of(given)
    if len(column.names) == len(names):
        return None
    return _by_name(column, np.arange(len(names)))[1]


def _no_cluster(item: str) -> InputError:
    return InputError(
        f"item {item!r} has no cluster though others do; name one for each item, or none at all"
    )
