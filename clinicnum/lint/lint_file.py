"""Lint a file: check its items in turn, and count the findings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.io.jsonl import read_meta
from clinicnum.io.text_lines import Progress, no_progress
from clinicnum.lint.across_instances import AcrossInstances
from clinicnum.lint.checked_instance import OwnItem
from clinicnum.lint.input_files import instances_of, kind_of, rows_of
from clinicnum.lint.instance_check import examine as examine_own
from clinicnum.lint.lint_results import Examination, Finding, NotChecked, Said, Tally
from clinicnum.lint.robbench_row_check import examine as examine_foreign
from clinicnum.lint.template_lookup import OwnBank
from clinicnum.questions.ask_question import PreparedTemplate
from clinicnum.templates.bank import load_bank
from clinicnum.templates.template import Template


def lint(path: Path, templates: Sequence[Template], progress: Progress = no_progress) -> Examination:
    """Check a benchmark file.

    JSONL instances are recomputed from `templates`, CSV rows from the base bank, whose questions they ask.
    Raises InputError naming file and line, also while the results are consumed.
    """
    tally = Tally()
    kind = kind_of(path)
    if kind == "clinicnum":
        return Examination(kind, _own(path, OwnBank(templates), tally, progress), tally)
    return Examination(kind, _foreign(path, tally, progress), tally)


def _own(path: Path, bank: OwnBank, tally: Tally, progress: Progress) -> Iterator[Said]:
    across = AcrossInstances()
    meta = read_meta(path)
    # Of a file made elsewhere it is not known whether its notes are users' notes.
    framed = None if meta is None else bool(meta.get("notes"))
    for place, instance in instances_of(path, progress):
        item = OwnItem(place, instance)
        alone = examine_own(item, bank, framed=framed)
        clean = not any(isinstance(said, Finding) for said in alone.said)
        examined = replace(alone, said=(*alone.said, *across.seen(item, clean=clean)))
        tally.add(examined)
        tally.sources.update(record.source for record in instance.records)
        yield from examined.said
    for said in across.finish():
        tally.add_late(said)
        yield said


def _foreign(path: Path, tally: Tally, progress: Progress) -> Iterator[Said]:
    bank = {template.id: PreparedTemplate.of(template) for template in load_bank()}
    reason = ""
    for row in rows_of(path, progress):
        item = examine_foreign(row, bank)
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
