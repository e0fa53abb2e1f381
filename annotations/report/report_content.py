"""The content of a report before rendering: sections with tables, plots and examples, as plain values.

HTML and CSV are made from the same tables, so that figures are the same in both.
"""

from typing import Literal

from clinicnum.credentialed_data import MARK
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
    """One column: key in CSV, heading, and kind of values."""

    key: str
    label: str
    kind: ColumnKind = "text"
    """`share` is 0 to 1, `points` a difference of shares; an interval is a pair of such, or of numbers.
    `note` is a remark that many rows share: a number on the page, explained once below the table. `p` is a
    p-value."""
    group: str | None = None
    """A heading above this and neighbouring columns."""
    under: bool = False
    """Shown in small print below the column before it: an interval, an n, a p-value."""
    once: bool = False
    """Hidden on the page if all rows have the same value; CSV always has it."""


class Table(Frozen):
    """One table, with its unit, its n and the source of its rows."""

    id: str
    """Id of the table, and the name of its CSV file."""
    caption: str
    note: str
    """The unit and every n."""
    trace: str
    """The exported file and columns from which the figures can be recomputed."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bar: tuple[str, str] | None = None
    """Keys of a share and its interval, drawn as a bar beside the figures."""
    value: str | None = None
    """Key of the main column; the page lists rows without a value in it below the table, with the reason."""
    total: str | None = None
    """Key of the column in which `all` marks a total row; total rows are set apart."""
    detail: bool = False
    """Collapsed on the page, below the section's other tables."""

    def cell(self, row: tuple[Cell, ...], key: str) -> Cell:
        """A row's value in the column with this key. Raises StopIteration if there is no such column."""
        return row[next(at for at, column in enumerate(self.columns) if column.key == key)]


class Dot(Frozen):
    """One plotted value with its interval, in a row and a series."""

    row: str
    series: str
    value: float
    interval: tuple[float, float] | None


class Plot(Frozen):
    """A plot of figures from a table."""

    id: str
    kind: Literal["dots", "reliability"]
    """`dots`: values with intervals, a row each. `reliability`: accuracy (`value`) by confidence (`row`)."""
    caption: str
    alt: str
    """The alternative text."""
    table: str
    """Id of the table with the figures."""
    unit: Literal["share", "points", "number"] = "share"
    dots: tuple[Dot, ...]
    line: tuple[float, str] | None = None
    """A value to compare with, and its name."""


class Gap(Frozen):
    """Something that this report cannot state, and why."""

    what: str
    why: str


class Span(Frozen):
    """A part of a text, marked as evidence or not."""

    text: str
    marked: bool


class Opinion(Frozen):
    """One annotator's judgement of an example."""

    annotator: str
    kind: str
    judgement: str
    labels: str
    severity: str
    rationale: str


class Example(Frozen):
    """One failure in full: question, response, and the annotators' judgements."""

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
    """One number shown at the top of the report."""

    label: str
    value: str
    note: str
    table: str | None = None
    """Id of the table from which it comes."""


class Section(Frozen):
    """One part of the report."""

    id: str
    title: str
    holds_labels: bool = True
    """Whether its tables are based on annotators' labels, and so must say if annotators are simulated."""
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    examples: tuple[Example, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """What the section cannot state, and why; the report lists the gaps of all sections together."""

    @property
    def is_empty(self) -> bool:
        """Whether the section has no content besides gaps."""
        return not (self.paragraphs or self.tables or self.examples)


class Report(Frozen):
    """The whole report."""

    title: str
    study: str
    annotator_kind: str
    """`human`, `simulated`, `human+simulated` or `none`; repeated in every table and export."""
    warnings: tuple[str, ...]
    """Shown above the title; the first is `simulated: ...` if any annotator is simulated."""
    key_figures: tuple[KeyFigure, ...]
    sections: tuple[Section, ...]
    generated_by: str

    @property
    def data_use(self) -> str | None:
        """The warning about credentialed data, if the study's data are credentialed."""
        return next((one for one in self.warnings if one.startswith(MARK)), None)
