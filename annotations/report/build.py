"""Build a report from a study's tables; the same tables always give the same report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clinicnum.annotations.consensus.vote_consensus import MIN_VOTES
from clinicnum.annotations.report.model_run import run_or_model
from clinicnum.annotations.report.question_summary import made_elsewhere
from clinicnum.annotations.report.report_content import (
    LAYOUT,
    Column,
    Finding,
    Gap,
    KeyFigure,
    Report,
    Section,
    Table,
)
from clinicnum.annotations.report.report_warnings import report_warnings
from clinicnum.annotations.report.sampled_population import with_variants
from clinicnum.annotations.report.sections.accuracy import MOST_CARDS, accuracy_key_figures, accuracy_section
from clinicnum.annotations.report.sections.adjudication import adjudication_section
from clinicnum.annotations.report.sections.agreement import agreement_section
from clinicnum.annotations.report.sections.agreement_details import words_section
from clinicnum.annotations.report.sections.annotator_reliability import annotators_section
from clinicnum.annotations.report.sections.claims import claims_section
from clinicnum.annotations.report.sections.claims_findings import claims_findings, claims_key_figures
from clinicnum.annotations.report.sections.confidence_calibration import calibration_section
from clinicnum.annotations.report.sections.consensus_protocols import consensus_section
from clinicnum.annotations.report.sections.consensus_wording import (
    doubted_failures,
    hidden,
    in_sight,
    is_failure,
    response_open,
    settled_by,
)
from clinicnum.annotations.report.sections.contested_items import contests_section
from clinicnum.annotations.report.sections.criteria import criteria_key_figures, criteria_section
from clinicnum.annotations.report.sections.custom_fields import custom_fields_section
from clinicnum.annotations.report.sections.discordant_questions import discordant_section
from clinicnum.annotations.report.sections.effect_of_decisions import decided_answers_section
from clinicnum.annotations.report.sections.failure_examples import examples_section
from clinicnum.annotations.report.sections.failure_maps import failure_maps_section
from clinicnum.annotations.report.sections.failure_signatures import signatures_section
from clinicnum.annotations.report.sections.findings import findings
from clinicnum.annotations.report.sections.grras_checklist import grras_section
from clinicnum.annotations.report.sections.methods import methods_section
from clinicnum.annotations.report.sections.model_comparison import models_section
from clinicnum.annotations.report.sections.pairwise import pairwise_section
from clinicnum.annotations.report.sections.pairwise_findings import pairwise_findings, pairwise_key_figures
from clinicnum.annotations.report.sections.paper_tables import paper_tables_section
from clinicnum.annotations.report.sections.provenance import provenance_section
from clinicnum.annotations.report.sections.ratings import ratings_section
from clinicnum.annotations.report.sections.ratings_findings import ratings_findings, ratings_key_figures
from clinicnum.annotations.report.sections.robustness import robustness_section
from clinicnum.annotations.report.sections.sample_size_planner import planner_section
from clinicnum.annotations.report.sections.scorer_against_annotators import scorer_section
from clinicnum.annotations.report.sections.study_consensus import settlement_section
from clinicnum.annotations.report.sections.suggestion_effect import suggestion_effect_section
from clinicnum.annotations.report.sections.taxonomy_counts import taxonomy_section
from clinicnum.annotations.report.sections.template_health import template_section
from clinicnum.annotations.report.sections.unblinding_effect import blind_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_kind import StudyKind
from clinicnum.stats.jackknife import how_many

SECTIONS: tuple[Callable[[StudyView], Section], ...] = (
    models_section,
    failure_maps_section,
    discordant_section,
    accuracy_section,
    taxonomy_section,
    signatures_section,
    examples_section,
    robustness_section,
    calibration_section,
    paper_tables_section,
    agreement_section,
    custom_fields_section,
    criteria_section,
    decided_answers_section,
    blind_section,
    settlement_section,
    adjudication_section,
    consensus_section,
    annotators_section,
    scorer_section,
    suggestion_effect_section,
    planner_section,
    contests_section,
    template_section,
    methods_section,
    grras_section,
    words_section,
    provenance_section,
)
"""The sections in order, those of the main part first. To add one, write a file in `sections/` and enter it
here.
"""


class KindOfReport(NamedTuple):
    """What the report of a study that judges no failures is made of; its first section's id is the kind."""

    sections: tuple[Callable[[StudyView], Section], ...]
    key_figures: Callable[[StudyView], tuple[KeyFigure, ...]]
    findings: Callable[[StudyView], Iterator[Finding]]


OTHER_KINDS: Mapping[StudyKind, KindOfReport] = {
    "pairwise": KindOfReport(
        (pairwise_section, decided_answers_section, provenance_section),
        pairwise_key_figures,
        pairwise_findings,
    ),
    "ratings": KindOfReport(
        (ratings_section, decided_answers_section, provenance_section), ratings_key_figures, ratings_findings
    ),
    "claims": KindOfReport(
        (claims_section, decided_answers_section, provenance_section), claims_key_figures, claims_findings
    ),
}


