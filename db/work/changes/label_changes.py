"""Who changed which label when, read from the audit log alone.

Annotators see nothing here before their study is closed, whatever their role. While models are masked,
adjudicators see their own decisions and, without a name, the old and new version of each submitted judgement
that was changed. Other changes are left out, because counting them would reveal how many annotators hold
each position. Admins, who cannot label, see accounts by name. Runs and models are never named.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, or_, select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.rows import AssignmentRow, AuditRow, GenerationRow, InstanceRow, StudyItemRow, StudyRow
from clinicnum.db.work.changes.change_visibility import ACTIONS, ALL, Kind, Visibility, visibility_of
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.errors import NotAllowed
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

PAGE = 50
CHUNK = 500
MOST_SCANNED = 5_000
"""Number of rows that one request searches at most; the next request continues from there."""


class LabelChange(Frozen):
    """One change of a label."""

    seq: int
    """Sequence number in the study's chain."""
    at: datetime
    who: str
    action: str
    item: str
    """The item's position in the study, from 1, and the instance's id; for a contest only the latter."""
    revision: int | None
    before: Judgement | None
    after: Judgement | None
    says: str | None
    """The reason, rationale, comment or note given with the change."""

    @property
    def is_confirmation(self) -> bool:
        """Whether a judgement was submitted as it had been saved: at most, what is asked with the reference
        shown was added, and the item called valid.
        """
        before, after = self.before, self.after
        if self.action != "submit" or before is None or after is None:
            return False
        blind = before == before.without_reference()
        added = blind and before == after.without_reference() and after.item_judgement in (None, "valid")
        return added or before == after


class LabelChangePage(Frozen):
    """One page of changes, the newest first."""

    study_id: str
    study: str
    status: StudyStatus
    people: tuple[str, ...]
    """Names by which changes can be filtered; empty if the reader may not tell people apart."""
    changes: tuple[LabelChange, ...]
    confirmed: int
    """Judgements, among the rows searched for this page, that were submitted as they had been saved."""
    older: int | None
    """The argument `before` for the next page; None at the end."""


def visible_studies(session: Session, *, user_id: str) -> tuple[tuple[str, str, StudyStatus], ...]:
    """(id, name, status) of the studies that are not barred to the account, the newest first."""
    barred = barred_studies(session, user_id)
    statement = select(col(StudyRow.id), col(StudyRow.name), col(StudyRow.status)).order_by(
        col(StudyRow.created_at).desc(), col(StudyRow.id)
    )
    return tuple((key, name, status) for key, name, status in session.execute(statement) if key not in barred)


def label_changes(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    kind: Kind | None = None,
    item: str = "",
    person: str = "",
    before: int | None = None,
) -> LabelChangePage:
    """At most `PAGE` changes of a study's labels before the row `before` of the chain, the newest first;
    judgements that were submitted as they had been saved are counted only.

    `item` is an instance's id or an item's position in the study, `person` one of `LabelChangePage.people`.
    A page may be short or empty although `older` leads to more. Raises NotAllowed if the study is barred to
    the account, and for a person or study that it may not ask for.
    """
    study, visibility = visibility_of(session, user_id, study_id)
    people = visibility.people()
    if person and person not in people:
        raise NotAllowed(Translatable("Changes of this person are not shown; choose one of those named."))
    about = _generations(session, study_id, item) if item else None
    statement = _statement(study_id, kind, before)
    if person:
        actor, actions = people[person]
        statement = statement.where(col(AuditRow.actor) == actor, col(AuditRow.action).in_(actions))
    found: list[LabelChange] = []
    scanned, confirmed, last = 0, 0, None
    if about != {}:
        wanted = None if about is None else _mentions(session, study_id, about)
        statement = statement if wanted is None else statement.where(wanted)
        for row in _rows(session, statement):
            scanned, last = scanned + 1, row.seq
            if visibility.sees(session, row):
                change = _changed(row, visibility)
                confirmed += change.is_confirmation
                listed = not change.is_confirmation and (kind != "changed" or change.before is not None)
                found += [change] if listed else []
            if len(found) == PAGE or scanned == MOST_SCANNED:
                break
        else:
            last = None
    return LabelChangePage(
        study_id=study.id,
        study=study.name,
        status=study.status,
        people=tuple(sorted(people)),
        changes=_placed(session, study_id, found),
        confirmed=confirmed,
        older=last,
    )


def check_may_verify(session: Session, *, user_id: str, study_id: str) -> None:
    """Raise NotAllowed unless the account may see the study's changes."""
    visibility_of(session, user_id, study_id)


