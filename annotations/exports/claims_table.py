"""The table of a claims study: what each annotator said of each sentence, in each round."""

from collections.abc import Iterator
from datetime import UTC

from clinicnum.annotations.claim_verdict import parts_of
from clinicnum.annotations.claims.claim import claim_of_key, is_complete
from clinicnum.annotations.exports.annotation_tables import (
    KIND,
    LAST,
    decided_on,
    last_revisions,
    whose_judgement,
)
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import STAMP, RowTable, fields
from clinicnum.annotations.report.study_view import StudyView

CLAIM_FIELDS = (
    *fields(
        "text",
        annotation_id="Id of this revision",
        study_id="Id of the study",
        generation_id="The answer that was checked",
        instance_id="The item that it answers",
        model="The run of the answer, as the report names it",
        annotator_id="Pseudonym of the annotator, valid in this study only",
    ),
    KIND,
    *fields("text", round="main or repeat"),
    *fields(
        "integer",
        revision="1 for the first of a round; none is overwritten. Where the item has a reference, people "
        "save the first before they see it",
    ),
    LAST,
    *fields(
        "boolean",
        complete="Whether it is submitted, with the sentences of the item's reference if it has any; a "
        "revision that is only locked is not, and does not count",
    ),
    *fields(
        "text",
        claim="The sentence: a for the answer or r for the reference, and its characters",
        part="answer or reference",
    ),
    *fields(
        "integer",
        start="First character of the sentence, counted from 0 in the generation's text or the gold answer",
        end="The character after its last",
    ),
    *fields(
        "text",
        verdict="supported, contradicted or not_addressed by the item's text; of a reference's sentence, "
        "stated or omitted in the answer",
        harm="none, minor or major, if somebody acts on it; blank where supported or stated",
        adjudicated_verdict="The verdict of an adjudicator's decision that stands, where annotators differ; "
        "blank where none was made, and outside the main round",
        adjudicated_harm="The harm in that decision; blank where supported or stated",
        rationale="Free text of the annotator on the whole answer",
    ),
    *fields(
        "boolean",
        reference_known="Whether the annotator had seen the reference with another answer to the same "
        "question before the first revision; false in repeats, whose own reference was shown before",
        answer_read="Whether the annotator had read an adjudicator's answer on an item with the same "
        "question when it was saved",
    ),
    *fields("integer", active_ms="Milliseconds of activity on this item up to this save; not checked"),
    *fields("text", guideline_version="Version of the guideline in force; 0 is the default one"),
    *fields("time", created_at="When it was saved, UTC"),
)


def claims_table(view: StudyView) -> RowTable:
    """One row per sentence, annotator, round and revision."""
    return RowTable(
        name="claims",
        unit="one annotator's verdict on one sentence of a generation or its reference, in one revision",
        fields=CLAIM_FIELDS,
        rows=tuple(_rows(view)),
    )


def _rows(view: StudyView) -> Iterator[tuple[CsvCell, ...]]:
    models = {one.generation.generation_id: run.name for run in view.runs for one in run.answers}
    last = last_revisions(view.tables.annotations)
    for one in view.tables.annotations:
        instance = view.generation(one.generation_id).instance_id
        complete = is_complete(one.claims, view.instance(one.generation_id))
        for key, verdict in one.claims.items():
            claim = claim_of_key(key)
            yield (
                *(one.annotation_id, one.study_id, one.generation_id),
                *(instance, models[one.generation_id]),
                *(one.annotator_id, one.annotator_kind, one.round, one.revision),
                one.revision == last[whose_judgement(one)],
                complete,
                *(key, claim.part, claim.start, claim.end, *parts_of(verdict)),
                *_adjudicated(decided_on(view, one, "claims").get(key)),
                *(one.rationale, one.reference_known, one.answer_read, one.active_ms, one.guideline_version),
                f"{one.created_at.astimezone(UTC):{STAMP}}",
            )


def _adjudicated(verdict: str | None) -> tuple[str | None, str | None]:
    return (None, None) if verdict is None else parts_of(verdict)
