"""The agreement page's detailed analyses, computed on request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations

from markupsafe import Markup

from clinicnum.annotations.agreement.format_results import value_text
from clinicnum.annotations.explanations.explanation_lookup import table_explanation
from clinicnum.annotations.reliability.agreement_over_time import FEWEST_ITEMS, StudyPart, course
from clinicnum.annotations.reliability.confusion import confusion
from clinicnum.annotations.reliability.control_items import NO_CONTROLS
from clinicnum.annotations.reliability.disputed_items import most_disputed
from clinicnum.annotations.report.report_content import Table
from clinicnum.annotations.report.sections.annotator_reliability import annotators_section
from clinicnum.annotations.report.sections.annotator_table_helpers import Asked, asked, spoken
from clinicnum.annotations.report.sections.control_items import controls_table
from clinicnum.annotations.report.sections.sample_size_planner import planner_table
from clinicnum.annotations.report.sections.unblinding_effect import first_and_last, transitions_table
from clinicnum.annotations.report.study_view_without_texts import LabelsView
from clinicnum.db.work.studies.labels_for_agreement import AskedItem
from clinicnum.stats.rounded_figures import rounded
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.figure_help import help_button
from clinicnum.ui.components.html import MISSING
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import link
from clinicnum.ui.components.report_table_rows import report_columns, report_notes, report_rows
from clinicnum.ui.pages.agreement.view import pair_coefficients

MOST_DISPUTED = 20
MOST_LINKS = 40
_COURSE_COLUMNS = (
    Translatable("On"),
    Translatable("From (UTC)"),
    Translatable("To (UTC)"),
    Translatable("Items"),
    Translatable("Pairs that agree"),
    Translatable("Alpha, this part"),
    Translatable("Alpha, so far"),
)
_DISPUTED_COLUMNS = (Translatable("On"), Translatable("Labels"), Translatable("Pairs that differ"))
_DISPUTED_WIDTHS = ("370px", "150px", "520px", "140px")
NO_JUDGEMENT = Translatable("No judgement yet.")


@dataclass(frozen=True)
class AnalysisTable:
    """One table of an analysis; without rows, `label` says why there is no table."""

    label: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = field(default=())
    explains: str = ""
    """Key of the explanation of its figures."""
    items: Sequence[str] = ()
    """Generation id of each row, where the rows are items; the page puts their questions first."""
    widths: Sequence[str] = ()
    """Width of each column, that of the question too, where a long one would push others out of sight."""
    links: Sequence[str] = ()
    """What follows its notes, as Markdown; its rows are numbered if they are linked to."""


@dataclass(frozen=True)
class Analysis:
    """An analysis of a study's labels; `make` returns its tables, at most ANALYSIS_TABLES."""

    title: str
    make: Callable[[LabelsView], list[AnalysisTable]]
    every_revision: bool = False
    """Whether the analysis needs superseded revisions of the judgements too."""


def tables_of_report(*tables: Table) -> list[AnalysisTable]:
    """Tables of the report as the page shows them."""
    return [
        AnalysisTable(
            one.caption,
            report_columns(one),
            report_rows(one),
            report_notes(one),
            table_explanation(one.id).key,
        )
        for one in tables
    ]


def pairs_analysis(view: LabelsView) -> list[AnalysisTable]:
    """Every coefficient of each pair of annotators, for each layer."""
    columns, rows = pair_coefficients(view.agreement.layers)
    if not rows:
        return [AnalysisTable(_("No two annotators have labelled the same item yet."))]
    label = _("Pairs of annotators, on the items that both labelled")
    return [AnalysisTable(label, columns, rows, explains="agreement_pairs")]


def confusion_analysis(view: LabelsView) -> list[AnalysisTable]:
    """For each question, a confusion matrix of the labels that pairs of annotators gave the same item."""
    return [_confused(question, view) for question in asked(view)]


def _confused(question: Asked, view: LabelsView) -> AnalysisTable:
    found = confusion(view.ballots[question.name])
    if not found.total:
        return AnalysisTable(_("{question}: no item has two labels yet.", question=_(question.title)))
    used = [
        one for one in question.categories if any(found.between(one, other) for other in question.categories)
    ]
    names = [view.names.get(one, spoken(one)) for one in used]
    rows = [
        [name, *(str(found.between(row, column)) for column in used)]
        for name, row in zip(names, used, strict=True)
    ]
    apart = sum(found.between(a, b) for a, b in combinations(used, 2))
    note = ngettext(
        "Each cell counts pairs of labels; on the diagonal both agree, {n} pair does not.",
        "Each cell counts pairs of labels; on the diagonal both agree, {n} pairs do not.",
        apart,
    )
    return AnalysisTable(
        _("{question}: {n} pairs of labels on the same item", question=_(question.title), n=found.total),
        [_("Label"), *names],
        rows,
        [note],
        "confusion",
    )


def _annotators(*ids: str) -> Callable[[LabelsView], list[AnalysisTable]]:
    """A function that makes an analysis: the tables with these ids from the report's section on annotators,
    or why there are none.
    """

    def part(view: LabelsView) -> list[AnalysisTable]:
        if not view.chosen.annotations:
            return [AnalysisTable(_(NO_JUDGEMENT))]
        section = annotators_section(view)
        tables = tables_of_report(*(table for table in section.tables if table.id in ids))
        gaps = [AnalysisTable(f"{_(gap.what)}: {_(gap.why)}.") for gap in section.gaps]
        return tables or gaps or [AnalysisTable(_("Nothing to show for these labels."))]

    return part


def blind_analysis(view: LabelsView) -> list[AnalysisTable]:
    """Transitions from the blind answers to those given after gold and score were shown."""
    found = first_and_last(view)
    if not found:
        return [AnalysisTable(_(NO_JUDGEMENT))]
    return tables_of_report(transitions_table(found, scripted=view.chosen.scripted))