def _statement(study_id: str, kind: Kind | None, before: int | None) -> Any:
    """Select the rows of the study's chain, the newest first."""
    statement = (
        select(AuditRow)
        .where(
            col(AuditRow.chain) == study_id, col(AuditRow.action).in_(ALL if kind is None else ACTIONS[kind])
        )
        .order_by(col(AuditRow.seq).desc())
    )
    return statement if before is None else statement.where(col(AuditRow.seq) < before)


def _rows(session: Session, statement: Any) -> Iterator[AuditRow]:
    """Yield rows, fetched in batches since a page may need only a few."""
    while True:
        piece = session.scalars(statement.limit(CHUNK)).all()
        yield from piece
        if len(piece) < CHUNK:
            return
        statement = statement.where(col(AuditRow.seq) < piece[-1].seq)


def _changed(row: AuditRow, visibility: Visibility) -> LabelChange:
    told = {**(row.before or {}), **(row.after or {})}
    after = _judgement(row.after)
    said = told.get("comment") or told.get("reason") or told.get("flag")
    if row.action in ACTIONS["judgement"] and after is not None:
        # Free text may reveal its author.
        said = after.rationale if visibility.annotators else None
    return LabelChange(
        seq=row.seq,
        at=row.at,
        who=visibility.who(row),
        action=row.action,
        item=str(told.get("assignment_id") or told.get("generation") or told.get("instance") or ""),
        revision=told.get("revision"),
        before=_judgement(row.before),
        after=after,
        says=str(said) if said else None,
    )


def _judgement(told: dict[str, Any] | None) -> Judgement | None:
    said = (told or {}).get("judgement")
    return None if said is None else read_stored(Judgement, said)


def _generations(session: Session, study_id: str, item: str) -> dict[str, str]:
    """Instance id by generation row, for items whose position or instance id matches a text."""
    place = int(item) - 1 if item.isdecimal() and len(item) < 10 else None
    statement = (
        select(col(StudyItemRow.generation), col(InstanceRow.instance_id))
        .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(
            col(StudyItemRow.study_id) == study_id,
            or_(col(InstanceRow.instance_id) == item, col(StudyItemRow.position) == place),
        )
    )
    return {generation: instance for generation, instance in session.execute(statement)}


def _mentions(session: Session, study_id: str, about: dict[str, str]) -> Any:
    """SQL condition: rows about one of these items, by assignment, generation or instance."""
    statement = select(col(AssignmentRow.id), col(AssignmentRow.former_id)).where(
        col(AssignmentRow.study_id) == study_id, col(AssignmentRow.generation).in_(list(about))
    )
    keys = [*(key for row in session.execute(statement) for key in row if key), *about]
    told, instances = cast(col(AuditRow.after), Text), sorted(set(about.values()))
    return or_(
        *(told.contains(json.dumps(key), autoescape=True) for key in keys),
        *(
            col(AuditRow.action).in_(ACTIONS["contest"]) & told.contains(json.dumps(key), autoescape=True)
            for key in instances
        ),
    )


def _placed(session: Session, study_id: str, found: list[LabelChange]) -> tuple[LabelChange, ...]:
    """The changes with the item's position and instance id in place of the ids in the log."""
    keys = {one.item for one in found}
    statement = select(
        col(AssignmentRow.id), col(AssignmentRow.former_id), col(AssignmentRow.generation)
    ).where(
        col(AssignmentRow.study_id) == study_id,
        or_(col(AssignmentRow.id).in_(keys), col(AssignmentRow.former_id).in_(keys)),
    )
    whose = {
        key: generation
        for new, former, generation in session.execute(statement)
        for key in (new, former)
        if key is not None
    }
    items = (
        select(col(StudyItemRow.generation), col(StudyItemRow.position), col(InstanceRow.instance_id))
        .join(GenerationRow, col(GenerationRow.id) == col(StudyItemRow.generation))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(
            col(StudyItemRow.study_id) == study_id,
            col(StudyItemRow.generation).in_({*whose.values(), *keys}),
        )
    )
    named = {
        key: f"{place + 1}: {instance}" if place >= 0 else instance
        for key, place, instance in session.execute(items)
    }
    return tuple(
        one.model_copy(update={"item": _name_of(one, named.get(whose.get(one.item, one.item)))})
        for one in found
    )


def _name_of(change: LabelChange, found: str | None) -> str:
    """The displayed name of the item; for a contest the instance named in the log. Other ids are not
    shown.
    """
    return found or (change.item if change.action in ACTIONS["contest"] else "an item")
