"""Read the rows of a file from another program, and report all faulty rows in one line."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from clinicnum.errors import InputError
from clinicnum.imports.row_errors import (
    CORRECT_ROW,
    LISTED,
    FaultyRows,
    Row,
    RowError,
    RowProblem,
    shortened,
)
from clinicnum.io.text_lines import MAX_LINE, Progress, no_progress, text_lines
from clinicnum.translatable_text import Translatable

R = TypeVar("R", bound="Row")
T = TypeVar("T")

MOST_COLUMNS = 1_000
DELIMITERS = ",;\t"


class EnoughRead(Exception):
    """Raised by a progress callback to end the reading early, as if the file ended there."""


class Beginning:
    """A progress callback that ends the reading when `limit` bytes were read; `read` counts them."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.read = 0

    def __call__(self, count: int) -> None:
        if self.read >= self.limit:
            raise EnoughRead
        self.read += count


@dataclass(frozen=True, slots=True)
class Cells(Row):
    """One row of a CSV."""

    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Line(Row):
    """One line of JSON, not parsed yet."""

    text: str


def checked_rows(rows: Iterable[R], make: Callable[[R], T | None]) -> Iterator[T]:
    """Yield `make(row)` for each row up to the first faulty one; None is left out.

    Raises FaultyRows after the last row if `make` raised a RowError for any row.
    """
    problems: list[RowProblem] = []
    count = 0
    for row in _until_enough(rows):
        try:
            made = make(row)
        except RowError as error:
            count += 1
            if len(problems) <= LISTED:
                problems.append(RowProblem(row.place, row.number, error.text, error.on_command_line))
            continue
        if made is not None and not count:
            yield made
    if count:
        raise FaultyRows(problems, count)


def _until_enough(rows: Iterable[R]) -> Iterator[R]:
    try:
        yield from rows
    except EnoughRead:
        return


def delimiter_of(path: Path) -> str:
    """The cell separator of a CSV: the most frequent of comma, semicolon and tab in its first line. Raises
    InputError for a file that is no UTF-8 text.
    """
    first = next(text_lines(path), "")
    return max(DELIMITERS, key=first.count)


def header_of(path: Path) -> list[str]:
    """The names of a CSV's columns. Raises InputError for what is no CSV, or has too many columns."""
    header = _header(path, delimiter=delimiter_of(path))
    if len(header) > MOST_COLUMNS:
        raise InputError(
            Translatable(
                "{path}:1: {n} columns; expected at most {most}",
                path=str(path),
                n=len(header),
                most=MOST_COLUMNS,
            )
        )
    return header


class IfMissing(NamedTuple):
    """What to do if a CSV lacks a column, besides choosing another format."""

    do: str
    options: tuple[str, ...] = ()
    """The options of the command that do it."""


CORRECT_HEADER = IfMissing(Translatable("correct the header"))


def csv_rows(
    path: Path,
    columns: Sequence[str],
    progress: Progress,
    *,
    delimiter: str = ",",
    if_missing: IfMissing = CORRECT_HEADER,
) -> Iterator[Cells]:
    """Yield the rows of a CSV whose header has these columns, with all cells unchanged.

    Raises InputError naming file and line for what is not a UTF-8 CSV with each of these columns once.
    """
    check_file(path, Translatable("a CSV with the columns {columns}", columns=", ".join(columns)))
    line = 1
    with _large_fields():
        try:
            reader = csv.reader(_without_nul(path, progress), strict=True, delimiter=delimiter)
            header = next(reader, [])
            _check_header(path, header, columns, if_missing)
            number, line = 0, reader.line_num + 1
            for cells in reader:
                if cells and len(cells) != len(header):
                    raise InputError(
                        Translatable(
                            "{place}: {n} cells, expected {expected}; correct the quotes or commas of the "
                            "row",
                            place=f"{path}:{line}",
                            n=len(cells),
                            expected=len(header),
                        )
                    )
                if cells:
                    number += 1
                    yield Cells(f"{path}:{line}", number, dict(zip(header, cells, strict=True)))
                line = reader.line_num + 1
        except csv.Error as error:
            raise _no_csv(f"{path}:{line}", error, CORRECT_ROW) from error
    if not number:
        raise InputError(
            Translatable("{path}: a header without rows; expected at least one row", path=str(path))
        )


def _header(path: Path, *, delimiter: str = ",") -> list[str]:
    """The names of a CSV's columns. Raises InputError for a file that is no CSV in UTF-8."""
    check_file(path, Translatable("a CSV"))
    with _large_fields():
        try:
            return next(csv.reader(_without_nul(path, no_progress), strict=True, delimiter=delimiter), [])
        except csv.Error as error:
            raise _no_csv(f"{path}:1", error, CORRECT_HEADER.do) from error


def _no_csv(place: str, error: csv.Error, do: str) -> InputError:
    return InputError(
        Translatable("{place}: not a readable CSV ({error}); {do}", place=place, error=str(error), do=do)
    )


def json_lines(path: Path, progress: Progress) -> Iterator[Line]:
    """Yield the lines of a JSONL file that are not empty. Raises InputError if there are none."""
    check_file(path, Translatable("JSONL, one JSON object a line"))
    number = 0
    for at, text in enumerate(_without_nul(path, progress), start=1):
        if text.strip():
            number += 1
            yield Line(f"{path}:{at}", number, text)
    if not number:
        raise InputError(Translatable("{path}: is empty; expected one JSON object a line", path=str(path)))


def check_file(path: Path, expected: str) -> None:
    """Raise InputError unless the path is a file that is not empty."""
    check_is_file(path, expected)
    if not path.stat().st_size:
        raise InputError(
            Translatable("{path}: is empty; expected {expected}", path=str(path), expected=expected)
        )


def check_is_file(path: Path, expected: str) -> None:
    """Raise InputError unless the path is a file."""
    values = {"path": str(path), "expected": expected}
    if path.is_dir():
        raise InputError(Translatable("{path}: is a folder; expected {expected}", **values))
    if not path.is_file():
        raise InputError(Translatable("{path}: no such file; expected {expected}", **values))


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str], if_missing: IfMissing) -> None:
    for name in columns:
        if name not in header:
            raise InputError(
                Translatable(
                    "{path} has no column {name!r}: its first line, which has to name the columns, is {got}; "
                    "expected there: {columns}; {do}, or choose another format",
                    path=str(path),
                    name=name,
                    got=shortened(", ".join(header)),
                    columns=", ".join(columns),
                    do=if_missing.do,
                ),
                on_command_line=", ".join((*if_missing.options, "--format")),
            )
    twice = next((name for name, n in Counter(header).items() if n > 1), None)
    if twice is not None:
        raise InputError(
            Translatable(
                "{place}: column {name!r} stands there twice; rename or remove one",
                place=f"{path}:1",
                name=twice,
            )
        )


def _without_nul(path: Path, progress: Progress) -> Iterator[str]:
    for number, text in enumerate(text_lines(path, progress), start=1):
        if "\0" in text:
            raise InputError(
                Translatable(
                    "{place}: holds a NUL byte; expected text; save the file as UTF-8",
                    place=f"{path}:{number}",
                )
            )
        yield text


@contextmanager
def _large_fields() -> Iterator[None]:
    """Within the context, csv reads fields of up to `MAX_LINE` characters: long generations exceed its limit
    of 131,072.
    """
    before: Any = csv.field_size_limit(MAX_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)
