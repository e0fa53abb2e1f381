"""Look at a file of items before it is imported: its format, its columns, first items, and what is wrong."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.imports import medcalc, medec
from clinicnum.imports.import_items import Items
from clinicnum.imports.question_csv import OPTION_FIELDS, propose_columns
from clinicnum.imports.read_rows import Beginning, check_file, csv_rows, delimiter_of, header_of
from clinicnum.imports.row_errors import LISTED, FaultyRows, RowProblem
from clinicnum.imports.shared_answer_options import shared_options
from clinicnum.io.file_kinds import UTF_16
from clinicnum.io.strict_json import plain_json
from clinicnum.io.text_lines import no_progress, text_lines
from clinicnum.lint.input_files import COLUMNS as ROBBENCH_COLUMNS
from clinicnum.lint.robbench_answer import gold_number, gold_time
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

BEGINNING = 16 * 1024 * 1024
"""Bytes that a preview reads; the import reads all."""
TRIED_ANSWERS = 50
_OWN_COLUMNS = {
    "medcalc": medcalc.COLUMNS,
    "medec": medec.COLUMNS,
    "clinicnumrobbench": ROBBENCH_COLUMNS,
}


@dataclass(frozen=True)
class FoundFormat:
    """A file's likely format."""

    format: str
    """A name of `ITEM_FORMATS`."""
    header: tuple[str, ...] = ()
    """The names of its columns; empty for JSONL."""


@dataclass(frozen=True)
class ItemPreview:
    """What an import would read."""

    first: tuple[Instance, ...]
    items: int
    """Items read without fault."""
    problems: tuple[RowProblem, ...]
    """The first wrong rows."""
    wrong: int
    """Number of wrong rows read."""
    whole: bool
    """Whether the file was read to its end."""


def find_format(path: Path) -> FoundFormat:
    """Likely format of a file of items, by its first line. Raises InputError if it is no text in UTF-8."""
    check_file(path, Translatable("a CSV, or JSONL with one item a line"))
    with path.open("rb") as handle:
        begins = handle.read(4)
    if begins.startswith(UTF_16):
        raise InputError(
            Translatable(
                'This is text in UTF-16; expected a CSV or JSONL in UTF-8. In Excel, save it as "CSV UTF-8".'
            )
        )
    first = next((line for line in text_lines(path) if line.strip()), "")
    if first.lstrip().startswith(("{", "[")):
        return FoundFormat(_json_format(first))
    header = header_of(path)
    own = next((name for name, columns in _OWN_COLUMNS.items() if set(columns) <= set(header)), None)
    return FoundFormat(own or _csv_format(path, header), tuple(header))


def _json_format(first: str) -> str:
    try:
        item = plain_json(first)
    except ValueError:
        return "choice"  # its reader says what is wrong, with the line
    keys = item.keys() if isinstance(item, dict) else ()
    return "healthbench" if "rubrics" in keys else "text" if "points" in keys else "choice"


def _csv_format(path: Path, header: list[str]) -> str:
    """The format of a CSV file, by its columns of options, or else by what its first answers are."""
    choices = propose_columns(header, "csv-choice")
    if "question" in choices and sum(field in choices for field in OPTION_FIELDS) > 1:
        return "csv-choice"
    answer = propose_columns(header, "csv-number").get("answer")
    if answer is None:
        return "csv-number"
    try:
        rows = list(
            islice(csv_rows(path, [answer], no_progress, delimiter=delimiter_of(path)), TRIED_ANSWERS)
        )
    except InputError:
        return "csv-number"  # its reader says what is wrong
    answers = [row.cells[answer].strip() for row in rows]
    numbers = sum(gold_number(one) is not None or gold_time(one) is not None for one in answers)
    if 2 * numbers >= len(answers):
        return "csv-number"
    return "csv-choice" if shared_options(path, answer, delimiter=delimiter_of(path)) else "csv-text"


def preview_items(
    path: Path, name: str, *, columns: Mapping[str, str] | None = None, first: int = 5
) -> ItemPreview:
    """The first items as they would be imported, and what is wrong in the beginning of the file.

    Raises InputError for a file that cannot be read in this format at all.
    """
    beginning = Beginning(BEGINNING)
    found: list[Instance] = []
    items = 0
    problems: tuple[RowProblem, ...] = ()
    wrong = 0
    try:
        source = Items(path, name, prompt_id=None, open_data=False, columns=columns)
        for instance in source.read(beginning):
            items += 1
            if len(found) < first:
                found.append(instance)
    except FaultyRows as error:
        problems, wrong = error.problems[:LISTED], error.count
    return ItemPreview(tuple(found), items, problems, wrong, beginning.read >= path.stat().st_size)


@contextmanager
def naming(path: Path, name: str) -> Iterator[None]:
    """Context manager: errors in its block call the file `name`, as the path of an upload says nothing to its
    owner.
    """
    try:
        yield
    except InputError as error:
        error.args = tuple(_renamed(one, str(path), name) for one in error.args)
        raise


def _renamed(text: object, path: str, name: str) -> object:
    """The text with `name` in place of `path`, still translatable."""
    if not isinstance(text, Translatable):
        return text.replace(path, name) if isinstance(text, str) else text
    if not text.values:
        return Translatable(text.wording.replace(path, name))
    return Translatable(
        text.wording, **{key: _renamed(value, path, name) for key, value in text.values.items()}
    )
