"""CSV in which spreadsheets find no formulas: an apostrophe is put before anything that looks like one.

That is text that begins with `= + - @`, of normal or full width, after any blanks, quotes or invisible
characters; and the same after a semicolon, tab or line end within a text, where a program with another
separator would start a cell. A plain number, such as a gold of `-12.5`, and a single plus or minus stay as
they are, and cells that hold numbers rather than text are never changed.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

CsvCell = str | int | float | bool | None
_ENDS = ";\t\r\n"
"""Characters besides the comma that some programs take as the end of a cell."""
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_UNSEEN = "\\s\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff"
_HARMLESS = rf"(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-])[^\S{_ENDS}]*(?:[{_ENDS}]|\Z)"
_LIVE = re.compile(rf'(?:\A|(?<=[{_ENDS}]))(?:(?![{_ENDS}])["{_UNSEEN}])*(?!{_HARMLESS}){_SIGN}')


def neutralised(cell: CsvCell) -> CsvCell:
    """The cell with an apostrophe before each position where a spreadsheet would start a formula."""
    if not isinstance(cell, str) or _begins_plainly(cell):
        return cell
    return _LIVE.sub(r"'\g<0>", cell)


def _begins_plainly(cell: str) -> bool:
    """A quick check that a cell cannot start a formula, since large studies have millions of cells."""
    return cell[:1].isalnum() and not (";" in cell or "\n" in cell or "\t" in cell or "\r" in cell)


class _UnixLines:
    r"""Takes the writer's `\r\n` line ends and keeps `\n`.

    The writer quotes a cell that contains a character of its own line end: with `\n` alone, a carriage return
    in a text would not be quoted, and readers would break the row there.
    """

    def __init__(self) -> None:
        self.buffer = io.StringIO()

    def write(self, line: str) -> int:
        return self.buffer.write(line.removesuffix("\r\n") + "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> str:
    """CSV with a header, `\\n` line ends, full precision, blank for None, formulas neutralised."""
    lines = _UnixLines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(map(neutralised, columns))
    for row in rows:
        writer.writerow(map(neutralised, row))
    return lines.buffer.getvalue()
