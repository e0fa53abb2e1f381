"""The lead's actions on annotators who missed the training threshold: repeat training, qualify by hand.

Each is one transaction with one audit row, which holds the reason.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import AssignmentRow, QualificationRow, StudyAnnotatorRow, StudyRow, UserRow
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.annotation.next_assignment import take_again
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.qualification import TrainingResult, training_result
from clinicnum.db.work.studies.study_lifecycle import design_of, find_annotator, find_study, lock_study
from clinicnum.errors import Conflict, InputError

LONGEST_REASON = 500
BLANK = {"response_judgement": None}
"""A draft of an empty form, so that the page does not show the judgement of the attempt before."""


@dataclass(frozen=True)
class Trainee:
    """An annotator of a study with a threshold, and their training result."""

    name: str
    result: TrainingResult


def trainees(session: Session, *, name: str) -> tuple[Trainee, ...]:
    """The annotators of a study with their training results, in the order of their names; empty for a study
    without a threshold.

    Raises InputError for an unknown study.
    """
    study = find_study(session, name)
    threshold = design_of(study).qualifying
    if threshold is None:
        return ()
    statement = (
        select(col(UserRow.name), col(UserRow.id))
        .join(StudyAnnotatorRow, col(StudyAnnotatorRow.user_id) == col(UserRow.id))
        .where(col(StudyAnnotatorRow.study_id) == study.id)
        .order_by(col(UserRow.name))
    )
    return tuple(
        Trainee(who, training_result(session, study_id=study.id, user_id=user_id, threshold=threshold))
        for who, user_id in session.execute(statement)
    )


def repeat_training(
    session: Session, *, name: str, annotator: str, reason: str, actor: str = COMMAND_LINE
) -> TrainingResult:
    """Let an annotator who missed the threshold judge all training items again; returns their result in the
    new attempt.

    Only that attempt then counts; earlier judgements are kept. Raises Conflict if their training has not
    ended, if they are qualified already, or if the study is closed; InputError for an unknown study or one
    without a threshold, for somebody who is not its annotator, and for an empty or too long reason.
    """
    said, study, own, before = _held_back(session, name, annotator, reason)
    if before.state != "missed":
        raise Conflict(
            "the training of {annotator} has not ended yet; let them finish it first", annotator=annotator
        )
    rows = session.scalars(
        select(AssignmentRow).where(
            col(AssignmentRow.study_id) == study.id,
            col(AssignmentRow.user_id) == own.user_id,
            col(AssignmentRow.round) == "training",
        )
    ).all()
    for row in rows:
        own.done -= row.status == "submitted"
        own.skipped -= row.status == "skipped"
        if row.status == "skipped":
            take_again(session, study.id, row.generation)
        row.status, row.skip_reason, row.draft, row.leased_until = "open", None, BLANK, None
    kept = _kept(session, study.id, own.user_id)
    kept.attempt += 1
    kept.since = {row.id: row.revision for row in rows}
    session.flush()
    again = {"attempt": kept.attempt, "assignments": sorted(kept.since)}
    _log(session, "repeat_training", study, own, before, {"reason": said, **again}, actor)
    return _result(session, study, own)


def qualify_by_hand(
    session: Session, *, name: str, annotator: str, reason: str, actor: str = COMMAND_LINE
) -> TrainingResult:
    """Give real items to an annotator below the threshold; returns their result.

    Raises InputError and Conflict as `repeat_training` does, but also takes annotators whose training goes
    on.
    """
    said, study, own, before = _held_back(session, name, annotator, reason)
    _kept(session, study.id, own.user_id).reason = said
    session.flush()
    _log(session, "qualify_annotator", study, own, before, {"reason": said}, actor)
    return _result(session, study, own)


def _held_back(
    session: Session, name: str, annotator: str, reason: str
) -> tuple[str, StudyRow, StudyAnnotatorRow, TrainingResult]:
    """(reason, study, annotator in it, training result), after checking that the annotator is held back in a
    study that may be changed. Raises as `repeat_training` does.
    """
    said = reason.strip()
    if not 1 <= len(said) <= LONGEST_REASON:
        raise InputError(
            "the reason has {n} characters; expected 1 to {most}, as it is kept in the log",
            n=len(said),
            most=LONGEST_REASON,
        )
    lock_study(session, find_study(session, name).id)
    study = find_study(session, name, locked=True)
    if study.status == "closed":
        raise Conflict("study {study!r} is closed; reopen it to change it", study=study.name)
    if design_of(study).qualifying is None:
        raise InputError(
            "study {study!r} has no threshold after training; nobody is held back in it",
            study=study.name,
        )
    user = find_annotator(session, annotator)
    own = session.get(StudyAnnotatorRow, (study.id, user.id), populate_existing=True)
    if own is None:
        raise InputError(
            "{name!r} is no annotator of study {study!r}; name one of its annotators",
            name=user.name,
            study=study.name,
        )
    before = _result(session, study, own)
    if before.qualified:
        raise Conflict(
            "{name!r} is qualified for study {study!r} already",
            name=user.name,
            study=study.name,
        )
    return said, study, own, before


def _result(session: Session, study: StudyRow, own: StudyAnnotatorRow) -> TrainingResult:
    threshold = design_of(study).qualifying
    assert threshold is not None
    return training_result(session, study_id=study.id, user_id=own.user_id, threshold=threshold)


def _kept(session: Session, study_id: str, user_id: str) -> QualificationRow:
    row = session.get(QualificationRow, (study_id, user_id))
    if row is None:
        row = QualificationRow(study_id=study_id, user_id=user_id)
        session.add(row)
    return row


def _log(
    session: Session,
    action: str,
    study: StudyRow,
    own: StudyAnnotatorRow,
    before: TrainingResult,
    after: dict[str, Any],
    actor: str,
) -> None:
    came_to = {"right": before.right, "needed": before.threshold, "attempt": before.attempt}
    who = {"annotator": own.pseudonym, "user": own.user_id}
    append(session, study_id=study.id, actor=actor, action=action, before=came_to, after=who | after)
