"""Compare a report with the one rebuilt from the raw rows: which figures differ, and by how much."""

import math
from collections.abc import Iterator
from typing import Any

from clinicnum.annotations.bundle.bundle_file_paths import FIGURES
from clinicnum.annotations.bundle.manifest import Fault
from clinicnum.annotations.report.failure_class_shares import VALUES_ONLY
from clinicnum.annotations.report.report_content import Cell, Report, Table
from clinicnum.annotations.report.sections.failure_signatures import TOO_FEW_RIGHT

TOLERANCE = 1e-9
"""Relative and absolute: another processor may sum in another order, so that the last digits differ."""
MOST_NAMED = 20
_EARLIER_WORDS = (
    ("all of these taken, in ", "drawn by "),
    (" on labels and ticks and settled", " on labels and settled"),
    (", and weighted criteria, which this report lists", ""),
    (
        "no answer is right; the form of wrong ones is not judged",
        "no answer is right, so none can have missed the form alone",
    ),
    (": no test, and an interval that rests on these few", ": no test"),
    ("scored wrong: no answer that is scored right is settled", "scored wrong: no other answer is settled"),
    ("scored right: no answer that is scored wrong is settled", "scored right: no other answer is settled"),
    (
        "every generation is scored wrong, whatever it is",
        "no generation that is scored right is settled",
    ),
    (
        "every generation is scored right, whatever it is",
        "no generation that is scored wrong is settled",
    ),
    (", with its severity if it is a failure", ""),
    ("have two or more ratings", "have two or more"),
    (
        ", no repeats; suggestions",
        ", before each item a chance of 0 % of a repeat of one given more than 20 before, if any is left; "
        "suggestions",
    ),
    (
        ", no blind repeats; suggestions",
        ", before each item a chance of 0 % of a blind repeat of one given more than 20 before, if any is "
        "left; suggestions",
    ),
    (
        "only the value that MedCalc-Bench's script kept was read: lenient does not say whether the model's "
        "text marked it, and flexible is not shown",
        "judged is what MedCalc-Bench's script kept: lenient does not say whether the model's text marked "
        "it; flexible, of the same, is not shown",
    ),
    ("is settled", "was judged"),
    ("not measured: ", "open: "),
    ("; it may show answers of these runs as examples", ""),
    ("judgements that count: ", "population: "),
    (
        "for agreement on the response at first, and for what the scorer is compared with: ",
        "of the judgement of the response, first, and the reference of the scorer: ",
    ),
    ("pairs drawn for annotation", "drawn for annotation"),
    ("drawn for annotation, 1 stratum", "drawn for annotation, 1 strata"),
    ("Same point: no variation: each of", "no variation: each of"),
    ("Middle or lower: no variation: each of", "no variation: each of"),
    ("Points apart: the value is", "the value is"),
    ("Mean: the value is", "the value is"),
    ("Mean: only", "only"),
    (" (group_id) beside another answer", " with another item"),
    (" (group_id)", ""),
    ("no interval of the mean: ", ""),
    ("no interval of the factor: ", ""),
    ("no interval of the comparison: ", ""),
    (", and on variants of these questions", ""),
    (", in whole or in part", ""),
    ("; source: ", ", "),
    (", as imported: whether whole or in part is not recorded", ""),
    (
        "no question has an answer in each of options.shuffle.1 to options.shuffle.5",
        "no question was answered in all five orders",
    ),
    (
        "scripted annotators start from one gold and one score",
        "scripted annotators follow one rule, with errors drawn by chance, once for each annotator and "
        "generation",
    ),
)
"""(present wording, earlier wording) of remarks in tables."""
_MADE_OTHERWISE = frozenset({"planner", "unsaid", "advice_stages"})
"""Tables whose simulations drew other numbers in earlier layouts, that list what a version lacks, or that sum
up the verdicts of another table."""
_NOW_UNDECIDED = (VALUES_ONLY, TOO_FEW_RIGHT)
"""Reasons for which a row gives no share, or no verdict, that earlier layouts gave."""


