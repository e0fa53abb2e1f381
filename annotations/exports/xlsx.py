"""Workbooks that open anywhere and run nothing: text is text, and formulas are neutralised as in CSV.

The bytes depend on the rows alone: a workbook holds no clock.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clinicnum.annotations.report.csv_text import CsvCell, neutralised
from clinicnum.errors import InputError

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
"""Limits of the format: rows of a sheet, its heading among them, and characters of a cell."""
_CUT = " … cut: a cell holds 32,767 characters; whole in the CSV"
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_MISREAD = frozenset("=#")
"""openpyxl takes text with such a start for a formula, or for an error such as `#N/A`."""
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")


@dataclass(frozen=True)
class Sheet:
    """One sheet: a heading row, frozen and with a filter, and rows below it."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[CsvCell]]
    formats: tuple[str, ...] = ()
    """Number format of each column; none is `General`."""
    widths: tuple[int, ...] = ()
    """Width of each column in characters; none is by the heading."""


def workbook_bytes(sheets: Iterable[Sheet]) -> bytes:
    """The sheets as one XLSX file. Raises InputError for more rows than a sheet can hold."""
    from openpyxl import Workbook

    sheets = tuple(sheets)
    for sheet in sheets:
        if len(sheet.rows) >= MOST_ROWS:
            raise InputError(
                f"sheet {sheet.title!r}: {len(sheet.rows):,} rows, but XLSX holds {MOST_ROWS - 1:,}; "
                "export as csv or parquet"
            )
    book = Workbook(write_only=True)
    book.properties.created = _NO_TIME
    book.properties.creator = "clinicnum"
    titles: set[str] = set()
    for sheet in sheets:
        title = _free_title(sheet.title, titles)
        _fill(book.create_sheet(title), sheet)
    saved = io.BytesIO()
    book.save(saved)
    return _without_clock(saved.getvalue())


def _fill(target: "WriteOnlyWorksheet", sheet: Sheet) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    formats = sheet.formats or ("General",) * len(sheet.heads)
    widths = sheet.widths or tuple(min(max(len(head) + 4, 10), 60) for head in sheet.heads)
    for at, width in enumerate(widths, start=1):
        target.column_dimensions[get_column_letter(at)].width = width
    target.freeze_panes = "A2"

    def cell(value: CsvCell, shape: str) -> Any:
        """The bare value where that is enough: a cell object costs several times as much."""
        if isinstance(value, str):
            text = _text(value)
            if text[:1] not in _MISREAD:
                return text
            made = WriteOnlyCell(target, value=text)
            made.data_type = "s"
            return made
        if shape == "General" or value is None:
            return value
        made = WriteOnlyCell(target, value=value)
        made.number_format = shape
        return made

    heads = [WriteOnlyCell(target, value=_text(head)) for head in sheet.heads]
    for head in heads:
        head.data_type = "s"
        head.font, head.alignment = Font(bold=True), Alignment(vertical="top", wrap_text=True)
    target.append(heads)
    for row in sheet.rows:
        target.append([cell(value, shape) for value, shape in zip(row, formats, strict=True)])
    target.auto_filter.ref = f"A1:{get_column_letter(len(sheet.heads))}{len(sheet.rows) + 1}"


def _text(text: str) -> str:
    """Text as a cell can hold it: what XML forbids is shown as `�`, what is too long is cut and says so."""
    safe = _NOT_IN_XML.sub("\ufffd", str(neutralised(text)))
    return safe if len(safe) <= MOST_CHARACTERS else safe[: MOST_CHARACTERS - len(_CUT)] + _CUT


def _free_title(wanted: str, taken: set[str]) -> str:
    """A title that the format takes: 31 characters, a few forbidden, unique whatever the case."""
    plain = _NOT_IN_TITLES.sub("_", wanted)[:31] or "sheet"
    title, number = plain, 1
    while title.lower() in taken:
        number += 1
        title = f"{plain[: 30 - len(str(number))]}~{number}"
    taken.add(title.lower())
    return title


def _without_clock(saved: bytes) -> bytes:
    """The same archive with one fixed time, in its entries and in its properties."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                stamp = b"\\g<1>" + _NO_TIME.isoformat().encode() + b"Z<"
                content = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*<", stamp, content)
            entry = zipfile.ZipInfo(name, date_time=(2000, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)
    return out.getvalue()
