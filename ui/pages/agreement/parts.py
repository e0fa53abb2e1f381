"""The agreement page's detailed analyses, computed on request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from clinicnum.annotations.reliability.confusion import confusion
from clinicnum.annotations.reliability.controls import NO_CONTROLS
from clinicnum.annotations.report.labels_only_view import LabelsView
from clinicnum.annotations.report.report_content import Table
from clinicnum.annotations.report.sections.annotator_questions import Asked, asked, spoken
from clinicnum.annotations.report.sections.annotators import annotators_section
from clinicnum.annotations.report.sections.controls import controls_table
from clinicnum.annotations.report.sections.planner import planner_table
from clinicnum.annotations.report.sections.study_consensus import differs_table, settled_table
from clinicnum.annotations.report.sections.unblinding_effect import first_and_last, transitions_table
from clinicnum.ui.components.report_table import report_columns, report_notes, report_rows
from clinicnum.ui.pages.agreement.view import pairs

NO_JUDGEMENT = "No judgement yet."


@dataclass(frozen=True)
class Shown:
    """One table of an analysis; without rows, `label` says why there is no table."""

    label: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Part:
    """An analysis of a study's labels; `make` returns at most PART_TABLES tables."""

    title: str
    make: Callable[[LabelsView], list[Shown]]
    every_revision: bool = False
    """Whether the analysis needs superseded revisions of the judgements too."""


def _of_report(*tables: Table) -> list[Shown]:
    return [Shown(one.caption, report_columns(one), report_rows(one), report_notes(one)) for one in tables]


def pairs_part(view: LabelsView) -> list[Shown]:
    """Every coefficient of each pair of annotators, for each layer."""
    columns, rows = pairs(view.agreement.layers)
    if not rows:
        return [Shown("No two annotators have labelled the same item yet.")]
    return [Shown("Pairs of annotators, on the items that both labelled", columns, rows)]


def confusion_part(view: LabelsView) -> list[Shown]:
    """For each question, a confusion matrix of the labels that pairs of annotators gave the same item."""
    return [_confused(question, view) for question in asked(view)]


def _confused(question: Asked, view: LabelsView) -> Shown:
    found = confusion(view.ballots[question.name])
    if not found.total:
        return Shown(f"{question.title}: no item has two labels yet.")
    used = [
        one for one in question.categories if any(found.between(one, other) for other in question.categories)
    ]
    names = [view.names.get(one, spoken(one)) for one in used]
    rows = [
        [name, *(str(found.between(row, column)) for column in used)]
        for name, row in zip(names, used, strict=True)
    ]
    apart = sum(found.between(a, b) for a, b in combinations(used, 2))
    note = f"Each cell counts pairs of labels; on the diagonal both agree, {apart} pairs do not."
    return Shown(
        f"{question.title}: {found.total} pairs of labels on the same item", ["Label", *names], rows, [note]
    )


def _annotators(*ids: str) -> Callable[[LabelsView], list[Shown]]:
    """An analysis that shows the annotator tables with these ids from the report, or why there are none."""

    def part(view: LabelsView) -> list[Shown]:
        if not view.chosen.annotations:
            return [Shown(NO_JUDGEMENT)]
        section = annotators_section(view)
        tables = _of_report(*(table for table in section.tables if table.id in ids))
        gaps = [Shown(f"{gap.what}: {gap.why}.") for gap in section.gaps]
        return tables or gaps or [Shown("Nothing to show for these labels.")]

    return part


def blind_part(view: LabelsView) -> list[Shown]:
    """Transitions from the blind answers to those given after gold and score were shown."""
    found = first_and_last(view)
    if not found:
        return [Shown(NO_JUDGEMENT)]
    return _of_report(transitions_table(found, scripted=view.chosen.scripted))


def controls_part(view: LabelsView) -> list[Shown]:
    """Each annotator's accuracy on the control items, against their reference labels."""
    return (
        _of_report(controls_table(view.controls)) if view.controls else [Shown(f"No figure: {NO_CONTROLS}.")]
    )


def consensus_part(view: LabelsView) -> list[Shown]:
    """The consensus labels under the view's protocol, and where other protocols differ."""
    if not view.chosen.by_generation:
        return [Shown(NO_JUDGEMENT)]
    return _of_report(settled_table(view), *differs_table(view))


def planner_part(view: LabelsView, wanted: float) -> list[Shown]:
    """Items and annotators needed for the half-width `wanted`. Raises InputError if not between 0 and 1."""
    if not view.chosen.by_generation:
        return [Shown("No plan: no judgement has been submitted yet.")]
    return _of_report(planner_table(view, (wanted,)))


PARTS: dict[str, Part] = {
    "pairs": Part("Pairs of annotators", pairs_part),
    "confusion": Part("Confusion", confusion_part),
    "blind": Part("Before and after the gold", blind_part),
    "others": Part("Against the others", _annotators("annotators_against_others", "annotators_confusion")),
    "drift": Part("Over time", _annotators("annotators_drift", "annotators_time"), every_revision=True),
    "repeats": Part("Self-consistency", _annotators("annotators_repeats")),
    "controls": Part("Control items", controls_part),
}
"""Analyses by key. Planner and consensus are separate, as they take a parameter."""
PART_TABLES, CONSENSUS_TABLES, PLANNER_TABLES = 3, 2, 1
