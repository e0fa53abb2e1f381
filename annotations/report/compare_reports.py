"""What differs between two reports: key figures, tables cell by cell, plots and texts.

A row is recognised by its texts before its first figure, so that a row that was added does not make all rows
below it differ.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from clinicnum.annotations.report.report_content import Cell, Column, ColumnKind, Report, Section, Table
from clinicnum.types import Frozen

TOLERANCE = 1e-9
_NAMING = ("text", "code")
Change = Literal["added", "removed", "changed"]


class CellChange(Frozen):
    """A cell that differs; None: empty or missing."""

    row: str
    column: str
    """The column's heading; empty for a whole row that was added or removed."""
    kind: ColumnKind
    before: Cell
    after: Cell

    @property
    def difference(self) -> float | None:
        """After minus before; None unless both are numbers."""
        if isinstance(self.before, (int, float)) and isinstance(self.after, (int, float)):
            return self.after - self.before
        return None


class TableChange(Frozen):
    """A table that differs."""

    section: str
    table: str
    caption: str
    change: Change
    cells: tuple[CellChange, ...] = ()


class FigureChange(Frozen):
    """A key figure, a plot or a section's text that differs; texts are whole."""

    name: str
    change: Change
    before: str = ""
    after: str = ""


class ReportComparison(Frozen):
    """All that differs between two reports."""

    key_figures: tuple[FigureChange, ...]
    tables: tuple[TableChange, ...]
    plots: tuple[FigureChange, ...]
    texts: tuple[FigureChange, ...]
    """Sections whose paragraphs, examples or gaps differ."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not (self.key_figures or self.tables or self.plots or self.texts)


def compare_reports(before: Report, after: Report) -> ReportComparison:
    """What differs between two reports, in the order of the later one."""
    return ReportComparison(
        key_figures=_figures(_cards(before), _cards(after)),
        tables=tuple(_tables(before, after)),
        plots=_figures(_plots(before), _plots(after), said=False),
        texts=_figures(_texts(before), _texts(after), said=False),
    )


def _cards(report: Report) -> dict[str, str]:
    return {one.label: f"{one.value} ({one.note})" for one in report.key_figures}


def _plots(report: Report) -> dict[str, str]:
    return {plot.caption: plot.model_dump_json() for plot in report.plots}


def _texts(report: Report) -> dict[str, str]:
    keep = {"paragraphs", "examples", "side_by_side", "gaps"}
    texts = {one.title: one.model_dump_json(include=keep) for one in report.sections}
    found = "; ".join(one.text for one in report.findings)
    return texts | {"findings": found, "warnings": "; ".join(report.warnings)}


def _figures(
    before: Mapping[str, str], after: Mapping[str, str], *, said: bool = True
) -> tuple[FigureChange, ...]:
    """The names whose texts differ; with the texts themselves if `said`."""
    return tuple(
        FigureChange(
            name=name,
            change=_change(name in before, name in after),
            before=before.get(name, "") if said else "",
            after=after.get(name, "") if said else "",
        )
        for name in _names(before, after)
        if before.get(name) != after.get(name)
    )


def _names(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return [*after, *(name for name in before if name not in after)]


def _change(there: bool, here: bool) -> Change:
    if there and here:
        return "changed"
    return "added" if here else "removed"


def _tables(before: Report, after: Report) -> Iterator[TableChange]:
    old, new = _by_id(before), _by_id(after)
    for name in _names(old, new):
        section, table = new.get(name) or old[name]
        about = {"section": section.title, "table": name, "caption": table.caption}
        if name not in old or name not in new:
            yield TableChange(**about, change=_change(name in old, name in new))
        elif cells := tuple(_cells(old[name][1], table)):
            yield TableChange(**about, change="changed", cells=cells)


def _by_id(report: Report) -> dict[str, tuple[Section, Table]]:
    return {table.id: (section, table) for section in report.sections for table in section.tables}


def _cells(before: Table, after: Table) -> Iterator[CellChange]:
    old, new = _rows(before), _rows(after)
    columns: dict[str, Column] = {one.key: one for one in (*after.columns, *before.columns)}
    headings = {key: _heading(one) for key, one in columns.items()}
    for row in _names(old, new):
        if row not in old or row not in new:
            there, here = ("there" if row in side else None for side in (old, new))
            yield CellChange(row=row, column="", kind="text", before=there, after=here)
            continue
        for key, column in columns.items():
            one, other = old[row].get(key), new[row].get(key)
            if not _same(one, other):
                yield CellChange(row=row, column=headings[key], kind=column.kind, before=one, after=other)


def _heading(column: Column) -> str:
    return f"{column.group}: {column.label}" if column.group else column.label


def _rows(table: Table) -> dict[str, dict[str, Cell]]:
    """Name of each row -> its cells by column; rows of the same name are numbered."""
    figures = (at for at, column in enumerate(table.columns) if column.kind not in _NAMING)
    first = next(figures, len(table.columns))
    seen: Counter[str] = Counter()
    rows: dict[str, dict[str, Cell]] = {}
    for row in table.rows:
        name = _row_name(row[: first or 1])
        seen[name] += 1
        key = name if seen[name] == 1 else f"{name} ({seen[name]})"
        rows[key] = dict(zip((one.key for one in table.columns), row, strict=True))
    return rows


def _row_name(cells: Sequence[Cell]) -> str:
    return ", ".join(str(cell) for cell in cells if cell is not None) or "–"


def _same(one: Cell, other: Cell) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(_same(left, right) for left, right in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return one == other
