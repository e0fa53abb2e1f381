"""The guideline shown beside an item, available to annotators of the study only."""

from dataclasses import dataclass

from sqlmodel import Session

from clinicnum.annotations.custom_fields import CustomField
from clinicnum.db.rows import GuidelineRow, StudyAnnotatorRow, StudyRow
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import NotAllowed


@dataclass(frozen=True)
class Guideline:
    """One version of a study's guideline."""

    study_id: str
    study_name: str
    version: str
    text: str
    """Markdown; empty if the study was opened without one."""
    fields: tuple[CustomField, ...]
    """What the study adds to the judgement."""


def guideline_of(session: Session, *, user_id: str, study_id: str) -> Guideline:
    """The guideline version that new labels refer to. Raises the same NotAllowed for outsiders and for an
    unknown study.
    """
    study = session.get(StudyRow, study_id)
    if study is None or session.get(StudyAnnotatorRow, (study_id, user_id)) is None:
        raise NotAllowed("You do not annotate this study; reload the page and go on with your own.")
    row = session.get(GuidelineRow, (study_id, int(study.guideline_version)))
    return Guideline(
        study_id=study_id,
        study_name=study.name,
        version=study.guideline_version,
        text="" if row is None else row.text,
        fields=design_of(study).fields,
    )
