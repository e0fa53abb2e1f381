"""The table of a ratings study: the point that each annotator gave each answer on each axis."""

from collections.abc import Iterator
from datetime import UTC

from clinicnum.annotations.exports.annotation_tables import (
    KIND,
    LAST,
    decided_on,
    last_revisions,
    whose_judgement,
)
from clinicnum.annotations.ratings.rating_axes import numbers_of
from clinicnum.annotations.report.csv_without_formulas import CsvCell
from clinicnum.annotations.report.export_table import STAMP, RowTable, fields
from clinicnum.annotations.report.rated_answers import Ratings, point_of
from clinicnum.annotations.report.study_view import StudyView

RATING_FIELDS = (
    *fields(
        "text",
        annotation_id="Id of this revision; its rows are one judgement",
        study_id="Id of the study",
        generation_id="The answer that was rated",
        instance_id="The item that it answers",
        model="The run of the answer, as the report names it",
        annotator_id="Pseudonym of the annotator, valid in this study only",
    ),
    KIND,
    *fields("text", round="main or repeat"),
    *fields("integer", revision="1 for the first of a round; none is overwritten"),
    LAST,
    *fields(
        "text",
        axis="Name of the axis",
        point="The point that was given",
    ),
    *fields(
        "integer",
        number="What the point counts in means: itself if all points are whole numbers in order, else its "
        "place from 1",
    ),
    *fields(
        "text",
        adjudicated="The point of an adjudicator's decision that stands, where ratings are far apart; blank "
        "where none was made, and outside the main round",
    ),
    *fields("integer", adjudicated_number="What that point counts in means"),
    *fields("text", means="What the point means, as declared", rationale="Free text of the annotator"),
    *fields(
        "boolean",
        reference_shown="Whether the gold answer stood beside the answer",
        answer_read="Whether the annotator had read an adjudicator's answer on an item with the same "
        "question when it was saved",
    ),
    *fields("integer", active_ms="Milliseconds of activity on this item up to this save; not checked"),
    *fields("text", guideline_version="Version of the guideline in force; 0 is the default one"),
    *fields("time", created_at="When it was saved, UTC"),
)


def ratings_table(view: StudyView) -> RowTable:
    """One row for each axis of each revision of an annotator's ratings of an answer."""
    return RowTable(
        name="ratings",
        unit="one revision of one annotator's rating of one generation on one axis",
        fields=RATING_FIELDS,
        rows=tuple(_rows(view)),
    )


def _rows(view: StudyView) -> Iterator[tuple[CsvCell, ...]]:
    model_of = Ratings(view).model_of
    shown = view.tables.design is not None and view.tables.design.reference
    axes = [
        (axis, numbers_of(axis), {one.value: one.means for one in axis.options})
        for axis in view.tables.fields
    ]
    last = last_revisions(view.tables.annotations)
    for one in view.tables.annotations:
        for axis, numbers, means in axes:
            point = point_of(one, axis) or ""
            decided = decided_on(view, one, "custom").get(axis.name)
            yield (
                *(one.annotation_id, one.study_id, one.generation_id),
                *(view.generation(one.generation_id).instance_id, model_of[one.generation_id]),
                *(one.annotator_id, one.annotator_kind, one.round, one.revision),
                *(one.revision == last[whose_judgement(one)], axis.name, point or None),
                *(numbers.get(point), decided, numbers.get(decided or ""), means.get(point) or None),
                *(one.rationale, shown, one.answer_read),
                *(one.active_ms, one.guideline_version, f"{one.created_at.astimezone(UTC):{STAMP}}"),
            )
