"""Read CSV files, plain or gzip, each row with its line number."""

import csv
import gzip
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from clinicnum.errors import InputError
from clinicnum.io.text_lines import MAX_LINE

OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def find_table(folder: Path, name: str) -> Path:
    """The only file `name.csv` or `name.csv.gz` below a folder. Raises InputError if there is none, or
    several.
    """
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; name the folder that holds {name}.csv(.gz)", on_command_line="--path"
        )
    found = sorted(folder.rglob(f"{name}.csv")) + sorted(folder.rglob(f"{name}.csv.gz"))
    homes = {path.parent for path in found}
    if not found:
        raise InputError(
            f"{folder}: no {name}.csv or {name}.csv.gz below it; name the folder that holds it",
            on_command_line="--path",
        )
    if len(homes) > 1:
        raise InputError(
            f"{folder}: {name} found in {len(homes)} folders; name that of one data set",
            on_command_line="--path",
        )
    return found[0]


def read_table(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (`file:line`, row) for each row, with only the named columns.

    Raises InputError naming file and line for a missing or doubled column, a row of another length, or a file
    that is not a whole UTF-8 CSV.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "no such file"
        raise InputError(f"{path}: {what}; expected a CSV with the columns {', '.join(columns)}")
    line = 0
    try:
        with _open(path) as handle:
            reader = csv.reader(_lines(handle), strict=True)
            header = [name.strip() for name in next(reader, [])]
            _check_header(path, header, columns)
            places = [(name, header.index(name)) for name in columns]
            for row in reader:
                line = reader.line_num
                if row and len(row) != len(header):
                    raise InputError(
                        f"{path}:{line}: {len(row)} cells, expected {len(header)}; correct the row"
                        " (a number with a decimal comma needs quotes or a point)"
                    )
                if row:
                    yield f"{path}:{line}", {name: row[place] for name, place in places}
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{line + 1}: not UTF-8 text ({error.reason}); save it as UTF-8") from error
    except csv.Error as error:
        raise InputError(f"{path}:{line + 1}: not CSV ({error}); correct the quotes of the row") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}:{line + 1}: cannot be read on ({error}); get the file again") from error


def _check_header(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    if not header:
        raise InputError(f"{path}:1: an empty file; expected the columns {', '.join(columns)}")
    if len(header) == 1:
        for sign, name in OTHER_SEPARATORS.items():
            if sign in header[0]:
                raise InputError(
                    f"{path}:1: cells are separated by {name}; expected commas; save it with commas"
                )
    for name in columns:
        if name not in header:
            got = " ".join(", ".join(header).split())  # a quoted header may span lines
            raise InputError(
                f"{path}:1: no column {name!r}; got {got[:200]}; expected {', '.join(columns)}; "
                "correct the header or the column map"
            )
        if (times := header.count(name)) > 1:
            raise InputError(
                f"{path}:1: column {name!r} stands there {times} times; expected once; rename all but one"
            )


def _lines(handle: TextIO) -> Iterator[str]:
    """Yield lines in bounded parts, since a gzip file can hold one line of gigabytes."""
    return iter(partial(handle.readline, MAX_LINE), "")


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")