def course_analysis(view: LabelsView) -> list[AnalysisTable]:
    """Agreement on the response and the primary class in each fifth of the study."""
    completed: dict[str, datetime] = {}
    for one in view.chosen.annotations:
        completed[one.generation_id] = max(completed.get(one.generation_id, one.created_at), one.created_at)
    rows = []
    for question in asked(view):
        if question.name == "item":
            continue
        labels = view.first_responses if question.name == "response" else view.ballots[question.name]
        given = {item: labels[item] for item in labels if item in completed}
        parts = course(given, completed, categories=question.categories, subjects=view.subjects)
        rows += [_part_row(_(question.title), one) for one in parts]
    if not rows:
        return [
            AnalysisTable(
                _("Too few items for a course: it takes {n} that two annotators judged.", n=FEWEST_ITEMS)
            )
        ]
    note = _(
        "Items in the order in which their last judgement was saved, in equal parts. Responses as first "
        "judged, primary classes as they stand. Alpha of a single part is uncertain; read it as a course."
    )
    return [AnalysisTable(_("Agreement in the course of the study"), _COURSE_COLUMNS, rows, [note], "course")]


def _part_row(question: str, part: StudyPart) -> list[str]:
    alpha = "krippendorff_alpha_nominal"
    percent = part.here.coefficient("percent_agreement").value
    return [
        question,
        f"{part.first:%Y-%m-%d %H:%M}",
        f"{part.last:%Y-%m-%d %H:%M}",
        str(part.here.population.items),
        MISSING if percent is None else f"{rounded(100 * percent, 0)} %",
        _(value_text(part.here.coefficient(alpha))),
        _(value_text(part.so_far.coefficient(alpha))),
    ]


def disputed_analysis(view: LabelsView) -> list[AnalysisTable]:
    """The items on which annotators differ most, on the response and on the primary class."""
    found = [
        (question, one)
        for question in asked(view)
        if question.name != "item"
        for one in most_disputed(view.ballots[question.name], MOST_DISPUTED)
    ]
    if not found:
        return [AnalysisTable(_("No two annotators differ on any item."))]
    rows = [
        [
            _(question.title),
            "; ".join(
                f"{who}: {_(view.names.get(label, spoken(label)))}"
                for who, label in sorted(one.labels.items())
            ),
            _("{n} of {pairs}", n=one.differing, pairs=one.pairs),
        ]
        for question, one in found
    ]
    note = _("At most {n} items for each of the two.", n=MOST_DISPUTED)
    label = _("Items on which annotators differ most")
    items = [one.item for _q, one in found]
    return [AnalysisTable(label, _DISPUTED_COLUMNS, rows, [note], "disputed", items, _DISPUTED_WIDTHS)]


def above_table(table: AnalysisTable, place: int) -> str:
    """The `?` above a table, or, for a table without rows, why there is none, as HTML."""
    if not table.rows:
        return str(Markup("<p>{}</p>").format(table.label))
    return str(help_button(table.explains, place))


def with_questions(
    table: AnalysisTable, named: Mapping[str, AskedItem], *, links_of: str = ""
) -> AnalysisTable:
    """The table with the question of each row's item as its first column.

    `named` is by generation id. With `links_of`, the study's name, links to items follow.
    """
    if not table.items:
        return table
    rows = [[named[item].question, *row] for item, row in zip(table.items, table.rows, strict=True)]
    shown = replace(table, columns=[_("Question asked"), *table.columns], rows=rows)
    if not links_of:
        return shown
    linked = enumerate(table.items[:MOST_LINKS], start=1)
    numbers = [link(str(row), "/items/", study=links_of, item=named[item].item) for row, item in linked]
    all_items = link(_("All items on which labels differ"), "/items/", study=links_of, differ="yes")
    opened = _("Open the item of row {rows}", rows=", ".join(numbers))
    return replace(shown, links=(opened, all_items))


def controls_analysis(view: LabelsView) -> list[AnalysisTable]:
    """Each annotator's accuracy on the control items, against their reference labels."""
    return (
        tables_of_report(controls_table(view.controls))
        if view.controls
        else [AnalysisTable(_("No figure: {why}.", why=_(NO_CONTROLS)))]
    )


def planner_analysis(view: LabelsView, wanted: float) -> list[AnalysisTable]:
    """Items and annotators needed for the half-width `wanted`. Raises InputError if not between 0 and 1."""
    if not view.chosen.by_generation:
        return [AnalysisTable(_("No plan: no judgement has been submitted yet."))]
    return tables_of_report(planner_table(view, (wanted,)))


ANALYSES: dict[str, Analysis] = {
    "pairs": Analysis(Translatable("Pairs of annotators"), pairs_analysis),
    "confusion": Analysis(Translatable("Confusion"), confusion_analysis),
    "blind": Analysis(Translatable("Before and after the gold answer"), blind_analysis),
    "others": Analysis(
        Translatable("Against the others"), _annotators("annotators_against_others", "annotators_confusion")
    ),
    "drift": Analysis(
        Translatable("Over time"), _annotators("annotators_drift", "annotators_time"), every_revision=True
    ),
    "repeats": Analysis(Translatable("Self-consistency"), _annotators("annotators_repeats")),
    "course": Analysis(Translatable("Course of the study"), course_analysis),
    "disputed": Analysis(Translatable("Most disputed items"), disputed_analysis),
    "controls": Analysis(Translatable("Control items"), controls_analysis),
}
"""Analyses by key. Planner and consensus are separate functions, as they take a parameter."""
ANALYSIS_TABLES, CONSENSUS_TABLES, PLANNER_TABLES = 3, 2, 1
