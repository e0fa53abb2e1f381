"""What differs between two reports, as text for a terminal."""

from collections.abc import Iterator

from clinicnum.annotations.report.compare_reports import CellChange, ReportComparison
from clinicnum.annotations.report.format_cells import shown


def comparison_text(found: ReportComparison) -> str:
    """One line per change; if there is none, one line that says so."""
    return "\n".join(_lines(found)) or "the same: no figure, table, plot or text differs"


def _lines(found: ReportComparison) -> Iterator[str]:
    for figure in found.key_figures:
        yield f"{figure.name}: {figure.before or 'not there'} -> {figure.after or 'not there'}"
    for table in found.tables:
        yield f"table {table.table} ({table.caption}) {table.change}"
        yield from (f"  {_cell(one)}" for one in table.cells)
    for plot in found.plots:
        yield f"plot {plot.change}: {plot.name}"
    for text in found.texts:
        yield f"text {text.change}: {text.name}"


def _cell(one: CellChange) -> str:
    before, after = shown(one.before, one.kind), shown(one.after, one.kind)
    if not one.column:
        return f"{one.row}: row {'added' if one.before is None else 'removed'}"
    difference = "" if one.difference is None else f" ({one.difference:+.3g})"
    return f"{one.row}, {one.column}: {before} -> {after}{difference}"
