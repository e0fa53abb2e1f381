"""CSV that no spreadsheet runs: what begins like a formula gets a leading apostrophe.

That is text which begins with `= + - @`, a tab or a carriage return. Text that is a plain number, such as a
gold of `-12.5`, stays one, and cells that hold numbers rather than text are never touched.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

CsvCell = str | int | float | bool | None
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_FORMULA_STARTS = frozenset("=+-@\t\r")


def neutralised(cell: CsvCell) -> CsvCell:
    """The cell, with an apostrophe before text that a spreadsheet would run as a formula."""
    if not isinstance(cell, str) or cell[:1] not in _FORMULA_STARTS or _PLAIN_NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


class _UnixLines:
    """Takes the writer's `\\r\\n` line ends and keeps `\\n`.

    The writer quotes a cell for the characters of its own line end: with `\\n` alone a carriage return in a
    text would stand bare, and readers would break the row there.
    """

    def __init__(self) -> None:
        self.buffer = io.StringIO()

    def write(self, line: str) -> int:
        return self.buffer.write(line.removesuffix("\r\n") + "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> str:
    """CSV with a header, `\\n` line ends, full precision, blank for None, formulas neutralised."""
    lines = _UnixLines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([neutralised(column) for column in columns])
    for row in rows:
        # Few cells need a look: this loop has millions of them in a large study.
        writer.writerow(
            [
                neutralised(cell) if isinstance(cell, str) and cell[:1] in _FORMULA_STARTS else cell
                for cell in row
            ]
        )
    return lines.buffer.getvalue()
