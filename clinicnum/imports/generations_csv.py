"""Import generations from a CSV: one answer a row, with the text and a reference to its instance.

The text stands in the column `text`, or where `--text-field` says. The instance is told as in
`generations_jsonl`: by `instance_id` or the column that `--id-field` names, or else by what was asked.
`finish_reason`, `thinking` and `error` are taken over where they are given. Cells are separated by commas,
semicolons or tabs, whichever the header has most of. Some programs write line breaks as `\\n`: where no
text of the file has a line break and one has two of these in a row, they are line breaks.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from clinicnum.imports.answer_matching import ID_FIELD, Matcher
from clinicnum.imports.answer_record import FinishReason, ImportedAnswer
from clinicnum.imports.generations_jsonl import TEXT_FIELD, instance_of
from clinicnum.imports.read_rows import Cells, IfMissing, checked_rows, csv_rows, delimiter_of
from clinicnum.imports.row_errors import wrong_value
from clinicnum.io.text_lines import Progress, no_progress
from clinicnum.translatable_text import Translatable
from clinicnum.types import Instance

WRITTEN_BREAK = r"\n"
IF_MISSING = IfMissing(
    Translatable("name the columns of answers and questions"), (TEXT_FIELD.option, ID_FIELD.option)
)
COMPLETE: dict[str, FinishReason] = {"": "stop", "stop": "stop", "length": "length"}


def answers(
    path: Path,
    *,
    known: Mapping[str, Instance] | None,
    progress: Progress,
    id_field: str | None,
    text_field: str,
) -> Iterator[ImportedAnswer]:
    """Yield one answer per row.

    `known` maps ids to instances, None takes any; `id_field` and `text_field` name the columns of the
    instance's id and of the text. Raises InputError naming every faulty row.
    """
    matcher = Matcher(known)
    needed = [text_field, *([id_field] if id_field else [])]
    rows = partial(csv_rows, path, delimiter=delimiter_of(path), if_missing=IF_MISSING)
    written_out = _has_written_breaks(rows, text_field)

    def make(row: Cells) -> ImportedAnswer:
        given = {name: cell for name, cell in row.cells.items() if cell}
        error, ended = given.get("error"), given.get("finish_reason", "")
        if not error and ended not in COMPLETE:
            raise wrong_value("finish_reason", ended, Translatable("stop, length or nothing"))
        text = row.cells[text_field]
        return ImportedAnswer(
            place=row.place,
            number=row.number,
            instance_id=instance_of(matcher, given, id_field),
            text="" if error else text.replace(WRITTEN_BREAK, "\n") if written_out else text,
            finish_reason="error" if error else COMPLETE[ended],
            thinking=given.get("thinking"),
            error=error,
        )

    return checked_rows(rows(needed, progress), make)


def _has_written_breaks(rows: Callable[..., Iterator[Cells]], text_field: str) -> bool:
    """Whether the texts of a file have their line breaks written out. Raises InputError for no such CSV."""
    found = False
    for row in rows([text_field], no_progress):
        text = row.cells[text_field]
        if "\n" in text:
            return False
        found = found or WRITTEN_BREAK * 2 in text
    return found
