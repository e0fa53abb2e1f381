"""CSV files in, plain or gzip: each row with the line it stands on."""

import csv
import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from clinicnum.errors import InputError


def find_table(folder: Path, name: str) -> Path:
    """The one file `name.csv` or `name.csv.gz` below a folder. Raises InputError if none or several."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; --path takes the folder that holds {name}.csv(.gz)")
    found = sorted(folder.rglob(f"{name}.csv")) + sorted(folder.rglob(f"{name}.csv.gz"))
    homes = {path.parent for path in found}
    if not found:
        raise InputError(f"{folder}: no {name}.csv or {name}.csv.gz below it; point --path at its folder")
    if len(homes) > 1:
        raise InputError(f"{folder}: {name} found in {len(homes)} folders; point --path at one data set")
    return found[0]


def read_table(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (`file:line`, row) for each row, with only the named columns.

    Raises InputError naming file and line for a missing column, a short row, or a file that is not a table.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected a CSV with the columns {', '.join(columns)}")
    try:
        with _open(path) as handle:
            reader = csv.reader(handle, strict=True)
            header = [name.strip() for name in next(reader, [])]
            missing = [name for name in columns if name not in header]
            if missing:
                raise InputError(
                    f"{path}:1: no column {missing[0]!r}; got {', '.join(header) or 'an empty file'}; "
                    "expected " + ", ".join(columns)
                )
            places = [(name, header.index(name)) for name in columns]
            for row in reader:
                where = f"{path}:{reader.line_num}"
                if row and len(row) != len(header):
                    raise InputError(f"{where}: {len(row)} cells, expected {len(header)}; correct the row")
                if row:
                    yield where, {name: row[place] for name, place in places}
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a readable CSV ({error}); get the file again") from error


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")
