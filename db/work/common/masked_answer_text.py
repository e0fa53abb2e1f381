"""A model's answer as text, with the names of a study's models masked while the study masks them."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.masked_model_names import mask_model
from clinicnum.db.rows import GenerationRow, StudyRunRow
from clinicnum.types import Generation


def answer_text(session: Session, study_id: str, generation: str, *, hidden: bool) -> str:
    """The text of a generation, by its row id; if `hidden`, with the names of all models of the study
    masked.
    """
    text = Generation.model_validate(session.get_one(GenerationRow, generation).payload).text
    metas = session.scalars(select(col(StudyRunRow.meta)).where(col(StudyRunRow.study_id) == study_id))
    for meta in metas if hidden else ():
        text = mask_model(text, meta.get("model"))
    return text
