"""Remove small counts from a report; `suppressed_cells` decides which cells of tables are removed.

Text outside tables repeats figures, and anything on single items concerns single patients. So only sentences
without a figure are kept. Removed are tables of single items and of texts alone, plots of tables that lost
cells, examples, and the key figures. Every format of a report is made from what is left.
"""

import re

from clinicnum.annotations.report.report_content import Cell, Report, Section, Table
from clinicnum.annotations.report.suppressed_cells import is_count, withheld_cells
from clinicnum.errors import InputError

WITHHELD = "withheld"
LEAST = 3
"""The lowest limit: below 3, the mark `<N` would reveal the count."""
METHODS = "methods"
"""The id of the section that has paragraphs and no tables."""
TRACE = "the study's rows, which are not given with figures that are withheld"
_TEXTS = ("text", "code", "note")
_SENTENCE = re.compile(r"(?<=[.;:])\s+")


def check_limit(below: int | None) -> None:
    """Raise InputError for a limit below 3."""
    if below is not None and below < LEAST:
        raise InputError(f"--suppress-below {below}: expected {LEAST} or more, commonly 5 or 11")


def suppressed(report: Report, below: int) -> Report:
    """The report without counts from 1 to `below - 1`. Raises InputError for a limit below 3."""
    check_limit(below)
    sections = [_section(one, below) for one in report.sections if not one.examples]
    said = (
        f"small cells: counts of 1 to {below - 1} patients, items or labels read <{below}; further cells are "
        "withheld so that none can be worked out from a sum or a share. Single items, examples and sentences "
        "with figures are left out."
    )
    return report.model_copy(
        update={
            "warnings": (*report.warnings, said),
            "key_figures": (),
            "findings": (),
            "sections": tuple(one for one in sections if one.tables or one.id == METHODS),
        }
    )


def _section(section: Section, below: int) -> Section:
    kept = [table for table in section.tables if _tells_no_single(table)]
    tables = tuple(_table(table, below) for table in kept)
    whole = {one.id for one, before in zip(tables, kept, strict=True) if one.rows == before.rows}
    return section.model_copy(
        update={
            "paragraphs": tuple(filter(None, (_without_figures(one) for one in section.paragraphs))),
            "tables": tables,
            "plots": tuple(plot for plot in section.plots if plot.table in whole),
            "examples": (),
            "side_by_side": (),
            "gaps": (),
        }
    )


def _tells_no_single(table: Table) -> bool:
    """Whether the rows stand for groups: neither for single items, nor for texts alone."""
    single = any(column.key.endswith("_id") for column in table.columns)
    return not single and any(column.kind not in _TEXTS for column in table.columns)


def _table(table: Table, below: int) -> Table:
    gone = withheld_cells(table, below)
    rows = tuple(
        tuple(_cell(table, row, at, number, below, (number, at) in gone) for at in range(len(row)))
        for number, row in enumerate(table.rows)
    )
    return table.model_copy(
        update={"rows": rows, "note": _without_figures(table.note), "trace": TRACE, "value": None}
    )


def _cell(table: Table, row: tuple[Cell, ...], at: int, number: int, below: int, gone: bool) -> Cell:
    cell, column = row[at], table.columns[at]
    if gone and cell is not None:
        small = is_count(column) and isinstance(cell, (int, float)) and 0 < cell < below
        return f"<{below}" if small else WITHHELD
    numbers = next((place for place, one in enumerate(table.columns) if one.kind not in _TEXTS), len(row))
    if isinstance(cell, str) and (column.kind == "note" or at > numbers):
        return _without_figures(cell) or None
    return cell


def _without_figures(text: str) -> str:
    """The sentences and clauses that contain no digit and do not end in a colon."""
    kept = [one for one in _SENTENCE.split(text) if not re.search(r"\d", one) and not one.endswith(":")]
    return re.sub(r";$", ".", " ".join(kept))
