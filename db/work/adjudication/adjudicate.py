"""An adjudicator's requests: next item, decide, previous item.

A decision cites the last revision of everyone who judged the item. It is appended and supersedes the
previous decision; nothing is overwritten. It carries the state hash of the item as displayed, and is refused
if that state has changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.adjudication import LONGEST_COMMENT, position_at, seen_state_hash
from clinicnum.annotations.disputes import NOTHING_DUE, JudgedItem, decided_judgement
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_check import check_judgement, check_whole
from clinicnum.annotations.read_stored_judgements import read_stored
from clinicnum.db.rows import (
    AdjudicationRow,
    AnnotationRow,
    CitationRow,
    GenerationRow,
    InstanceRow,
    StudyItemRow,
    StudyRow,
)
from clinicnum.db.work.adjudication.adjudication_item import (
    AdjudicationItem,
    cited_annotations,
    decisions_on,
    load_adjudication_item,
    state_hash,
)
from clinicnum.db.work.adjudication.adjudication_queue import (
    WaitingItem,
    find_adjudicator,
    find_item,
    has_annotated,
    list_waiting,
)
from clinicnum.db.work.adjudication.shown_answers import adjudicator_side
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.common.adjudication_need import final_annotations
from clinicnum.db.work.common.barred_studies import barred_studies, refuse_barred
from clinicnum.db.work.common.load_work_item import judgement_of
from clinicnum.db.work.common.model_masking_period import show_after_last_decision
from clinicnum.db.work.common.monotonic_clock import after_decisions
from clinicnum.db.work.studies.study_lifecycle import design_of, lock_study, taxonomy_of_study
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.io.jsonl import keyed_id
from clinicnum.translatable_text import Translatable

NO_REASON = Translatable("What annotators differ on is decided with a reason: write why (t), then decide.")
CHANGED = Translatable(
    "The judgements on this item changed while you looked at it; nothing was saved. Look at it again."
)
DECIDED_BY_YOU = Translatable(
    "You decided this item at {time} UTC in another window. Nothing was saved here; deciding again replaces "
    "that decision."
)
DECIDED_BY_ANOTHER = Translatable(
    "Another adjudicator decided this item at {time} UTC while you looked at it. Nothing was saved here; "
    "look at that decision first."
)


@dataclass(frozen=True)
class QueueAndItem:
    """An adjudicator's queue, and the item presented now."""

    waiting: tuple[WaitingItem, ...]
    presented: AdjudicationItem | None
    """None if nothing else waits."""


def next_adjudication_item(session: Session, *, user_id: str, after: str | None = None) -> QueueAndItem:
    """The adjudicator's queue with its first item, or with the one that follows the item `after` in it; with
    no item if no other one waits.

    `after` may have left the queue. Raises NotAllowed for an account that may not adjudicate.
    """
    waiting = list_waiting(session, user_id=user_id)
    here = next((place for place, one in enumerate(waiting) if one.item == after), -1)
    ahead = [*waiting[here + 1 :], *waiting[: max(here, 0)]]
    if not ahead:
        return QueueAndItem(waiting, None)
    one = ahead[0]
    found = load_adjudication_item(session, user_id=user_id, study_id=one.study_id, item=one.item)
    return QueueAndItem(waiting, found)


def previous_adjudication_item(
    session: Session, *, user_id: str, item: str | None = None
) -> AdjudicationItem | None:
    """The item that this adjudicator decided before `item`, or last of all if that is None; None if there is
    none.

    Raises NotAllowed for an account that may not adjudicate.
    """
    find_adjudicator(session, user_id)
    statement = (
        select(col(StudyItemRow.study_id), col(StudyItemRow.item_id))
        .join(
            AdjudicationRow,
            (col(AdjudicationRow.study_id) == col(StudyItemRow.study_id))
            & (col(AdjudicationRow.generation) == col(StudyItemRow.generation)),
        )
        .where(col(AdjudicationRow.user_id) == user_id)
        .order_by(col(AdjudicationRow.created_at).desc(), col(AdjudicationRow.id).desc())
    )
    barred = barred_studies(session, user_id)
    decided = (tuple(one) for one in session.execute(statement))
    done = [one for one in dict.fromkeys(decided) if one[0] not in barred]
    here = next((place for place, (_, decided_item) in enumerate(done) if decided_item == item), -1)
    if here + 1 >= len(done):
        return None
    study_id, before = done[here + 1]
    return load_adjudication_item(session, user_id=user_id, study_id=study_id, item=before)


