"""The judgements that a study's results rest on: the last one that each annotator submitted in the main
round.
"""

from typing import Any

from sqlalchemy import Select, select
from sqlmodel import col

from clinicnum.db.rows import AnnotationRow, AssignmentRow, GenerationRow, StudyItemRow


def final_judgements(study_id: str) -> Select[tuple[str, str, dict[str, Any]]]:
    """SQL that selects (generation row id, generation_id, annotation payload) of each annotator's last
    submitted judgement in the main round. The item's row is joined, so that the caller can add conditions on
    it.
    """
    return (
        select(col(AssignmentRow.generation), col(GenerationRow.generation_id), col(AnnotationRow.payload))
        .join(GenerationRow, col(GenerationRow.id) == col(AssignmentRow.generation))
        .join(
            AnnotationRow,
            (col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
            & (col(AssignmentRow.revision) == col(AnnotationRow.revision)),
        )
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyItemRow.generation) == col(AssignmentRow.generation)),
        )
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) == "main",
        )
    )
