"""A report as one self-contained HTML file and as CSV tables.

The page holds its style sheet and draws its bars inline, and asks no other host for anything. Every text is
escaped: what a model or an annotator wrote is shown, never run.
"""

from annotations.report.exports import CsvCell, csv_text
from annotations.report.model import Cell, Column, ColumnKind, Report, Table

UNDEFINED = "–"


def render_html(report: Report) -> str:
    """The report as one HTML document that opens offline."""
    from importlib import resources

    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("annotations.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = shown
    environment.globals["bar_of"] = bar_of
    environment.globals["notes_of"] = notes_of
    css = resources.files("annotations.report").joinpath("templates/report.css").read_text(encoding="utf-8")
    page = environment.get_template("report.html.j2")
    return page.render(report=report, css=Markup(css))  # noqa: S704 - our own file


def report_csvs(report: Report) -> dict[str, str]:
    """File name -> CSV text, one for each table, in full precision.

    Intervals become two columns; the last column of every table says who annotated.
    """
    return {f"{table.id}.csv": _csv(table, report) for section in report.sections for table in section.tables}


def _csv(table: Table, report: Report) -> str:
    heads = [head for column in table.columns for head in _heads(column)]
    rows = (
        [flat for column, cell in zip(table.columns, row, strict=True) for flat in _flat(column, cell)]
        for row in table.rows
    )
    return csv_text([*heads, "annotator_kind"], ([*row, report.annotator_kind] for row in rows))


def _is_interval(kind: ColumnKind) -> bool:
    return kind.endswith("interval")


def _heads(column: Column) -> tuple[str, ...]:
    return (f"{column.key}_low", f"{column.key}_high") if _is_interval(column.kind) else (column.key,)


def _flat(column: Column, cell: Cell) -> tuple[CsvCell, ...]:
    if _is_interval(column.kind):
        return cell if isinstance(cell, tuple) else (None, None)
    if isinstance(cell, tuple):
        raise ValueError(f"column {column.key} holds an interval but is declared {column.kind}")
    return (cell,)


def shown(cell: Cell, kind: ColumnKind) -> str:
    """A cell as people read it; a dash for what is not there."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, tuple):
        low, high = (_number(end, kind).removesuffix(" %") for end in cell)
        return f"{low} to {high}{' %' if kind == 'share_interval' else ''}"
    if isinstance(cell, str):
        return cell
    return _number(cell, kind)


def _number(value: float, kind: ColumnKind) -> str:
    if kind.startswith("share"):
        return f"{100 * value:.1f} %"
    if kind.startswith("points"):
        return f"{100 * value:+.1f}".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")
    if kind == "count":
        return f"{value:,.0f}".replace(",", "\u202f")
    return f"{value:.3f}".replace("-", "−")


def notes_of(table: Table) -> dict[str, int]:
    """The remarks of a table's `note` columns, numbered in the order they appear."""
    notes: dict[str, int] = {}
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            if column.kind == "note" and isinstance(cell, str):
                notes.setdefault(cell, len(notes) + 1)
    return notes


def bar_of(table: Table, row: tuple[Cell, ...]) -> tuple[float, float | None, float | None] | None:
    """The bar of a row in percent: length, and the ends of its whisker; None where there is no value."""
    if table.bar is None:
        return None
    by_key = dict(zip((column.key for column in table.columns), row, strict=True))
    value, interval = (by_key[key] for key in table.bar)
    if not isinstance(value, (int, float)):
        return None
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return 100 * value, None if low is None else 100 * low, None if high is None else 100 * high
