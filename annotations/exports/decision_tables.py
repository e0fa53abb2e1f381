"""Tables of decisions: a row per adjudication, per invalidated instance, and per ruling."""

from collections.abc import Iterable, Sequence
from datetime import UTC

from pydantic import BaseModel

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.exports.judgement_columns import (
    PUBLIC,
    custom_cells,
    custom_columns,
    judgement_cells,
    judgement_columns,
)
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import STAMP, RowTable, fields
from clinicnum.annotations.types import Invalidation, Ruling

ADJUDICATION_FIELDS = (
    *fields(
        "text",
        adjudication_id="Id of this decision",
        study_id="Id of the study",
        generation_id="The generation that was decided on",
        adjudicator_id="Pseudonym of the adjudicator, valid in this study only",
        adjudicator_kind="human, or simulated: a scripted stand-in; blank where not known",
    ),
    *fields(
        "boolean",
        stands="The last decision on the generation, and nothing that it settles was revised or added since",
        taken_over="Whether it was taken over from annotators of one position, their evidence put together; "
        "else it was entered anew, even if one said the same",
    ),
    *judgement_columns(PUBLIC, decided=True),
    *fields(
        "text",
        comment="Free text of the adjudicator",
        cites="annotation_id of each annotation that it settles, joined by |",
        taxonomy_version="Version of the taxonomy that the codes are from",
    ),
    *fields("time", created_at="When it was decided, UTC"),
    *fields(
        "boolean",
        blind="Whether it was decided before models were shown; blank where not known",
    ),
)
DECIDED = (
    *fields(
        "text",
        decided="What was decided beyond labels: KEY=ANSWER for each disputed criterion, axis or sentence, "
        "joined by |; a preference is in response_judgement",
    ),
)
INVALIDATION_FIELDS = (
    *fields(
        "text",
        instance_id="The instance that an upheld contest took out, for all models",
        contest_id="The contest: annotation_id of the annotation that raised it",
        rule="The validity rule that it fails, or by hand: the scope that the adjudicator chose",
        reason="What the rule found, or what the contest says",
    ),
    *fields(
        "boolean",
        blind="Whether the contest was decided before models were shown; blank where not known",
    ),
)
RULING_FIELDS = (
    *fields(
        "text",
        ruling_id="Id of this ruling",
        instance_id="The instance that an annotator had asked about",
        generation_id="The generation on which the annotator had asked",
        question="What the annotator had asked or claimed",
        text="The rule that the adjudicator gave with the answer",
        adjudicator_id="Pseudonym of the adjudicator, valid in this study only",
        guideline_version="The first version of the guideline that was made with it; blank if none was",
    ),
    *fields("time", created_at="When it was given, UTC"),
)


def adjudications_table(
    adjudications: Iterable[Adjudication], fields: Sequence[CustomField] = (), *, disputes: bool = False
) -> RowTable:
    """All decisions in the order they were made, including superseded ones.

    The study's custom fields have the last columns, before them what was decided beyond labels where the
    study settles `disputes`.
    """
    return RowTable(
        name="adjudications",
        unit="one decision of an adjudicator on one generation",
        fields=(*ADJUDICATION_FIELDS, *(DECIDED if disputes else ()), *custom_columns(fields)),
        rows=tuple(
            (*_row(one), *([_decided(one)] if disputes else ()), *custom_cells(one.judgement, fields))
            for one in adjudications
        ),
    )


def invalidations_table(invalidations: Iterable[Invalidation]) -> RowTable:
    """The instances excluded by upheld contests."""
    names = [field.name for field in INVALIDATION_FIELDS]
    return RowTable(
        name="invalidations",
        unit="one instance that an upheld contest takes out of accuracy without contested questions",
        fields=INVALIDATION_FIELDS,
        rows=tuple(tuple(getattr(one, name) for name in names) for one in invalidations),
    )


def rulings_table(rulings: Iterable[Ruling]) -> RowTable:
    """The rulings in the order they were given."""
    names = [field.name for field in RULING_FIELDS[:-1]]
    return RowTable(
        name="rulings",
        unit="one general rule that an adjudicator gave with an answer to an annotator",
        fields=RULING_FIELDS,
        rows=tuple(
            (*(getattr(one, name) for name in names), f"{one.created_at.astimezone(UTC):{STAMP}}")
            for one in rulings
        ),
    )


def _decided(one: Adjudication) -> str | None:
    judgement = one.judgement
    axes = {} if judgement.judges_failures else judgement.custom
    answers = {**judgement.criteria, **judgement.claims, **axes}
    return "|".join(f"{key}={said}" for key, said in answers.items()) or None


def decisions_jsonl(decisions: Iterable[BaseModel]) -> str:
    """Adjudications, contests, invalidations or rulings as JSONL."""
    return "".join(one.model_dump_json() + "\n" for one in decisions)


def _row(one: Adjudication) -> tuple[CsvCell, ...]:
    return (
        one.adjudication_id,
        one.study_id,
        one.generation_id,
        one.adjudicator_id,
        one.adjudicator_kind,
        one.stands,
        one.taken_over,
        *judgement_cells(one.judgement, PUBLIC),
        one.comment,
        "|".join(one.cites),
        one.taxonomy_version,
        f"{one.created_at.astimezone(UTC):{STAMP}}",
        one.blind,
    )
