"""A researcher's changes to a study after its opening: pause, reopen, guideline, deadline, annotators.

Each is one transaction with one audit row that holds the values before and after. Changes to the
distribution of items take the study's lock first, as claiming an item does.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from clinicnum.annotations.assignment import share_of_work
from clinicnum.annotations.types import StudySummary
from clinicnum.db.rows import (
    GuidelineRow,
    GuidelineRulingRow,
    MessageRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    utc_now,
)
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.studies.study_lifecycle import (
    clean_guideline,
    design_of,
    find_annotator,
    find_study,
    lock_study,
)
from clinicnum.db.work.studies.study_summaries import summarise
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import text_id
from clinicnum.translatable_text import Translatable


def pause_study(session: Session, *, name: str, actor: str = COMMAND_LINE) -> StudySummary:
    """Pause the study: nobody can save until it is reopened.

    Raises InputError for an unknown study, Conflict unless it is open.
    """
    study = find_study(session, name, locked=True)
    if study.status != "open":
        raise Conflict(
            "study {study!r} is {status}; only an open one can be paused",
            study=study.name,
            status=Translatable(study.status),
        )
    return _set_status(session, study, "paused", "pause_study", actor)


def reopen_study(session: Session, *, name: str, actor: str = COMMAND_LINE) -> StudySummary:
    """Reopen a paused or closed study; the time when it was first closed is kept.

    Raises InputError for an unknown study, Conflict if it is open.
    """
    study = find_study(session, name, locked=True)
    if study.status == "open":
        raise Conflict("study {study!r} is open already", study=study.name)
    return _set_status(session, study, "open", "reopen_study", actor)


def _set_status(session: Session, study: StudyRow, status: str, action: str, actor: str) -> StudySummary:
    before, study.status = {"status": study.status}, status
    session.flush()
    append(session, study_id=study.id, actor=actor, action=action, before=before, after={"status": status})
    return summarise(session, study)


def change_guideline(
    session: Session, *, name: str, text: str, rulings: Sequence[str] = (), actor: str = COMMAND_LINE
) -> StudySummary:
    """Add a version of the guideline; later annotations refer to it, and older versions stay readable.

    `rulings` are ids of those that it was made with. Raises Conflict for a closed study, InputError for an
    unknown study, a text that is too long or unchanged, and an id that is no ruling of the study.
    """
    study = _changeable(session, name)
    now = session.get(GuidelineRow, (study.id, int(study.guideline_version)))
    cleaned, in_force = clean_guideline(text), now.text if now else ""
    if cleaned == in_force:
        raise InputError(
            "the guideline is the one in force (version {version}) already",
            version=study.guideline_version,
        )
    before = _guideline(study.guideline_version, in_force)
    version = int(study.guideline_version) + 1
    session.add(GuidelineRow(study_id=study.id, version=version, text=cleaned, created_at=utc_now()))
    study.guideline_version = str(version)
    session.flush()
    made_with = _made_with(session, study, version, rulings)
    append(
        session,
        study_id=study.id,
        actor=actor,
        action="change_guideline",
        before=before,
        after=_guideline(study.guideline_version, cleaned) | made_with,
    )
    return summarise(session, study)


def _made_with(session: Session, study: StudyRow, version: int, rulings: Sequence[str]) -> dict[str, Any]:
    """Store the rulings that a guideline version was made with; returns the entry of the audit row about
    them. Raises InputError for an id that is no ruling of the study.
    """
    own = select(col(MessageRow.id)).where(col(MessageRow.study_id) == study.id, col(MessageRow.ruling))
    unknown = sorted(set(rulings) - set(session.scalars(own)))
    if unknown:
        raise InputError(
            "{ruling!r} is no ruling of study {study!r}; choose rulings of its list",
            ruling=unknown[0],
            study=study.name,
        )
    ids = sorted(set(rulings))
    session.add_all(GuidelineRulingRow(study_id=study.id, version=version, message_id=key) for key in ids)
    session.flush()
    return {"rulings": ids} if ids else {}


def _guideline(version: str, text: str) -> dict[str, Any]:
    """The audit log entry of a guideline version: its hash, with which the text in the table can be
    checked.
    """
    return {"guideline_version": version, "text_id": text_id(text)}


def change_deadline(
    session: Session, *, name: str, deadline: date | None, actor: str = COMMAND_LINE
) -> StudySummary:
    """Set, move or take away the deadline.

    Raises InputError for an unknown study or no change, Conflict for a closed study.
    """
    study = _changeable(session, name)
    if study.deadline == deadline:
        if deadline is None:
            raise InputError(
                "the study {study!r} has no deadline, so nothing was changed; give a day to set one",
                study=study.name,
            )
        raise InputError(
            "the deadline of study {study!r} is {deadline} already; give another day, or none",
            study=study.name,
            deadline=deadline,
        )
    before, study.deadline = {"deadline": _iso(study.deadline)}, deadline
    session.flush()
    after = {"deadline": _iso(deadline)}
    append(session, study_id=study.id, actor=actor, action="change_deadline", before=before, after=after)
    return summarise(session, study)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def add_annotator(session: Session, *, name: str, annotator: str, actor: str = COMMAND_LINE) -> StudySummary:
    """Add an annotator to the study and recompute each annotator's share of the work.

    The annotator gets every training and control item. Raises InputError for an unknown study and for an
    account that cannot annotate or does so already, Conflict for a study that is closed, or of the first
    schema, which assigned every place when it opened.
    """
    known = session.scalars(select(col(StudyRow.id)).where(col(StudyRow.name) == name.strip())).first()
    if known is not None:
        lock_study(session, known)  # before its row, as claiming an item locks in this order
    study = _changeable(session, name)
    user = find_annotator(session, annotator)
    if session.get(StudyAnnotatorRow, (study.id, user.id)) is not None:
        raise InputError(
            "{name!r} is an annotator of study {study!r} already",
            name=user.name,
            study=study.name,
        )
    if not study.design:
        raise Conflict(
            "study {study!r} was opened by an earlier version and has no place left; open a new study "
            "for more annotators",
            study=study.name,
        )
    before = _crew(session, study)
    session.execute(
        update(StudyItemRow)
        .where(col(StudyItemRow.study_id) == study.id, col(StudyItemRow.round) != "main")
        .values(places=col(StudyItemRow.places) + 1)
        .execution_options(synchronize_session=False)
    )
    first = select(func.min(col(StudyItemRow.position))).where(col(StudyItemRow.study_id) == study.id)
    pseudonym = f"A{before['annotators'] + 1}"
    session.add(
        StudyAnnotatorRow(
            study_id=study.id,
            user_id=user.id,
            pseudonym=pseudonym,
            total=0,
            cursor=session.scalars(first).one(),
        )
    )
    session.flush()
    _share_anew(session, study, before["annotators"] + 1)
    after = _crew(session, study) | {"added": pseudonym, "user": user.id}
    append(session, study_id=study.id, actor=actor, action="add_annotator", before=before, after=after)
    return summarise(session, study)


def _changeable(session: Session, name: str) -> StudyRow:
    study = find_study(session, name, locked=True)
    if study.status == "closed":
        raise Conflict("study {study!r} is closed; reopen it to change it", study=study.name)
    return study


def _crew(session: Session, study: StudyRow) -> dict[str, Any]:
    statement = select(func.count(), func.max(col(StudyAnnotatorRow.total))).where(
        col(StudyAnnotatorRow.study_id) == study.id
    )
    annotators, share = session.execute(statement).one()
    return {"annotators": annotators, "share": share}


def _share_anew(session: Session, study: StudyRow, annotators: int) -> None:
    by_round = (
        select(col(StudyItemRow.round), func.count())
        .where(col(StudyItemRow.study_id) == study.id)
        .group_by(col(StudyItemRow.round))
    )
    rounds: dict[str, int] = dict(session.execute(by_round).all())
    share = share_of_work(
        design_of(study),
        drawn=rounds.get("main", 0),
        training=rounds.get("training", 0),
        controls=rounds.get("control", 0),
        annotators=annotators,
    )
    session.execute(
        update(StudyAnnotatorRow)
        .where(col(StudyAnnotatorRow.study_id) == study.id)
        .values(total=share)
        .execution_options(synchronize_session=False)
    )