def build_report(tables: StudyTables, *, generated_by: str) -> Report:
    """The report of a study. `generated_by` names the program and version that made it.

    Raises InputError for tables that contradict each other: an id without a row, or an unknown code.
    """
    view = StudyView(tables)
    other = OTHER_KINDS.get(tables.kind)
    made = [section(view) for section in (other.sections if other else SECTIONS)]
    gaps = [gap for section in made for gap in section.gaps]
    said = [_naming_models(section, view) for section in made if not section.is_empty]
    every = (table for section in said for table in section.tables)
    differences = next((table for table in every if table.id == "accuracy_differences"), None)
    return Report(
        title=tables.study_name
        if made_elsewhere(tables.instances)
        else f"Clinical numeracy: {tables.study_name}",
        study=tables.study_name,
        annotator_kind=view.annotator_kind,
        warnings=report_warnings(view),
        key_figures=other.key_figures(view) if other else _key_figures(view),
        findings=tuple(other.findings(view)) if other else findings(view, len(gaps), differences),
        sections=(*said[:-1], *([_unsaid(gaps)] if gaps else []), *said[-1:]),
        generated_by=generated_by,
        layout=LAYOUT,
    )


def _naming_models(section: Section, view: StudyView) -> Section:
    """The section; if the study has several runs, each of its tables shows the column of models even where it
    has one value only, under the heading that `run_or_model` chooses.
    """
    if len(view.runs) == 1:
        return section
    heading = run_or_model(view.runs).capitalize()
    tables = [
        table.model_copy(
            update={
                "columns": tuple(
                    column.model_copy(update={"once": False, "label": heading})
                    if column.key == "model" and table.id != "dawid_skene_differs"
                    else column
                    for column in table.columns
                )
            }
        )
        for table in section.tables
    ]
    return section.model_copy(update={"tables": tuple(tables)})


def _unsaid(gaps: Sequence[Gap]) -> Section:
    return Section(
        id="unsaid",
        title="What this study cannot say, and why",
        holds_labels=False,
        tables=(
            Table(
                id="unsaid",
                caption="Left unsaid",
                note=f"n = {len(gaps)}. Not listed here, but told where they stand, in a section's text or a "
                "table's remarks and note: what a section leaves out, and rows and cells without a value or "
                "counted from fewer answers than others of their table.",
                trace="the study, which lacks what these need",
                columns=(Column(key="what", label="What"), Column(key="why", label="Why not")),
                rows=tuple((gap.what, gap.why) for gap in gaps),
            ),
        ),
    )


def _key_figures(view: StudyView) -> tuple[KeyFigure, ...]:
    layer = view.agreement.layer("primary").result
    alpha = layer.coefficient("krippendorff_alpha_nominal") if layer is not None else None
    mark = "simulated: " if "simulated" in view.annotator_kind else ""
    value, note = "–", "no judgement yet"
    if alpha is not None:
        value = "undefined" if alpha.value is None else f"{alpha.value:.2f}"
        note = alpha.undefined or (
            f"alpha, primary class, {how_many(alpha.n_items, 'answer')}{in_sight(view)}"
        )
        if alpha.ci95 is not None:
            note += f", 95 % {alpha.ci95[0]:.2f} to {alpha.ci95[1]:.2f}"
    return (
        *criteria_key_figures(view),
        *accuracy_key_figures(view),
        _failures_figure(view, f"{mark}Failures"),
        KeyFigure(label=f"{mark}Agreement", value=value, note=note, table="agreement_summary"),
    )


def _failures_figure(view: StudyView, label: str) -> KeyFigure:
    judged = f"{len(view.settlements)} answers judged{hidden(view)}{with_variants(view)}"
    if view.settlements and all(
        one.judgements < MIN_VOTES and one.response.label is None for one in view.settlements
    ):
        note = f"no answer has more than one judgement that counts, and a result takes two or more; {judged}"
        return KeyFigure(label=label, value="not counted", note=note, table="consensus_settled")
    if not view.tables.annotations:
        return KeyFigure(label=label, value="–", note="nothing labelled yet", table="consensus_settled")
    unsettled = response_open(view)
    unequal = len({one.probability for one in view.tables.inclusions}) > 1
    return KeyFigure(
        label=label,
        value=str(sum(one.response.label == "failure" for one in view.settlements)),
        note=f"{settled_by(view.protocol)}, of {judged}"
        + _scored_otherwise(view)
        + doubted_failures(view)
        + (f"; {unsettled}" if unsettled else "")
        + ("; drawn with unequal chances: not a share of all answers" if unequal else ""),
        table="consensus_settled",
    )


def _scored_otherwise(view: StudyView) -> str:
    """On how many answers score and consensus differ, where each model's accuracy stands beside the failures;
    a clause after a semicolon, empty if they differ on none.
    """
    if len(view.runs) > MOST_CARDS:
        return ""
    right = {one.generation_id for one in view.settlements if view.score(one.generation_id).lenient}
    failed = sum(is_failure(one) and one.generation_id in right for one in view.settlements)
    sound = {"acceptable", "right_answer_unsound_reasoning"}
    accepted = sum(one.response.label in sound and one.generation_id not in right for one in view.settlements)
    return (
        f"; the automatic score differs on {failed + accepted} ({failed} of these failures scored right, "
        f"{accepted} of the others scored wrong)"
    ) * bool(failed + accepted)
