"""The content of a report before rendering: sections with tables, plots and examples, as plain values.

HTML and CSV are made from the same tables, so that figures are the same in both.
"""

from typing import Literal

from pydantic import Field

from clinicnum.credentialed_data import MARKS
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
    "rate",
    "interval",
    "rate_interval",
    "share_interval",
    "points_interval",
    "p",
]

LAYOUT = 5
"""Version of the layout; raised when reports of older bundles would look different."""


class Column(Frozen):
    """One column: key in CSV, heading, and kind of values."""

    key: str
    label: str
    kind: ColumnKind = "text"
    """`share` is 0 to 1, `points` a difference of shares; an interval is a pair of such, or of numbers.
    `note` is a remark that many rows share: a number on the page, explained once below the table. `p` is a
    p-value, `rate` a number per 100."""
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
    in_files: bool = False
    """Whether only the files have its rows: the page names it, and links to its CSV."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the columns."""
        return tuple(column.key for column in self.columns)

    def cell(self, row: tuple[Cell, ...], key: str) -> Cell:
        """A row's value in the column with this key. Raises StopIteration if there is no such column."""
        return row[next(at for at, column in enumerate(self.columns) if column.key == key)]


class Dot(Frozen):
    """One plotted value with its interval, in a row and a series."""

    row: str
    series: str
    value: float
    interval: tuple[float, float] | None
    count: int | None = None
    """Shown with the share in cells of heat maps; None in other plots."""


class Plot(Frozen):
    """A plot of figures from a table."""

    id: str
    kind: Literal["dots", "panels", "heat", "reliability"]
    """`dots`: values with intervals, a row each. `panels`: the same, with a panel for each series.
    `heat`: a cell for each row and series. `reliability`: accuracy (`value`) by confidence (`row`)."""
    caption: str
    alt: str
    """The alternative text."""
    table: str
    """Id of the table with the figures."""
    unit: Literal["share", "points", "number"] = "share"
    dots: tuple[Dot, ...]
    line: tuple[float, str] | None = None
    """(value, name) of a reference line."""
    series: tuple[str, ...] = ()
    """All columns of a heat map; one without dots is shown as not observed."""
    marked: tuple[tuple[str, str], ...] = ()
    """At most two highlighted rows, each with a description."""
    limits: tuple[float, float] | None = Field(default=None, exclude_if=lambda ends: ends is None)
    """The ends of an axis of numbers, where all values lie on one scale; None: from 0."""


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


class ShownAnswer(Frozen):
    """One of several answers to a question."""

    model: str
    generation_id: str
    verdict: str
    text: str
    """The whole text, or beginning and end with a note on what was cut."""


class SideBySide(Frozen):
    """A question that some models answer right and others wrong, with an answer of either."""

    title: str
    instance_id: str
    question: str
    facts: tuple[tuple[str, str], ...]
    answers: tuple[ShownAnswer, ...]


class Finding(Frozen):
    """A few plain sentences on what the study found."""

    topic: str
    text: str
    table: str
    """Id of the table with most of the figures."""
    more_tables: tuple[str, ...] = ()
    """Ids of tables that have the others."""
    holds_labels: bool = False
    """Whether it uses labels, so that simulated annotators must be mentioned."""


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
    """Whether its tables use annotators' labels, so that simulated annotators must be mentioned."""
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    examples: tuple[Example, ...] = ()
    side_by_side: tuple[SideBySide, ...] = ()
    main: bool = False
    """Whether it belongs to the main part of the report, which is printed; else to the supplement."""
    gaps: tuple[Gap, ...] = ()
    """What the section cannot state, and why; the report lists the gaps of all sections together."""

    @property
    def is_empty(self) -> bool:
        """Whether the section has no content besides gaps."""
        return not (self.paragraphs or self.tables or self.examples or self.side_by_side)


class Report(Frozen):
    """The whole report."""

    title: str
    study: str
    annotator_kind: str
    """`human`, `simulated`, `human+simulated` or `none`; repeated in every table and export."""
    warnings: tuple[str, ...]
    """Shown above the title; the first is `simulated: ...` if any annotator is simulated."""
    key_figures: tuple[KeyFigure, ...]
    findings: tuple[Finding, ...] = ()
    sections: tuple[Section, ...]
    generated_by: str
    layout: int = 1
    """Layout version; reports of bundles without one have version 1."""

    @property
    def main(self) -> tuple[Section, ...]:
        """The sections of the main part, which is printed; all sections if none is marked as main."""
        return tuple(one for one in self.sections if one.main or not self._parted)

    @property
    def supplement(self) -> tuple[Section, ...]:
        """All other sections."""
        return tuple(one for one in self.sections if self._parted and not one.main)

    @property
    def _parted(self) -> bool:
        return any(one.main for one in self.sections)

    @property
    def plots(self) -> tuple[Plot, ...]:
        """The plots of all sections."""
        return tuple(plot for section in self.sections for plot in section.plots)

    @property
    def data_use(self) -> str | None:
        """The warning about credentialed data; None if the study's data are open."""
        return next((one for one in self.warnings if one.startswith(MARKS)), None)
