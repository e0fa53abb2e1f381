"""Import generations from a CSV: one answer a row, with the text and a reference to its instance.

The text stands in the column `text`, or where `--text-field` says. The instance is told as in
`generation_jsonl`: by `instance_id` or the column that `--id-field` names, or else by what was asked.
`finish_reason`, `thinking` and `error` are taken over where they are given. Cells are separated by commas,
semicolons or tabs, whichever the header has most of.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from clinicnum.imports.answer_record import FinishReason, ImportedAnswer
from clinicnum.imports.generation_jsonl import instance_of
from clinicnum.imports.matching import Matcher
from clinicnum.imports.question_csv import delimiter_of
from clinicnum.imports.rows import Cells, checked_rows, csv_rows, wrong_value
from clinicnum.io.text_lines import Progress
from clinicnum.types import Instance

COMPLETE: dict[str, FinishReason] = {"": "stop", "stop": "stop", "length": "length"}


def answers(
    path: Path,
    *,
    known: Mapping[str, Instance],
    progress: Progress,
    id_field: str | None,
    text_field: str,
) -> Iterator[ImportedAnswer]:
    """Yield one answer per row. Raises InputError naming every faulty row."""
    matcher = Matcher(known)

    def make(row: Cells) -> ImportedAnswer:
        given = {name: cell for name, cell in row.cells.items() if cell}
        error, ended = given.get("error"), given.get("finish_reason", "")
        if not error and ended not in COMPLETE:
            raise wrong_value("finish_reason", ended, "stop, length or nothing")
        return ImportedAnswer(
            place=row.place,
            number=row.number,
            instance_id=instance_of(matcher, given, id_field),
            text="" if error else row.cells[text_field],
            finish_reason="error" if error else COMPLETE[ended],
            thinking=given.get("thinking"),
            error=error,
        )

    needed = [text_field, *([id_field] if id_field else [])]
    return checked_rows(csv_rows(path, needed, progress, delimiter=delimiter_of(path)), make)
