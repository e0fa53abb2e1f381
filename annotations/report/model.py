"""A report before it is rendered: sections of tables and examples, in values, not in markup.

HTML and CSV are two views of the same tables, so a figure cannot differ between them.
"""

from typing import Literal

from clinicnum.credentialed import MARK
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
    "p",
]


class Column(Frozen):
    """One column: its key in CSV, its heading, and what its cells are."""

    key: str
    label: str
    kind: ColumnKind = "text"
    """`share` is 0 to 1, `points` a difference of shares; an interval is a pair of such, or of numbers.
    `note` is a remark that many rows share: a number on the page, explained once below the table. `p` is a
    p-value."""
    group: str | None = None
    """A heading that it shares with its neighbours."""
    under: bool = False
    """Shown in small print below the column before it: an interval, an n, a p-value."""
    once: bool = False
    """Left off the page where all rows agree; CSV always has it."""


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
    """Key of the column without which a row says nothing but why; the page lists such rows below."""
    total: str | None = None
    """Key of the column in which `all` marks a sum; such rows stand apart."""
    detail: bool = False
    """Folded away on the page, below the section's other tables."""

    def cell(self, row: tuple[Cell, ...], key: str) -> Cell:
        """What a row holds in the column of that key. Raises StopIteration if there is no such column."""
        return row[next(at for at, column in enumerate(self.columns) if column.key == key)]


class Dot(Frozen):
    """One value with its interval, in a row and in a series of a plot."""

    row: str
    series: str
    value: float
    interval: tuple[float, float] | None


class Plot(Frozen):
    """A picture of figures that stand in a table; it holds none that the table lacks."""

    id: str
    kind: Literal["dots", "reliability"]
    """`dots`: values with intervals, a row each. `reliability`: accuracy (`value`) by confidence (`row`)."""
    caption: str
    alt: str
    """What one sees, in words, for those who do not."""
    table: str
    """Id of the table that has the figures."""
    unit: Literal["share", "points", "number"] = "share"
    dots: tuple[Dot, ...]
    line: tuple[float, str] | None = None
    """A value to compare with, and its name."""


class Gap(Frozen):
    """Something that a report of this kind can say and this one cannot."""

    what: str
    why: str


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
    table: str | None = None
    """Id of the table that it comes from."""


class Section(Frozen):
    """One part of the report."""

    id: str
    title: str
    holds_labels: bool = True
    """Whether its tables rest on annotators' labels; they then say so where annotators are simulated."""
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    examples: tuple[Example, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """What it cannot say, and why: all sections' gaps end up in one list."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but gaps."""
        return not (self.paragraphs or self.tables or self.examples)


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

    @property
    def data_use(self) -> str | None:
        """The warning about credentialed data, if the study's are."""
        return next((one for one in self.warnings if one.startswith(MARK)), None)
