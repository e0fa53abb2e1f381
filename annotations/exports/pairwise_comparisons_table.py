"""The table of a pairwise study: who preferred which of two answers, on which side, and why."""

from collections.abc import Iterator, Mapping
from datetime import UTC

from clinicnum.annotations.exports.annotation_tables import KIND, LAST, last_revisions, whose_judgement
from clinicnum.annotations.preference_question import PREFERENCES
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import STAMP, RowTable, fields
from clinicnum.annotations.report.pairwise_preferences import ComparedAnswers, side_chosen
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation

COMPARISON_FIELDS = (
    *fields(
        "text",
        annotation_id="Id of this revision",
        study_id="Id of the study",
        generation_id="The first answer of the pair; being first says nothing of the model or the side",
        second_generation_id="The second answer of the pair",
        instance_id="The item that both answer",
        first_model="The run of the first answer, as the report names it",
        second_model="That of the second",
        annotator_id="Pseudonym of the annotator, valid in this study only",
    ),
    KIND,
    *fields("text", round="main or repeat"),
    *fields("integer", revision="1 for the first of a round; none is overwritten"),
    LAST,
    *fields(
        "text",
        preference=f"One of {', '.join(PREFERENCES)}",
        left="Which answer the annotator saw on the left, first or second",
        chosen="The side that was chosen, left or right; both_alike or both_bad where none was",
        preferred_model="The model that was preferred; blank where none was",
        adjudicated="The preference of an adjudicator's decision that stands, where annotators differ; blank "
        "where none was made, and outside the main round",
        adjudicated_left="Which answer the adjudicator saw on the left",
        adjudicated_model="The model that the decision prefers; blank where it prefers none",
        rationale="Free text of the annotator",
    ),
    *fields(
        "boolean",
        answer_read="Whether the annotator had read an adjudicator's answer on an item with the same "
        "question when it was saved",
    ),
    *fields("integer", active_ms="Milliseconds of activity on this item up to this save; not checked"),
    *fields("text", guideline_version="Version of the guideline in force; 0 is the default one"),
    *fields("time", created_at="When it was saved, UTC"),
)


def comparisons_table(view: StudyView) -> RowTable:
    """One row per revision of each annotator's preference."""
    return RowTable(
        name="comparisons",
        unit="one revision of one annotator's preference between two generations",
        fields=COMPARISON_FIELDS,
        rows=tuple(_rows(view)),
    )


def _rows(view: StudyView) -> Iterator[tuple[CsvCell, ...]]:
    pairs = ComparedAnswers.of(view)
    last = last_revisions(view.tables.annotations)
    for one in view.tables.annotations:
        models = dict(zip(("first_better", "second_better"), pairs.models(one), strict=True))
        yield (
            *(one.annotation_id, one.study_id, one.generation_id, pairs.seconds[one.generation_id]),
            *(view.generation(one.generation_id).instance_id, *pairs.models(one)),
            *(one.annotator_id, one.annotator_kind, one.round, one.revision),
            one.revision == last[whose_judgement(one)],
            *(one.response_judgement, one.left, side_chosen(one), models.get(one.response_judgement)),
            *_adjudicated(view, one, models),
            *(one.rationale, one.answer_read, one.active_ms, one.guideline_version),
            f"{one.created_at.astimezone(UTC):{STAMP}}",
        )


def _adjudicated(view: StudyView, one: Annotation, models: Mapping[str, str]) -> tuple[str | None, ...]:
    decision = view.decisions.get(one.generation_id) if one.round == "main" else None
    if decision is None:
        return None, None, None
    said = decision.response_judgement
    return said, decision.left, models.get(said)
