"""Tables of `clinicnum.tables` in the form of the report, from which every file of them is made."""

from collections.abc import Mapping, Sequence

from clinicnum.annotations.report.latex import table_latex
from clinicnum.annotations.report.markdown import table_markdown
from clinicnum.annotations.report.render_html_and_csv import table_csv
from clinicnum.annotations.report.report_content import Cell, Column, ColumnKind, Table
from clinicnum.annotations.report.sections.share_cells import figure_cells, remarks_by_column
from clinicnum.credentialed_data import COLUMN
from clinicnum.tables import Measure, PaperTable, Row

KINDS: Mapping[str, tuple[ColumnKind, ColumnKind]] = {
    "share": ("share", "share_interval"),
    "points": ("points", "points_interval"),
    "number": ("number", "interval"),
    "count": ("rate", "rate_interval"),
}
"""Unit of a measure -> kind of its column, and of its interval's."""
FILES_TRACE = "the generations and scores, and the benchmark's instances"
MARKDOWN = "tables.md"


def report_table(one: PaperTable, *, trace: str = FILES_TRACE, detail: bool = False) -> Table:
    """A table of `clinicnum.tables` in the report's form, with interval and n of every figure, and the
    reasons for missing ones.

    `trace` says what it is counted from; `detail`: whether the page collapses it.
    """
    texts = [Column(key=key, label=label, once=key == "model") for key, label in one.texts]
    figures = [column for measure in one.measures for column in _columns(measure)]
    labels = [measure.label for measure in one.measures]
    return Table(
        id=one.name,
        caption=one.caption,
        note=one.note,
        trace=trace,
        columns=(*texts, *figures, Column(key="remark", label="Note", kind="note")),
        rows=tuple(_cells(row, labels) for row in one.rows),
        total="operation" if any(key == "operation" for key, _ in one.texts) else None,
        detail=detail,
    )


def _columns(measure: Measure) -> tuple[Column, ...]:
    kind, interval = KINDS[measure.unit]
    return (
        Column(key=measure.key, label=measure.label, kind=kind),
        Column(key=f"{measure.key}_ci95", label="95 % interval", kind=interval, under=True),
        Column(key=f"{measure.key}_n", label="n", kind="count", under=True),
    )


def _cells(row: Row, labels: Sequence[str]) -> tuple[Cell, ...]:
    """The cells of a row; `labels` are the headings of its figures."""
    figures = [cell for figure in row.figures for cell in figure_cells(figure)]
    return *row.texts, *figures, remarks_by_column(dict(zip(labels, row.figures, strict=True)))


def tables_markdown(tables: tuple[PaperTable, ...], data_use: str | None) -> str:
    """All tables as one Markdown text; those that cannot be made, with the reason."""
    parts = [f"> **{data_use}**"] if data_use else []
    for one in tables:
        if one.undefined is None:
            parts += table_markdown(report_table(one))
        else:
            parts += [f"**{one.caption}**", f"Not made: {one.undefined}."]
    return "\n\n".join(parts) + "\n"


def table_files(tables: tuple[PaperTable, ...], data_use: str | None) -> dict[str, str]:
    """File name -> text: all as Markdown, and a CSV and a LaTeX table of each that has rows."""
    files = {MARKDOWN: tables_markdown(tables, data_use)}
    for one in tables:
        if one.undefined is None:
            made = report_table(one)
            files[f"{one.name}.csv"] = table_csv(made, {"data_use": COLUMN} if data_use else {})
            files[f"{one.name}.tex"] = table_latex(made)
    return files
