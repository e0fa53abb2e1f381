"""Load what adjudicators decided in a study, as frozen types: decisions, contests, invalidations.

Outside the database adjudicators are called J1, J2, ... in the order of their first decision or answer.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import Adjudication, stands
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.types import Contest, Invalidation
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    AssignmentRow,
    CitationRow,
    ContestRow,
    GenerationRow,
    InstanceRow,
    InvalidationRow,
    MessageRow,
    StudyAnnotatorRow,
    UserRow,
)
from clinicnum.db.work.common.model_masking_period import models_shown_at, was_blind


def load_adjudications(session: Session, study_id: str) -> tuple[Adjudication, ...]:
    """All decisions in the order they were made, including superseded ones. Raises InputError for one that a
    newer version wrote.
    """
    names, current = pseudonyms_of(session, study_id), _current(session, study_id)
    cites, shown = _cites(session, study_id), models_shown_at(session, study_id)
    statement = (
        select(AdjudicationRow, col(GenerationRow.generation_id), col(UserRow.annotator_kind))
        .join(GenerationRow, col(GenerationRow.id) == col(AdjudicationRow.generation))
        .join(UserRow, col(UserRow.id) == col(AdjudicationRow.user_id))
        .where(col(AdjudicationRow.study_id) == study_id)
        .order_by(col(AdjudicationRow.created_at), col(AdjudicationRow.id))
    )
    rows = session.execute(statement).all()
    last = {row.generation: row.id for row, _, _ in rows}
    return tuple(
        read_stored(
            Adjudication,
            {
                "adjudication_id": row.id,
                "study_id": study_id,
                "generation_id": generation_id,
                "adjudicator_id": names[row.user_id],
                "adjudicator_kind": kind,
                "cites": cites[row.id],
                "stands": last[row.generation] == row.id
                and stands(cites[row.id], current.get(row.generation, [])),
                "created_at": row.created_at,
                "blind": was_blind(row.created_at, shown),
                **row.payload,
            },
        )
        for row, generation_id, kind in rows
    )


def load_contests(session: Session, study_id: str) -> tuple[Contest, ...]:
    """The contests that were not withdrawn."""
    statement = (
        select(
            ContestRow,
            col(GenerationRow.generation_id),
            col(StudyAnnotatorRow.pseudonym),
            col(UserRow.annotator_kind),
        )
        .join(GenerationRow, col(GenerationRow.id) == col(ContestRow.generation))
        .join(AssignmentRow, col(AssignmentRow.id) == col(ContestRow.assignment_id))
        .join(
            StudyAnnotatorRow,
            (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
        )
        .outerjoin(UserRow, col(UserRow.id) == col(ContestRow.decided_by))
        .where(col(ContestRow.study_id) == study_id, col(ContestRow.status) != "withdrawn")
        .order_by(col(GenerationRow.generation_id), col(StudyAnnotatorRow.pseudonym))
    )
    names, shown = pseudonyms_of(session, study_id), models_shown_at(session, study_id)
    return tuple(
        Contest.model_validate(
            {
                "contest_id": row.annotation_id,
                "generation_id": generation_id,
                "annotator_id": pseudonym,
                "kind": row.kind,
                "proposed_gold": row.proposed_gold,
                "status": row.status,
                "decided_by": names[row.decided_by] if row.decided_by else None,
                "adjudicator_kind": kind,
                "comment": row.decision["comment"] if row.decision else None,
                "blind": was_blind(row.closed_at, shown),
            }
        )
        for row, generation_id, pseudonym, kind in session.execute(statement)
    )


def load_invalidations(session: Session, study_id: str) -> tuple[Invalidation, ...]:
    """The invalidated instances, in the benchmark's order."""
    statement = (
        select(InvalidationRow, col(InstanceRow.instance_id), col(ContestRow.closed_at))
        .join(InstanceRow, col(InstanceRow.id) == col(InvalidationRow.instance))
        .join(ContestRow, col(ContestRow.annotation_id) == col(InvalidationRow.contest))
        .where(col(InvalidationRow.study_id) == study_id)
        .order_by(col(InstanceRow.position), col(InstanceRow.id))
    )
    shown = models_shown_at(session, study_id)
    return tuple(
        Invalidation(
            instance_id=instance_id,
            contest_id=row.contest,
            rule=row.rule,
            reason=row.reason,
            blind=was_blind(decided_at, shown),
        )
        for row, instance_id, decided_at in session.execute(statement)
    )


def pseudonyms_of(session: Session, study_id: str) -> Mapping[str, str]:
    """User id -> pseudonym of all who have decided or answered in the study, numbered by who did so first."""
    decided = select(col(AdjudicationRow.user_id), col(AdjudicationRow.created_at)).where(
        col(AdjudicationRow.study_id) == study_id
    )
    closed = select(col(ContestRow.decided_by), col(ContestRow.closed_at)).where(
        col(ContestRow.study_id) == study_id, col(ContestRow.decided_by).is_not(None)
    )
    answered = select(col(MessageRow.author), col(MessageRow.created_at)).where(
        col(MessageRow.study_id) == study_id, col(MessageRow.kind) != "reply"
    )
    first: dict[str, datetime] = {}
    for user_id, at in [*session.execute(decided), *session.execute(closed), *session.execute(answered)]:
        first[user_id] = min(at, first.get(user_id, at))
    ordered = sorted(first, key=lambda user_id: (first[user_id], user_id))
    return {user_id: f"J{number}" for number, user_id in enumerate(ordered, start=1)}


def _current(session: Session, study_id: str) -> Mapping[str, list[str]]:
    """Ids of the last submitted revisions by generation row, for generations with a decision."""
    statement = (
        select(col(AssignmentRow.generation), col(AnnotationRow.id))
        .join(
            AnnotationRow,
            (col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
            & (col(AssignmentRow.revision) == col(AnnotationRow.revision)),
        )
        .where(
            col(AssignmentRow.study_id) == study_id,
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) == "main",
            col(AssignmentRow.generation).in_(
                select(col(AdjudicationRow.generation)).where(col(AdjudicationRow.study_id) == study_id)
            ),
        )
    )
    found: dict[str, list[str]] = {}
    for generation, annotation in session.execute(statement):
        found.setdefault(generation, []).append(annotation)
    return found


def _cites(session: Session, study_id: str) -> Mapping[str, list[str]]:
    statement = (
        select(col(CitationRow.adjudication_id), col(CitationRow.annotation_id))
        .join(AdjudicationRow, col(AdjudicationRow.id) == col(CitationRow.adjudication_id))
        .where(col(AdjudicationRow.study_id) == study_id)
        .order_by(col(CitationRow.annotation_id))
    )
    found: dict[str, list[str]] = {}
    for adjudication, annotation in session.execute(statement):
        found.setdefault(adjudication, []).append(annotation)
    return found
