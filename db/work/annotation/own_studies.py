"""The open studies of an annotator, the oldest first, and which of them the next items come from."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import case, func, or_, select
from sqlmodel import Session, col

from clinicnum.annotations.taxonomy import Taxonomy
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.rows import AssignmentRow, StudyAnnotatorRow, StudyItemRow, StudyRow
from clinicnum.db.work.common.chosen_study_and_tour import chosen_study, keep_choice
from clinicnum.db.work.common.load_work_item import expected_pace
from clinicnum.db.work.common.qualification import TrainingResult, training_result
from clinicnum.db.work.studies.study_lifecycle import design_of, taxonomy_of_study
from clinicnum.errors import NotAllowed
from clinicnum.translatable_text import Translatable


@dataclass(frozen=True)
class OwnStudy:
    """An open study as one of its annotators sees it in a list: their own counts, never another's."""

    study_id: str
    name: str
    chosen: bool
    """Whether they put it first."""
    done: int
    total: int
    """Even share of the items, or `done` if greater."""
    expected_ms: int | None
    """Median active time per item, of the annotator or else of the whole study; None without data."""
    deadline: date | None
    training: int
    """Number of training items."""
    trained: int
    """Number of these that they have submitted."""
    result: TrainingResult | None
    """Training result; None if the study has no threshold."""
    taxonomy: Taxonomy | None
    """The study's, if they missed the threshold; else None."""


def own_studies(session: Session, *, user_id: str) -> tuple[OwnStudy, ...]:
    """The open studies that the account annotates, the oldest first."""
    chosen = chosen_study(session, user_id=user_id)
    training = (
        select(func.count())
        .where(col(StudyItemRow.study_id) == col(StudyRow.id), col(StudyItemRow.round) == "training")
        .scalar_subquery()
    )
    trained = (
        select(func.coalesce(func.sum(case((col(AssignmentRow.status) == "submitted", 1), else_=0)), 0))
        .where(
            col(AssignmentRow.study_id) == col(StudyRow.id),
            col(AssignmentRow.user_id) == user_id,
            col(AssignmentRow.round) == "training",
        )
        .scalar_subquery()
    )
    statement = (
        select(StudyRow, StudyAnnotatorRow, training, trained)
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
        .where(col(StudyAnnotatorRow.user_id) == user_id, col(StudyRow.status) == "open")
        .order_by(col(StudyRow.created_at), col(StudyRow.id))
    )
    found = session.execute(statement).all()
    results = {study.id: _result(session, study, user_id) for study, *_ in found}
    missed = {key for key, result in results.items() if result is not None and result.state == "missed"}
    return tuple(
        OwnStudy(
            study_id=study.id,
            name=study.name,
            chosen=study.id == chosen,
            done=own.done,
            total=max(own.total, own.done),
            expected_ms=expected_pace(session, user_id=user_id, study_id=study.id),
            deadline=study.deadline,
            training=items,
            trained=done,
            result=results[study.id],
            taxonomy=taxonomy_of_study(session, study_id=study.id) if study.id in missed else None,
        )
        for study, own, items, done in found
    )


@dataclass(frozen=True)
class LeftStudy:
    """The study that an annotator has just left, because the next item belongs to another one."""

    name: str
    finished: bool
    """Whether they have done all their items of it; otherwise none waits for them just now."""


def left_study(
    session: Session, *, user_id: str, assignment_id: str, following: Workitem | None
) -> LeftStudy | None:
    """The study of the assignment that has just ended, if the following item belongs to another study; None
    if it belongs to the same one, or if there is none.
    """
    study_id = session.get_one(AssignmentRow, assignment_id).study_id
    if following is None or following.study_id == study_id:
        return None
    own = session.get_one(StudyAnnotatorRow, (study_id, user_id))
    session.refresh(own)
    return LeftStudy(session.get_one(StudyRow, study_id).name, own.done >= own.total)


def _result(session: Session, study: StudyRow, user_id: str) -> TrainingResult | None:
    threshold = design_of(study).qualifying
    if threshold is None:
        return None
    return training_result(session, study_id=study.id, user_id=user_id, threshold=threshold)


def find_own_study(session: Session, *, user_id: str, study: str) -> str:
    """The id of the study with this id or name that the account annotates, in any state.

    Raises NotAllowed if there is none.
    """
    statement = (
        select(col(StudyRow.id))
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.study_id) == col(StudyRow.id))
        .where(
            col(StudyAnnotatorRow.user_id) == user_id,
            or_(col(StudyRow.id) == study, col(StudyRow.name) == study),
        )
    )
    found = session.scalars(statement).first()
    if found is None:
        raise NotAllowed("There is no study “{study}” for you to label.", study=study)
    return found


def choose_study(session: Session, *, user_id: str, study_id: str | None) -> None:
    """Let the annotator's next items come from this study while it has any; None: from the oldest first.

    An item in progress in another study is kept until that study is chosen. Raises NotAllowed for a study
    that is not open or that they do not annotate.
    """
    if study_id is not None:
        study = session.get(StudyRow, study_id)
        if study is None or session.get(StudyAnnotatorRow, (study_id, user_id)) is None:
            raise NotAllowed("You are not an annotator of this study; choose one of those in your list.")
        if study.status != "open":
            raise NotAllowed(
                "The study {study} is {status} now; choose another one.",
                study=study.name,
                status=Translatable(study.status),
            )
    keep_choice(session, user_id=user_id, study_id=study_id)
