"""A lead puts unfinished items back to the pool, or gives them to a named annotator.

Each is one transaction with one audit row. Only unfinished work on items of the main sample is moved: what
was submitted is never touched, and a judgement that was locked stays in the history, where its annotator goes
on from it if the item comes back. Both take the study's lock first, as claiming an item does.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import exists, select
from sqlmodel import Session, col

from clinicnum.db.rows import AnnotationRow, AssignmentRow, StudyAnnotatorRow, StudyItemRow, StudyRow, UserRow
from clinicnum.db.work.annotation.assignable_items import knows_reference
from clinicnum.db.work.annotation.next_assignment import assignment_values, give_place_back, take_place
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.qualification import is_held_back
from clinicnum.db.work.studies.item_query import ItemQuery, matching, open_to_lead, user_called
from clinicnum.db.work.studies.study_lifecycle import design_of, find_annotator, lock_study
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable

MOST_ITEMS = 500
"""Items that one action may concern, so that annotators do not wait for it."""
Move = Literal["requeue", "reassign"]
Reason = Literal["theirs", "reference_known", "no_place", "aside"]


@dataclass(frozen=True)
class Selection:
    """Which items of a study are to be moved."""

    query: ItemQuery
    items: tuple[str, ...] | None
    """Keyed ids; None for all that the query finds."""


@dataclass
class Moved:
    """How many items and assignments were moved, and how many items were left as they were, by reason."""

    items: int = 0
    assignments: int = 0
    left: dict[Reason, int] = field(default_factory=dict)
    """Number of items left unchanged, by reason."""


def count_moves(session: Session, *, user_id: str, move: Move, chosen: Selection) -> int:
    """Number of assignments that would be returned to the pool, or of items to be reassigned.

    Raises as `open_to_lead` and `matching` do, and InputError for none and for more than `MOST_ITEMS`.
    """
    study = open_to_lead(session, user_id=user_id, name=chosen.query.study)
    if move == "reassign":
        return len(_items(session, study, chosen))
    unfinished = len(_unfinished(session, study, chosen))
    _check_count(unfinished, unfinished)
    return unfinished


def requeue(session: Session, *, actor: str, chosen: Selection, expected: int) -> Moved:
    """Return items in progress or skipped to the pool: first come, first served.

    Where the query names an annotator, only their work is put back. Raises Conflict for a closed study, and
    if the assignments are not `expected` many; otherwise as `count_moves` does.
    """
    study = _locked(session, actor, chosen.query)
    rows = _unfinished(session, study, chosen)
    _check_count(len(rows), expected)
    before = {row.id: {"status": row.status, "reason": row.skip_reason} for row in rows}
    for row in rows:
        _put_back(session, row, keep_place=False)
    session.flush()
    _log(session, study, actor, "requeue", before, {"released": sorted(before)})
    return Moved(items=len({row.generation for row in rows}), assignments=len(rows))


def reassign(session: Session, *, actor: str, chosen: Selection, to: str, expected: int) -> Moved:
    """Give a place on each item to the annotator with the pseudonym `to`, next in their queue.

    The place is that of whoever works on the item (the query's annotator if named), otherwise a free one.
    Left unchanged are items that the annotator already has, whose reference they know, outside the main
    sample, or without such a place. Raises Conflict for a closed study, an annotator still in training, and
    if the items are not `expected` many, InputError for an unknown pseudonym; otherwise as `count_moves`
    does.
    """
    study = _locked(session, actor, chosen.query)
    own = session.get_one(
        StudyAnnotatorRow, (study.id, user_called(session, study, to)), populate_existing=True
    )
    _check_may_get_items(session, study, own)
    items = _items(session, study, chosen)
    _check_count(len(items), expected)
    whose = _whose(session, study, chosen)
    moved, given, before = Moved(), [], {}
    for item in items:
        reason, holder = _place_for(session, study, item, own, whose)
        if reason is not None:
            moved.left[reason] = moved.left.get(reason, 0) + 1
            continue
        if holder is not None:
            before[holder.id] = {"status": holder.status, "reason": holder.skip_reason}
            _put_back(session, holder, keep_place=True)
        given.append(_give(session, study, item, own, before))
    moved.items = moved.assignments = len(given)
    session.flush()
    released = sorted(before.keys() - set(given))
    after = {"annotator": to, "user": own.user_id, "assignments": sorted(given), "released": released}
    if given:
        _log(session, study, actor, "reassign", before, after)
    return moved


def _locked(session: Session, actor: str, query: ItemQuery) -> StudyRow:
    study = open_to_lead(session, user_id=actor, name=query.study)
    lock_study(session, study.id)
    session.refresh(study, with_for_update=True)
    if study.status == "closed":
        raise Conflict(
            Translatable("Study {name} is closed; reopen it to move items in it.", name=study.name)
        )
    if not study.design:
        raise Conflict(
            Translatable(
                "Study {name} was opened by an earlier version, which has no places to move.", name=study.name
            )
        )
    return study


def _whose(session: Session, study: StudyRow, chosen: Selection) -> str | None:
    name = chosen.query.annotator
    return user_called(session, study, name) if name else None


def _items(session: Session, study: StudyRow, chosen: Selection) -> list[StudyItemRow]:
    query = chosen.query if chosen.items is None else ItemQuery()
    statement = matching(session, study, query, StudyItemRow)
    if chosen.items is not None:
        statement = statement.where(col(StudyItemRow.item_id).in_(chosen.items))
    ordered = statement.order_by(col(StudyItemRow.position), col(StudyItemRow.generation))
    found = list(session.scalars(ordered.limit(MOST_ITEMS + 1)))
    if not found:
        raise InputError(Translatable("No item is chosen. Choose items of the list, or all that are found."))
    if len(found) > MOST_ITEMS:
        raise InputError(
            Translatable(
                "More than {most} items are chosen; filter further, and move them in parts.", most=MOST_ITEMS
            )
        )
    return found


def _check_count(found: int, expected: int) -> None:
    if not found:
        raise InputError(
            Translatable("None of these items is in work or put aside, so there is nothing to put back.")
        )
    if found != expected:
        raise Conflict(
            Translatable(
                "Annotators have gone on meanwhile: it is {found} now, not {expected}. Look again and repeat "
                "it; nothing was changed.",
                found=found,
                expected=expected,
            )
        )


def _never_submitted() -> Any:
    return ~exists().where(
        col(AnnotationRow.assignment_id) == col(AssignmentRow.id), col(AnnotationRow.submitted)
    )


def _unfinished(session: Session, study: StudyRow, chosen: Selection) -> list[AssignmentRow]:
    """Assignments on these items that are in work or put aside; of the query's annotator if it names one."""
    statement = select(AssignmentRow).where(
        col(AssignmentRow.study_id) == study.id,
        col(AssignmentRow.generation).in_([one.generation for one in _items(session, study, chosen)]),
        col(AssignmentRow.round) == "main",
        col(AssignmentRow.status).in_(("open", "skipped")),
        _never_submitted(),
    )
    whose = _whose(session, study, chosen)
    if whose is not None:
        statement = statement.where(col(AssignmentRow.user_id) == whose)
    return list(session.scalars(statement.order_by(col(AssignmentRow.id))))


def _put_back(session: Session, row: AssignmentRow, *, keep_place: bool) -> None:
    """Take an assignment from its annotator; with `keep_place`, its place stays taken, for a successor."""
    if row.status == "skipped":  # its place was given back when it was skipped
        session.get_one(StudyAnnotatorRow, (row.study_id, row.user_id)).skipped -= 1
    elif not keep_place:
        give_place_back(session, row.study_id, row.generation)
    row.status, row.skip_reason = "released", None


def _check_may_get_items(session: Session, study: StudyRow, own: StudyAnnotatorRow) -> None:
    find_annotator(session, session.get_one(UserRow, own.user_id).name)
    done = exists().where(
        col(AssignmentRow.study_id) == col(StudyItemRow.study_id),
        col(AssignmentRow.generation) == col(StudyItemRow.generation),
        col(AssignmentRow.user_id) == own.user_id,
        col(AssignmentRow.status).in_(("submitted", "skipped")),
    )
    to_train = exists().where(
        col(StudyItemRow.study_id) == study.id, col(StudyItemRow.round) == "training", ~done
    )
    threshold = design_of(study).qualifying
    held = is_held_back(session, study_id=study.id, user_id=own.user_id, threshold=threshold)
    if held or session.scalar(select(to_train)):
        raise Conflict(
            Translatable(
                "{name} is still in training in this study; give the items to somebody else, or wait.",
                name=own.pseudonym,
            )
        )


def _place_for(
    session: Session, study: StudyRow, item: StudyItemRow, own: StudyAnnotatorRow, whose: str | None
) -> tuple[Reason | None, AssignmentRow | None]:
    """(reason not to give the item, None), or (None, who gives up a place; None if a free one was taken)."""
    if item.round != "main":
        return "aside", None
    mine = _own(session, study, item, own)
    if mine is not None and mine.status in ("open", "submitted"):
        return "theirs", None
    blind = mine is None or mine.revealed_at is None
    about = {"study_id": study.id, "user_id": own.user_id, "group_id": item.group_id}
    if blind and knows_reference(session, **about):
        return "reference_known", None
    statement = select(AssignmentRow).where(
        col(AssignmentRow.study_id) == study.id,
        col(AssignmentRow.generation) == item.generation,
        col(AssignmentRow.round) == "main",
        col(AssignmentRow.status) == "open",
        col(AssignmentRow.user_id) != own.user_id,
        _never_submitted(),
    )
    if whose is not None:
        statement = statement.where(col(AssignmentRow.user_id) == whose)
    # Of several, one who has locked nothing, as their time is the least lost.
    least = (col(AssignmentRow.revision), col(AssignmentRow.position).desc(), col(AssignmentRow.id))
    holder = session.scalars(statement.order_by(*least).limit(1)).first()
    if holder is None and not take_place(session, study.id, item.generation):
        return "no_place", None
    return None, holder


def _own(
    session: Session, study: StudyRow, item: StudyItemRow, own: StudyAnnotatorRow
) -> AssignmentRow | None:
    statement = select(AssignmentRow).where(
        col(AssignmentRow.study_id) == study.id,
        col(AssignmentRow.generation) == item.generation,
        col(AssignmentRow.user_id) == own.user_id,
        col(AssignmentRow.round) == "main",
    )
    return session.scalars(statement).first()


def _give(
    session: Session, study: StudyRow, item: StudyItemRow, own: StudyAnnotatorRow, before: dict[str, Any]
) -> str:
    """Open the annotator's assignment, whose place is taken already. It has no lease: it waits for them."""
    mine = _own(session, study, item, own)
    if mine is None:
        mine = AssignmentRow(
            **assignment_values(study, own, generation=item.generation, round_="main", until=None)
        )
        session.add(mine)
        own.claimed += 1
    else:
        before[mine.id] = {"status": mine.status, "reason": mine.skip_reason}
        own.skipped -= mine.status == "skipped"
        mine.status, mine.skip_reason, mine.leased_until = "open", None, None
    session.flush()
    return mine.id


def _log(
    session: Session,
    study: StudyRow,
    actor: str,
    action: str,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    append(
        session,
        study_id=study.id,
        actor=actor,
        action=action,
        before={"assignments": before},
        after=after,
    )