def different_figures(given: Report, rebuilt: Report) -> tuple[Fault, ...]:
    """One fault for each figure or text that differs from the rebuilt one, at most `MOST_NAMED` of them."""
    found = _differences(given.model_dump(mode="json"), rebuilt.model_dump(mode="json"), _names(given))
    faults = [Fault(file=FIGURES, what=what) for what, _ in zip(found, range(MOST_NAMED), strict=False)]
    return tuple(faults)


def count_figures(report: Report) -> int:
    """Number of cells of the report's tables that hold a number or an interval."""
    rows = [row for section in report.sections for table in section.tables for row in table.rows]
    return sum(isinstance(cell, (int, float, tuple)) for row in rows for cell in row)


def in_earlier_layout(given: Report, rebuilt: Report) -> Report:
    """The report in its earlier layout, with the rows of its tables as this version rebuilds them.

    A table that this version lacks, or makes with other columns, becomes empty, so that it differs. Tables
    that are not comparable between versions stay as given.
    """
    tables = {table.id: table for section in rebuilt.sections for table in section.tables}

    def anew(table: Table) -> Table:
        if table.id in _MADE_OTHERWISE:
            return table
        found = tables.get(table.id)
        same = found is not None and found.keys == table.keys
        rows = found.rows if found is not None and same else ()
        before = table.rows if len(table.rows) == len(rows) else rows
        return table.model_copy(update={"rows": tuple(map(_earlier_row, rows, before))})

    return given.model_copy(
        update={
            "sections": tuple(
                section.model_copy(update={"tables": tuple(map(anew, section.tables))})
                for section in given.sections
            )
        }
    )


def _earlier_row(row: tuple[Cell, ...], given: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """A rebuilt row in earlier words; the given one where only later layouts say that it cannot be told."""
    if any(isinstance(cell, str) and cell.endswith(_NOW_UNDECIDED) for cell in row):
        return given
    return tuple(map(_in_earlier_words, row))


def _in_earlier_words(cell: Cell) -> Cell:
    if isinstance(cell, str):
        for now, then in _EARLIER_WORDS:
            cell = cell.replace(now, then)
    return cell


def _names(report: Report) -> dict[tuple[int, int], Table]:
    return {
        (section, table): named
        for section, part in enumerate(report.sections)
        for table, named in enumerate(part.tables)
    }


def _differences(given: Any, rebuilt: Any, tables: dict[tuple[int, int], Table]) -> Iterator[str]:
    for path, one, other in _walk(given, rebuilt, ()):
        yield f"{_place(path, tables)} is {_short(one)}, but the raw rows give {_short(other)}"


_Path = tuple[str | int, ...]


def _walk(one: Any, other: Any, path: _Path) -> Iterator[tuple[_Path, Any, Any]]:
    """Yield the leaves, or whole branches of different shape, in which the JSON trees `one` and `other`
    differ.
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _walk(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _walk(left, right, (*path, at))
    elif not _same(one, other):
        yield path, one, other


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def _place(path: _Path, tables: dict[tuple[int, int], Table]) -> str:
    match path:
        case ("sections", int(section), "tables", int(at), "rows", int(row), int(column), *_):
            table = tables[section, at]
            return f"table {table.id}, row {row + 1} ({_row_name(table, row)}), {table.columns[column].key}"
        case ("sections", int(section), "tables", int(at), *rest):
            return f"table {tables[section, at].id}, {_dotted(rest)}"
        case _:
            return _dotted(path)


def _row_name(table: Table, row: int) -> str:
    return ", ".join(cell for cell in table.rows[row][:2] if isinstance(cell, str)) or "no name"


def _dotted(path: _Path | list[str | int]) -> str:
    return ".".join(str(part) for part in path)


def _short(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return f"{len(value)} entries"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
