"""Take reference judgements for training and control items from the outcomes of an earlier study."""

from sqlalchemy import exists, select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import current_decisions
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.reference_judgements import unanimous
from clinicnum.db.rows import GenerationRow, InvalidationRow, StudyItemRow, StudyRow
from clinicnum.db.work.common.adjudication_decisions import load_adjudications
from clinicnum.db.work.common.adjudication_need import final_annotations
from clinicnum.db.work.common.load_work_item import judgement_of
from clinicnum.db.work.runs.store_study_material import LoadedRows
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable


def closed_references(session: Session, study_name: str, *, loaded: LoadedRows) -> dict[str, Judgement]:
    """The settled judgements of a closed study, by generation id, to serve as references in a new study.

    Settled means adjudicated, or given alike by all annotators. Only generations in `loaded`, those of the
    new study, are returned. Left out are items whose gold was doubted or that any study invalidated, and
    answers to fields and criteria of the closed study's own. Raises InputError for a study that is unknown
    or not closed, and if no item is left.
    """
    study = find_study(session, study_name)
    if study.status != "closed":
        raise InputError(
            "study {study!r} is {status}; references come from a closed one, whose judgements are final",
            study=study.name,
            status=Translatable(study.status),
        )
    wanted = {row: generation_id for generation_id, row in loaded.generations.items()}
    decided = current_decisions(load_adjudications(session, study.id))
    found: dict[str, Judgement] = {}
    for generation in _settled(session, study):
        if generation not in wanted:
            continue
        judgement = decided.get(wanted[generation]) or unanimous(
            [judgement_of(row) for row in final_annotations(session, study.id, generation)]
        )
        if judgement is not None and _says_enough(judgement):
            found[wanted[generation]] = judgement.model_copy(update={"custom": {}, "criteria": {}})
    if not found:
        raise InputError(
            "study {study!r} has no adjudicated or unanimous item among the chosen runs; choose "
            "another study, or give a file of references",
            study=study.name,
        )
    return found


def _says_enough(judgement: Judgement) -> bool:
    """Whether a judgement can serve as a reference; one that doubts the item cannot."""
    doubts = judgement.item_judgement != "valid" or judgement.response_judgement == "cannot_judge"
    return not doubts and judgement.missing() is None


def _settled(session: Session, study: StudyRow) -> list[str]:
    """The main items that were judged in all places and were not invalidated by an upheld contest of any
    study.
    """
    invalid = exists().where(col(InvalidationRow.instance) == col(GenerationRow.instance))
    statement = (
        select(col(StudyItemRow.generation))
        .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
        .where(
            col(StudyItemRow.study_id) == study.id,
            col(StudyItemRow.round) == "main",
            col(StudyItemRow.due).is_not(None),
            ~invalid,
        )
        .order_by(col(StudyItemRow.position))
    )
    return list(session.scalars(statement))