def decide(
    session: Session,
    *,
    user_id: str,
    study_id: str,
    item: str,
    seen: str,
    position: int | None = None,
    judgement: Judgement | None = None,
    answers: Mapping[str, str] | None = None,
    comment: str | None = None,
) -> None:
    """Decide an item: adopt one of the positions (counted from 0) or give a judgement of one's own, and
    answer each disputed question beyond labels, by its key, with a reason in the comment.

    `seen` is the state hash of the item as it was shown. Sending the same decision again changes nothing.
    Raises NotAllowed as `lock_item` does, InputError if the item needs no decision, if the position,
    judgement or an answer is not valid for it, or if a reason is missing or too long, Conflict if judgements
    or decisions changed since the page was loaded.
    """
    comment = clean_comment(comment)
    open_item = lock_item(session, user_id=user_id, study_id=study_id, item=item)
    generation = open_item.generation
    study = session.get_one(StudyRow, study_id)
    finals = final_annotations(session, study_id, generation)
    earlier = decisions_on(session, study_id, generation)
    said = JudgedItem(tuple(judgement_of(row) for row in finals), design_of(study))
    if position is not None:
        judgement = position_at(said.positions(adjudicator=user_id, item=generation), position)
    judgement = _checked(session, open_item, said, judgement, answers or {})
    if said.design.rules.pairs:
        side = adjudicator_side(study, generation=generation, user_id=user_id)
        judgement = judgement.model_copy(update={"left": side})
    told = {"judgement": judgement.model_dump(mode="json"), "comment": comment}
    if earlier and _is_repeat(session, earlier, user_id, told, [row.id for row in finals]):
        return
    if seen != state_hash(session, study_id, generation, finals):
        raise _changed_since(seen, finals, earlier, user_id)
    if not open_item.due:
        raise InputError(NOTHING_DUE)
    if said.disputes and comment is None:
        raise InputError(NO_REASON)
    taxonomy = taxonomy_of_study(session, study_id=study_id)
    row = AdjudicationRow(
        id=keyed_id(study.secret, ["adjudication", generation, len(earlier) + 1]),
        study_id=study_id,
        generation=generation,
        user_id=user_id,
        payload={**told, "taken_over": position is not None, "taxonomy_version": taxonomy.version},
        created_at=after_decisions(session, study_id),
    )
    session.add(row)
    session.flush()
    session.add_all(CitationRow(adjudication_id=row.id, annotation_id=one.id) for one in finals)
    session.flush()
    append(
        session,
        study_id=study_id,
        actor=user_id,
        action="adjudicate",
        before=_told(session, earlier[-1]) if earlier else None,
        after=_told(session, row),
    )
    show_after_last_decision(session, study_id, actor=user_id)


def _changed_since(
    seen: str, finals: Sequence[AnnotationRow], earlier: Sequence[AdjudicationRow], user_id: str
) -> Conflict:
    """The error that says what happened to the item after its state `seen`: a decision, or other changes."""
    before = seen_state_hash([row.id for row in finals], [row.id for row in earlier[:-1]])
    if not earlier or seen != before:
        return Conflict(CHANGED)
    wording = DECIDED_BY_YOU if earlier[-1].user_id == user_id else DECIDED_BY_ANOTHER
    return Conflict(Translatable(wording.wording, time=f"{earlier[-1].created_at:%H:%M}"))


def clean_comment(comment: str | None) -> str | None:
    """The comment without surrounding spaces, None if empty. Raises InputError if it is too long."""
    cleaned = (comment or "").strip()
    if len(cleaned) > LONGEST_COMMENT:
        raise InputError(
            "The comment has {n} characters; expected at most {most}.",
            n=len(cleaned),
            most=LONGEST_COMMENT,
        )
    return cleaned or None


def lock_item(session: Session, *, user_id: str, study_id: str, item: str) -> StudyItemRow:
    """The item, with its study locked against other changes until the commit.

    Raises NotAllowed for an account that may not adjudicate, an item that does not exist or that it
    annotated, and a study that is barred to it.
    """
    find_adjudicator(session, user_id)
    lock_study(session, study_id)
    found = find_item(session, study_id=study_id, item=item)
    refuse_barred(session, user_id=user_id, study_id=study_id)
    if has_annotated(session, user_id=user_id, study_id=study_id, generation=found.generation):
        raise NotAllowed("You have annotated this item yourself; another adjudicator must decide it.")
    return found


def _checked(
    session: Session,
    item: StudyItemRow,
    said: JudgedItem,
    judgement: Judgement | None,
    answers: Mapping[str, str],
) -> Judgement:
    if judgement is not None and said.design.rules.judges_failures:
        check_whole(judgement, said.design.fields, texts=False)
    decided = decided_judgement(said.disputes, answers, labels=judgement, design=said.design)
    statement = (
        select(col(GenerationRow.payload), col(InstanceRow.payload))
        .join(InstanceRow, col(InstanceRow.id) == col(GenerationRow.instance))
        .where(col(GenerationRow.id) == item.generation)
    )
    generation, instance = session.execute(statement).one()
    check_judgement(
        decided,
        taxonomy=taxonomy_of_study(session, study_id=item.study_id),
        text_length=len(generation["text"]),
        context_length=len(instance["context"]),
        records=len(instance["records"]),
    )
    return decided


def _is_repeat(
    session: Session, earlier: list[AdjudicationRow], user_id: str, told: dict[str, Any], finals: list[str]
) -> bool:
    """Whether exactly this decision was already stored, as after a double click or a lost response."""
    last = earlier[-1]
    said = read_stored(Judgement, last.payload["judgement"])
    same = said.model_dump(mode="json") == told["judgement"] and last.payload["comment"] == told["comment"]
    return same and last.user_id == user_id and cited_annotations(session, last.id) == sorted(finals)


def _told(session: Session, row: AdjudicationRow) -> dict[str, Any]:
    """The audit log entry of a decision."""
    return {
        "adjudication_id": row.id,
        "generation": row.generation,
        "cites": cited_annotations(session, row.id),
        **row.payload,
    }
