"""Read the two kinds of file that lint accepts, JSONL and CSV, item by item with line numbers."""

import csv
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.io.text_lines import BOM, Progress, text_lines
from clinicnum.lint.lint_results import Kind, Place
from clinicnum.lint.robbench_row_check import ForeignRow
from clinicnum.types import Instance

COLUMNS = ("question", "answer", "dataset_source")


def kind_of(path: Path) -> Kind:
    """The kind of file by its first character: JSONL of instances, or CSV. Raises InputError for
    anything else.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected JSONL from clinicnum generate, or a CSV")
    with path.open("rb") as handle:
        start = handle.read(4096)
    if b"\0" in start:
        raise InputError(f"{path}:1: is binary; expected JSONL of instances or a CSV, in UTF-8")
    text = start.removeprefix(BOM).lstrip()
    if not text:
        raise InputError(f"{path}: is empty; expected JSONL of instances or a CSV with {', '.join(COLUMNS)}")
    return "clinicnum" if text.startswith(b"{") else "clinicnumrobbench"


def instances_of(path: Path, progress: Progress) -> Iterator[tuple[Place, Instance]]:
    """Yield the instances of a JSONL file. Raises InputError naming file and line."""
    row = 0
    for line, text in enumerate(text_lines(path, progress), start=1):
        if not text.strip():
            continue
        row += 1
        try:
            instance = Instance.model_validate_json(text)
        except ValidationError as error:
            raise InputError(
                f"{path}:{line}: not a valid instance: {first_problem(error)}; "
                "correct the line or make the file anew"
            ) from error
        yield Place(row, line), instance


def rows_of(path: Path, progress: Progress) -> Iterator[ForeignRow]:
    """Yield the rows of a CSV. Raises InputError naming file and line."""
    line = 1
    try:
        reader = csv.reader(text_lines(path, progress), strict=True)
        header = [name.strip() for name in next(reader)]
        question, answer, source = _columns(header, path)
        row, line = 0, reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                raise InputError(
                    f"{path}:{line}: {len(cells)} cells, expected {len(header)}; correct the row"
                )
            if cells:
                row += 1
                yield ForeignRow(Place(row, line), cells[question], cells[answer], cells[source])
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}:{line}: not a readable CSV ({error}); correct the row") from error


def _columns(header: list[str], path: Path) -> list[int]:
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise InputError(
            f"{path}:1: no column {missing[0]!r}; got {', '.join(header)[:200]!r}; "
            f"expected {', '.join(COLUMNS)}, or JSONL of instances"
        )
    return [header.index(name) for name in COLUMNS]
