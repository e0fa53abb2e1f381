"""A report before it is rendered: sections of tables and examples, in values, not in markup.

HTML and CSV are two views of the same tables, so a figure cannot differ between them.
"""

from typing import Literal

from clinicnum.types import Frozen

Cell = str | int | float | tuple[float, float] | None
ColumnKind = Literal[
    "text",
    "code",
    "note",
    "count",
    "share",
    "points",
    "number",
    "interval",
    "share_interval",
    "points_interval",
]


class Column(Frozen):
    """One column: its key in CSV, its heading, and what its cells are."""

    key: str
    label: str
    kind: ColumnKind = "text"
    """`share` is 0 to 1, `points` a difference of shares; an interval is a pair of such, or of numbers.
    `note` is a remark that many rows share: a number on the page, explained once below the table."""


class Table(Frozen):
    """One table with what a reader needs to trace it: n, unit, and where its rows come from."""

    id: str
    """Also the name of its CSV."""
    caption: str
    note: str
    """The unit and every n."""
    trace: str
    """From which export, through which columns, the figures can be counted again."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bar: tuple[str, str] | None = None
    """Keys of a share and its interval, drawn as a bar beside the figures."""
    value: str | None = None
    """Key of the column without which a row says nothing but why; such rows are dimmed."""

    def value_at(self) -> int:
        """Place of the column `value`. Raises StopIteration if there is none."""
        return next(at for at, column in enumerate(self.columns) if column.key == self.value)


class Span(Frozen):
    """A stretch of a text, marked as evidence or not."""

    text: str
    marked: bool


class Opinion(Frozen):
    """What one annotator decided about an example."""

    annotator: str
    kind: str
    judgement: str
    labels: str
    severity: str
    rationale: str


class Example(Frozen):
    """One failure, whole: what was asked, what was said, what was found."""

    title: str
    generation_id: str
    facts: tuple[tuple[str, str], ...]
    record_heads: tuple[str, ...]
    records: tuple[tuple[str, ...], ...]
    evidence: tuple[tuple[int, int], ...]
    """(row, column) of the cells that the gold rests on."""
    question: str
    text: tuple[Span, ...]
    opinions: tuple[Opinion, ...]


class KeyFigure(Frozen):
    """One number for the head of the report."""

    label: str
    value: str
    note: str


class Section(Frozen):
    """One part of the report."""

    id: str
    title: str
    holds_labels: bool = True
    """Whether its tables rest on annotators' labels; they then say so where annotators are simulated."""
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    examples: tuple[Example, ...] = ()


class Report(Frozen):
    """The whole report."""

    title: str
    study: str
    annotator_kind: str
    """`human`, `simulated`, `human+simulated` or `none`: stands in every table and export."""
    warnings: tuple[str, ...]
    """Shown first, before the title; the first one is `simulated: ...` where that is so."""
    key_figures: tuple[KeyFigure, ...]
    sections: tuple[Section, ...]
    generated_by: str
