"""Lint a file: examine its items one after the other, and count."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.lint.files import Progress, kind_of, rows_of
from clinicnum.lint.finding import Examination, NotChecked, Said, Tally
from clinicnum.lint.foreign import Asked, examine
from clinicnum.templates.bank import load_bank
from clinicnum.templates.template import Template


def _unwatched(_: int) -> None:
    """Nobody watches the progress."""


def lint(path: Path, templates: Sequence[Template], progress: Progress = _unwatched) -> Examination:
    """Examine a benchmark file.

    JSONL instances are recomputed from `templates`, CSV rows from the base bank, whose questions they ask.
    Raises InputError, also while what is said is drawn, naming file and line of what cannot be read.
    """
    tally = Tally()
    kind = kind_of(path)
    return Examination(kind, _foreign(path, tally, progress), tally)


def _foreign(path: Path, tally: Tally, progress: Progress) -> Iterator[Said]:
    bank = {template.id: Asked.of(template) for template in load_bank()}
    reason = ""
    for row in rows_of(path, progress):
        item = examine(row, bank)
        tally.add(item)
        yield from item.said
        if not reason:
            reason = next((said.detail for said in item.said if isinstance(said, NotChecked)), "")
    if not tally.rows:
        raise InputError(f"{path}: a header without rows; expected questions with their answers")
    if not tally.checked:
        raise InputError(
            f"{path}: none of its {tally.rows} rows was understood (the first: {reason}); "
            "expected ClinicNumRobBench's questions and contexts"
        )
