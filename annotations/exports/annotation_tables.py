"""Tables of annotations: one with a row per revision, one with a row per code."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from operator import attrgetter
from typing import Any

from clinicnum.annotations.custom_fields import CustomField
from clinicnum.annotations.exports.judgement_columns import (
    custom_cells,
    custom_columns,
    judgement_cells,
    judgement_columns,
)
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import STAMP, Field, RowTable, fields
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.types import Annotation
from clinicnum.types import Cell

KIND = Field(
    name="annotator_kind",
    kind="text",
    description="human, or simulated: a scripted stand-in whose labels test the software and nothing else",
)
(ANNOTATORS,) = fields(
    "text", annotator_kind="Of all annotators of the study: human, simulated, or human+simulated"
)
_WHOSE = (
    *fields(
        "text",
        annotation_id="Id of this revision",
        study_id="Id of the study",
        generation_id="The generation that was judged",
        annotator_id="Pseudonym of the annotator, valid in this study only",
    ),
    KIND,
    *fields("text", round="main, training, control or repeat"),
    *fields(
        "integer",
        revision="1 for the first of a round, which people save before gold and score are shown in it; "
        "scripts have gold and score in sight from the start. None is overwritten",
    ),
)
LAST = Field(
    name="last",
    kind="boolean",
    description="Whether it is the annotator's last revision on this generation in this round",
)
ANNOTATION_FIELDS = (
    *_WHOSE,
    LAST,
    *judgement_columns(),
    *fields(
        "boolean",
        suggestion_shown="Whether automatic suggestions, if there were any, were in sight when it was saved",
        reference_known="Whether the annotator had seen the reference of another item with the same question "
        "and records before the first revision; false in repeats, whose own was shown before, and where only "
        "that of another group_id may have told it",
        answer_read="Whether the annotator had read an adjudicator's answer on an item with the same "
        "question and records when it was saved",
    ),
    *fields(
        "text",
        contradictions="What the annotator was asked about, as it speaks against gold, score or text, and "
        "kept; names joined by |",
    ),
    *fields(
        "integer",
        active_ms="Milliseconds of activity on this item up to this save, as sent with it; not checked",
    ),
    *fields(
        "text",
        taxonomy_version="Version of the taxonomy that the codes are from",
        guideline_version="Version of the guideline in force; 0 is the default one, made from the taxonomy",
    ),
    *fields("time", created_at="When it was saved, UTC"),
)
LABEL_FIELDS = (
    *_WHOSE,
    LAST,
    *fields("text", code="class or class.sub_class of the taxonomy", level1="The class alone"),
    *fields("boolean", primary="Whether it is the first error; one code of a revision is"),
    *fields(
        "text",
        spans="Evidence in the model's text: JSON list of [start, end], characters, end excluded",
        context_spans="Evidence in the context, in the same form",
        cells="Evidence in the records: JSON list of {record, vital}, record counted from 0",
    ),
)


def annotations_table(annotations: Iterable[Annotation], fields: Sequence[CustomField] = ()) -> RowTable:
    """All revisions, one per row; labels are joined by `|`, and `none` stands for no label.

    The study's custom fields have the last columns.
    """
    annotations = tuple(annotations)
    last = last_revisions(annotations)
    return RowTable(
        name="annotations",
        unit="one revision of one annotator's judgement on one generation",
        fields=(*ANNOTATION_FIELDS, *custom_columns(fields)),
        rows=tuple(
            (*_annotation_row(one, one.revision == last[whose_judgement(one)]), *custom_cells(one, fields))
            for one in annotations
        ),
    )


def labels_table(annotations: Iterable[Annotation]) -> RowTable:
    """All codes of all revisions, one per row, with their evidence."""
    annotations = tuple(annotations)
    last = last_revisions(annotations)
    return RowTable(
        name="labels",
        unit="one code of one revision",
        fields=LABEL_FIELDS,
        rows=tuple(
            row for one in annotations for row in _label_rows(one, one.revision == last[whose_judgement(one)])
        ),
    )


def annotations_jsonl(annotations: Iterable[Annotation]) -> str:
    """All revisions as JSONL in the format of `Annotation`, including evidence."""
    return "".join(one.model_dump_json() + "\n" for one in annotations)


whose_judgement: Callable[[Annotation], tuple[str, ...]] = attrgetter(
    "generation_id", "annotator_id", "round"
)
"""Key shared by all revisions of a judgement."""


def decided_on(view: StudyView, one: Annotation, part: str) -> Mapping[str, Any]:
    """What the decision that stands on a judgement's answer says in a field of judgements (`custom`, `claims`
    or `criteria`); empty without one, and for judgements outside the main round.
    """
    decision = view.decisions.get(one.generation_id) if one.round == "main" else None
    return {} if decision is None else getattr(decision, part)


def last_revisions(annotations: Iterable[Annotation]) -> dict[tuple[str, ...], int]:
    """Key of each judgement -> number of its last revision."""
    last: dict[tuple[str, ...], int] = {}
    for one in annotations:
        last[whose_judgement(one)] = max(one.revision, last.get(whose_judgement(one), 0))
    return last


# One `attrgetter` for all columns is fast: a study can have a hundred thousand rows.
_whose: Callable[[Annotation], tuple[CsvCell, ...]] = attrgetter(*(field.name for field in _WHOSE))
_CIRCUMSTANCES = ("active_ms", "taxonomy_version", "guideline_version")
_circumstances: Callable[[Annotation], tuple[CsvCell, ...]] = attrgetter(*_CIRCUMSTANCES)


def _annotation_row(one: Annotation, last: bool) -> tuple[CsvCell, ...]:
    created = f"{one.created_at.astimezone(UTC):{STAMP}}"
    seen = (one.suggestion_shown, one.reference_known, one.answer_read, "|".join(one.contradictions))
    return (*_whose(one), last, *judgement_cells(one), *seen, *_circumstances(one), created)


def _label_rows(one: Annotation, last: bool) -> Iterator[tuple[CsvCell, ...]]:
    whose = (*_whose(one), last)
    for label in one.labels:
        level1 = label.code.partition(".")[0]
        spans, context_spans = (json.dumps(some) for some in (label.spans, label.context_spans))
        yield (*whose, label.code, level1, label.primary, spans, context_spans, _cells(label.cells))


def _cells(cells: Iterable[Cell]) -> str:
    return json.dumps([cell.model_dump() for cell in cells])
