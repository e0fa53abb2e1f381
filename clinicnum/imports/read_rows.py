"""Read the rows of a file from another program, and report all faulty rows in one line."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from clinicnum.errors import InputError
from clinicnum.io.text_lines import MAX_LINE, Progress, no_progress, text_lines

R = TypeVar("R", bound="Row")
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

SHOWN = 80
"""Most characters of a wrong value shown in a message."""
LISTED = 20
"""Most further faulty rows named in a message."""


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


class RowError(Exception):
    """A row is not what it should be; the message says what was got, what was expected and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """The position of a row in its file."""

    place: str
    """`file:line`, or the file and the name of the part within it."""
    number: int
    """Number of the row, from 1, without headers and empty lines."""


@dataclass(frozen=True, slots=True)
class Cells(Row):
    """One row of a CSV."""

    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Line(Row):
    """One line of JSON, not parsed yet."""

    text: str


@dataclass(frozen=True, slots=True)
class RowProblem(Row):
    """What is wrong with one row."""

    text: str


class FaultyRows(InputError):
    """Some rows are wrong; the message says what is wrong with the first, and which others are."""

    def __init__(self, problems: Sequence[RowProblem], count: int) -> None:
        """`problems` are the first of `count` faulty rows."""
        first, *others = problems
        super().__init__(
            f"{first.place}: row {first.number}: {first.text}"
            + _more(count - 1, [one.number for one in others])
        )
        self.problems = tuple(problems)
        self.count = count


def wrong_value(name: str, got: object, expected: str, do: str = "correct the row") -> RowError:
    """The error for a column or field `name` that holds `got`; `do` tells the user what to do about it."""
    return RowError(f"{name} is {shortened(got)}; expected {expected}; {do}")


def shortened(value: object) -> str:
    """A value as a message shows it, on one line."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


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
                problems.append(RowProblem(row.place, row.number, str(error)))
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


def _more(count: int, rows: Sequence[int]) -> str:
    if not count:
        return ""
    listed = ", ".join(map(str, rows)) + (", ..." if count > len(rows) else "")
    return f" (and {count} more wrong {'row' if count == 1 else 'rows'}: {listed})"


class UniqueKeys:
    """Detects a key that an earlier row already has."""

    def __init__(self, what: str, do: str = "remove one") -> None:
        self._what = what
        self._do = do
        self._seen: dict[str, int] = {}

    def check(self, key: str, row: Row) -> None:
        """Raise RowError, naming both rows, if an earlier row had the same key."""
        first = self._seen.setdefault(key, row.number)
        if first != row.number:
            raise RowError(f"{self._what} {shortened(key)} again, first in row {first}; {self._do}")


def csv_rows(
    path: Path,
    columns: Sequence[str],
    progress: Progress,
    *,
    delimiter: str = ",",
    if_missing: str = "correct the header",
) -> Iterator[Cells]:
    """Yield the rows of a CSV whose header has these columns, with all cells unchanged.

    `if_missing` tells what to do about a missing column, besides choosing another format. Raises InputError
    naming file and line for what is not a UTF-8 CSV with each of these columns once.
    """
    check_file(path, f"a CSV with the columns {', '.join(columns)}")
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
                        f"{path}:{line}: {len(cells)} cells, expected {len(header)}; correct the quotes or "
                        "commas of the row"
                    )
                if cells:
                    number += 1
                    yield Cells(f"{path}:{line}", number, dict(zip(header, cells, strict=True)))
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(f"{path}:{line}: not a readable CSV ({error}); correct the row") from error
    if not number:
        raise InputError(f"{path}: a header without rows; expected at least one row")


def csv_header(path: Path, *, delimiter: str = ",") -> list[str]:
    """The names of a CSV's columns. Raises InputError for a file that is no CSV in UTF-8."""
    check_file(path, "a CSV")
    with _large_fields():
        try:
            return next(csv.reader(_without_nul(path, no_progress), strict=True, delimiter=delimiter), [])
        except csv.Error as error:
            raise InputError(f"{path}:1: not a readable CSV ({error}); correct the header") from error


def json_lines(path: Path, progress: Progress) -> Iterator[Line]:
    """Yield the lines of a JSONL file that are not empty. Raises InputError if there are none."""
    check_file(path, "JSONL, one JSON object a line")
    number = 0
    for at, text in enumerate(_without_nul(path, progress), start=1):
        if text.strip():
            number += 1
            yield Line(f"{path}:{at}", number, text)
    if not number:
        raise InputError(f"{path}: is empty; expected one JSON object a line")


def parse_model(content: str | bytes | dict[str, Any], kind: type[M]) -> M:
    """A model of class `kind` from JSON, as text or parsed. Raises RowError naming the field and what was
    expected.
    """
    try:
        if isinstance(content, dict):
            return kind.model_validate(content)
        return kind.model_validate_json(content)
    except ValidationError as error:
        raise RowError(_fault(error, kind)) from error


_UNIONS = ("str", "int")
"""What pydantic adds to a field's name where it may have one of two types."""


def _fault(error: ValidationError, kind: type[BaseModel]) -> str:
    problem = error.errors(include_url=False)[0]
    where, said = ".".join(str(part) for part in problem["loc"] if part not in _UNIONS), problem["msg"]
    said = said[:1].lower() + said[1:]
    match problem["type"]:
        case "json_invalid":
            return _not_json(said.removeprefix("invalid JSON: "))
        case "missing":
            return f"{where} is missing; expected {_names(kind)}; add it"
        case "extra_forbidden":
            return f"{where} is not known; expected {_names(kind)}; take it out, or keep it in `source`"
        case "value_error":
            return said.removeprefix("value error, ")
        case _:
            return f"{where or 'the row'} is {shortened(problem['input'])}: {said}; correct it"


def _not_json(said: str) -> str:
    """What is wrong with a line that is no JSON, of which a parser of JSON `said` this."""
    if said.startswith("EOF"):
        return (
            "ends in the middle; expected one whole JSON object, in JSONL on one line; "
            "if the file was cut off, save or download it again"
        )
    where = re.sub(r" at line \d+ column (\d+)$", r" at character \1", said)
    return f"not JSON ({where}); expected one JSON object; correct it"


def _names(kind: type[BaseModel]) -> str:
    return ", ".join(kind.model_fields)


def check_file(path: Path, expected: str) -> None:
    """Raise InputError unless the path is a file that is not empty."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "no such file"
        raise InputError(f"{path}: {what}; expected {expected}")
    if not path.stat().st_size:
        raise InputError(f"{path}: is empty; expected {expected}")


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str], if_missing: str) -> None:
    got = shortened(", ".join(header))
    for name in columns:
        if name not in header:
            raise InputError(
                f"{path}:1: no column {name!r}; got {got}; expected {', '.join(columns)}; "
                f"{if_missing}, or choose another format",
                on_command_line="--format",
            )
    twice = next((name for name, n in Counter(header).items() if n > 1), None)
    if twice is not None:
        raise InputError(f"{path}:1: column {twice!r} stands there twice; rename or remove one")


def _without_nul(path: Path, progress: Progress) -> Iterator[str]:
    for number, text in enumerate(text_lines(path, progress), start=1):
        if "\0" in text:
            raise InputError(f"{path}:{number}: holds a NUL byte; expected text; save the file as UTF-8")
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
