"""XLSX workbooks in which no text can run as a formula; formulas are neutralised as in CSV.

The same rows give the same bytes: the file holds no time.
"""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clinicnum.annotations.report.csv_without_formulas import CsvCell, neutralised
from clinicnum.errors import InputError
from clinicnum.optional_dependencies import explain_missing

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
"""Limits of the format: rows per sheet, including the heading, and characters per cell."""
_CUT = " … cut: a cell holds 32,767 characters; whole in the CSV"
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]|^'|'$")


@dataclass(frozen=True)
class Sheet:
    """One sheet with a frozen heading row that has a filter."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[CsvCell]]
    formats: tuple[str, ...] = ()
    """Number format of each column; without any, `General`."""
    widths: tuple[int, ...] = ()
    """Width of each column in characters; without any, by the heading."""


def workbook_bytes(sheets: Iterable[Sheet]) -> bytes:
    """The sheets as one XLSX file.

    Raises InputError for more rows than a sheet can hold, MissingExtra without xlsxwriter.
    """
    with explain_missing():
        from xlsxwriter import Workbook

    sheets = tuple(sheets)
    for sheet in sheets:
        if len(sheet.rows) >= MOST_ROWS:
            raise InputError(
                f"sheet {sheet.title!r}: {len(sheet.rows):,} rows, but XLSX holds {MOST_ROWS - 1:,}; "
                "export as csv or parquet"
            )
    saved = io.BytesIO()
    with Workbook(saved, {"in_memory": True, "nan_inf_to_errors": True}) as book:
        book.set_properties({"author": "clinicnum", "created": _NO_TIME})
        titles: set[str] = set()
        for sheet in sheets:
            title = _free_title(sheet.title, titles)
            _fill(book, book.add_worksheet(title), sheet)
    return saved.getvalue()


def _fill(book: "Workbook", target: "Worksheet", sheet: Sheet) -> None:
    heading = book.add_format({"bold": True, "valign": "top", "text_wrap": True})
    kinds = {shape: book.add_format({"num_format": shape}) for shape in sorted(set(sheet.formats))}
    formats = [kinds[shape] for shape in sheet.formats] or [None] * len(sheet.heads)
    widths = sheet.widths or tuple(min(max(len(head) + 4, 10), 60) for head in sheet.heads)
    for at, (head, width) in enumerate(zip(sheet.heads, widths, strict=True)):
        target.set_column(at, at, width)
        target.write_string(0, at, _text(head), heading)
    for line, row in enumerate(sheet.rows, start=1):
        for at, (value, shape) in enumerate(zip(row, formats, strict=True)):
            if isinstance(value, str):
                # Never `write`: it takes text for formulas, links and numbers.
                target.write_string(line, at, _text(value))
            elif isinstance(value, bool):
                target.write_boolean(line, at, value, shape)
            elif value is not None:
                target.write_number(line, at, value, shape)
    target.freeze_panes(1, 0)
    target.autofilter(0, 0, len(sheet.rows), len(sheet.heads) - 1)


def _text(text: str) -> str:
    """The text as a cell can hold it: characters that XML forbids become `�`, and long texts are cut and
    marked.
    """
    safe = _NOT_IN_XML.sub("\ufffd", str(neutralised(text)))
    return safe if len(safe) <= MOST_CHARACTERS else safe[: MOST_CHARACTERS - len(_CUT)] + _CUT


def _free_title(wanted: str, taken: set[str]) -> str:
    """A valid sheet title: at most 31 characters, none of the forbidden ones, unique regardless of case."""
    plain = _NOT_IN_TITLES.sub("_", wanted)[:31] or "sheet"
    title, number = plain, 1
    while title.lower() in taken:
        number += 1
        title = f"{plain[: 30 - len(str(number))]}~{number}"
    taken.add(title.lower())
    return title
