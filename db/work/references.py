"""References for training and control items from what an earlier study came to."""

from sqlalchemy import exists, select
from sqlmodel import Session, col

from annotations.references import unanimous
from annotations.types import Judgement
from clinicnum.errors import InputError
from db.rows import (
    AdjudicationRow,
    GenerationRow,
    InvalidationRow,
    StudyItemRow,
    StudyRow,
)
from db.work.loading import Loaded
from db.work.settling import final_annotations
from db.work.study import find_study
from db.work.workitems import judgement_of


def closed_references(session: Session, study_name: str, *, loaded: Loaded) -> dict[str, Judgement]:
    """The adjudicated and the unanimous items of a closed study among the loaded generations, by their ids.

    Left out are items that are not settled, whose gold was doubted, or that an upheld contest took out.
    Raises InputError for a study that is unknown or not closed, and where no item is left.
    """
    study = find_study(session, study_name)
    if study.status != "closed":
        raise InputError(
            f"study {study.name!r} is {study.status}; references come from a closed one, whose judgements "
            "are final"
        )
    wanted = {row: generation_id for generation_id, row in loaded.generations.items()}
    found: dict[str, Judgement] = {}
    for generation in _settled(session, study):
        if generation not in wanted:
            continue
        decided = _decision(session, study.id, generation)
        judgement = decided or unanimous(
            [judgement_of(row) for row in final_annotations(session, study.id, generation)]
        )
        if judgement is not None and judgement.item_judgement == "valid" and judgement.missing() is None:
            found[wanted[generation]] = judgement
    if not found:
        raise InputError(
            f"study {study.name!r} has no adjudicated or unanimous item among the chosen runs; choose "
            "another study, or give a file of references"
        )
    return found


def _settled(session: Session, study: StudyRow) -> list[str]:
    """The main items that all places were judged of, or an adjudicator decided, and that are still valid."""
    adjudicated = exists().where(
        col(AdjudicationRow.study_id) == col(StudyItemRow.study_id),
        col(AdjudicationRow.generation) == col(StudyItemRow.generation),
    )
    invalid = exists().where(
        col(InvalidationRow.study_id) == col(StudyItemRow.study_id),
        col(InvalidationRow.instance) == col(GenerationRow.instance),
    )
    statement = (
        select(col(StudyItemRow.generation))
        .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
        .where(
            col(StudyItemRow.study_id) == study.id,
            col(StudyItemRow.round) == "main",
            col(StudyItemRow.due).is_not(None) | adjudicated,
            ~invalid,
        )
        .order_by(col(StudyItemRow.position))
    )
    return list(session.scalars(statement))


def _decision(session: Session, study_id: str, generation: str) -> Judgement | None:
    """The last adjudication; its payload holds the decided judgement."""
    statement = (
        select(col(AdjudicationRow.payload))
        .where(col(AdjudicationRow.study_id) == study_id, col(AdjudicationRow.generation) == generation)
        .order_by(col(AdjudicationRow.created_at).desc(), col(AdjudicationRow.id))
        .limit(1)
    )
    payload = session.scalars(statement).first()
    if payload is None:
        return None
    fields = payload.get("judgement", payload)
    return Judgement.model_validate({name: fields[name] for name in Judgement.model_fields if name in fields})
