"""The items of a study for its lead: a page of the list, and one item with all its judgements."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.read_stored_judgements import own_part
from clinicnum.annotations.types import StudyStatus
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    GenerationRow,
    InstanceRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    StudyRunRow,
    UserRow,
)
from clinicnum.db.work.common.masked_answer_text import answer_text
from clinicnum.db.work.common.model_masking_period import decided, is_masked
from clinicnum.db.work.studies.item_query import ItemQuery, matching, open_to_lead, order_of
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen, Instance

PAGE = 50


class Work(Frozen):
    """One annotator's assignment on an item."""

    pseudonym: str
    status: str
    round: str


class ItemLine(Frozen):
    """One item in the list."""

    item: str
    """Its keyed id."""
    position: int
    round: str
    question: str
    template_id: str
    representation: str
    places: int
    work: tuple[Work, ...]
    flagged: bool
    differ: bool | None
    """Whether final judgements differ on response or primary class; None before there are two."""
    due: bool
    """Whether an adjudicator must decide, and has not yet."""
    decided: bool

    def count(self, status: str) -> int:
        """How many annotators have the item in this status; blind repeats do not count."""
        return sum(one.status == status and one.round != "repeat" for one in self.work)


class ItemList(Frozen):
    """A page of the items of a study that a query finds."""

    study_id: str
    status: StudyStatus
    found: int
    page: int
    """From 1; the last one if a later one was asked for."""
    pages: int
    lines: tuple[ItemLine, ...]
    templates: tuple[str, ...]
    annotators: tuple[tuple[str, str], ...]
    """(pseudonym, account name) of everyone in the study."""


class ItemRevision(Frozen):
    """One saved revision of one annotator's judgement."""

    pseudonym: str
    round: str
    revision: int
    at: datetime
    submitted: bool
    judgement: Judgement
    before: Judgement | None
    """The revision before it; None for the first."""


class ItemDetails(Frozen):
    """One item with its judgements."""

    study_id: str
    line: ItemLine
    instance: Instance
    text: str
    """The text, masking the model's name while the study does."""
    second: str | None
    """In a pairwise study, the text that it was compared with, masked alike."""
    model: str | None
    """None while it is masked, or unknown."""
    revisions: tuple[ItemRevision, ...]
    """By annotator, in the order in which they were saved."""


def list_items(session: Session, *, user_id: str, query: ItemQuery, page: int = 1) -> ItemList:
    """At most `PAGE` items. Raises NotAllowed and InputError as `open_to_lead` does."""
    study = open_to_lead(session, user_id=user_id, name=query.study)
    found = session.scalar(matching(session, study, query, func.count())) or 0
    pages = max(1, -(-found // PAGE))
    page = min(page, pages)
    rows = _rows(session, study, query, page)
    templates = matching(session, study, ItemQuery(), col(InstanceRow.template_id)).distinct()
    crew = (
        select(col(StudyAnnotatorRow.pseudonym), col(UserRow.name))
        .join(UserRow, col(UserRow.id) == col(StudyAnnotatorRow.user_id))
        .where(col(StudyAnnotatorRow.study_id) == study.id)
    )
    return ItemList(
        study_id=study.id,
        status=study.status,
        found=found,
        page=page,
        pages=pages,
        lines=_lines(session, study, rows),
        templates=tuple(sorted(session.scalars(templates))),
        annotators=tuple(sorted((name, account) for name, account in session.execute(crew))),
    )


def _rows(session: Session, study: StudyRow, query: ItemQuery, page: int) -> Sequence[Any]:
    columns = (StudyItemRow, col(InstanceRow.payload), decided().correlate(StudyItemRow).label("decided"))
    statement = matching(session, study, query, *columns).order_by(*order_of(query))
    return session.execute(statement.limit(PAGE).offset((page - 1) * PAGE)).all()


def _lines(session: Session, study: StudyRow, rows: Sequence[Any]) -> tuple[ItemLine, ...]:
    keys = [row.StudyItemRow.generation for row in rows]
    work, flagged = _work(session, study, keys)
    verdicts = _verdicts(session, study, keys)
    return tuple(
        ItemLine(
            item=item.item_id,
            position=item.position,
            round=item.round,
            question=payload["question"],
            template_id=payload["template_id"],
            representation=payload["representation"],
            places=item.places,
            work=tuple(work[item.generation]),
            flagged=item.generation in flagged,
            differ=_differ(verdicts[item.generation]),
            due=item.hardness is not None and not is_decided,
            decided=is_decided,
        )
        for item, payload, is_decided in rows
    )


def _work(session: Session, study: StudyRow, keys: list[str]) -> tuple[dict[str, list[Work]], set[str]]:
    """By generation, who has it and how far; and the generations that somebody flagged."""
    statement = (
        select(
            *(getattr(AssignmentRow, name) for name in ("generation", "status", "round", "flag")),
            col(StudyAnnotatorRow.pseudonym),
        )
        .join(
            StudyAnnotatorRow,
            (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
        )
        .where(col(AssignmentRow.study_id) == study.id, col(AssignmentRow.generation).in_(keys))
        .order_by(col(StudyAnnotatorRow.pseudonym), col(AssignmentRow.position))
    )
    found: dict[str, list[Work]] = defaultdict(list)
    flagged = set()
    for generation, status, round_, flag, pseudonym in session.execute(statement):
        found[generation].append(Work(pseudonym=pseudonym, status=status, round=round_))
        if flag is not None and round_ != "repeat":
            flagged.add(generation)
    return found, flagged


def _verdicts(session: Session, study: StudyRow, keys: list[str]) -> dict[str, list[tuple[str, str | None]]]:
    """Response and primary class of each final judgement, by generation; blind repeats are left out."""
    statement = (
        select(col(AssignmentRow.generation), col(AnnotationRow.payload))
        .join(
            AnnotationRow,
            (col(AnnotationRow.assignment_id) == col(AssignmentRow.id))
            & (col(AnnotationRow.revision) == col(AssignmentRow.revision)),
        )
        .where(
            col(AssignmentRow.study_id) == study.id,
            col(AssignmentRow.generation).in_(keys),
            col(AssignmentRow.status) == "submitted",
            col(AssignmentRow.round) != "repeat",
        )
    )
    found: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for generation, payload in session.execute(statement):
        primary = next((label["code"] for label in payload["labels"] if label["primary"]), None)
        found[generation].append((payload["response_judgement"], primary))
    return found


def _differ(verdicts: Sequence[tuple[str, str | None]]) -> bool | None:
    return len(set(verdicts)) > 1 if len(verdicts) > 1 else None


def item_details(session: Session, *, user_id: str, study: str, item: str) -> ItemDetails:
    """One item by its keyed id. Raises NotAllowed as `open_to_lead` does, InputError for an unknown one."""
    opened = open_to_lead(session, user_id=user_id, name=study)
    columns = (StudyItemRow, col(InstanceRow.payload), decided().correlate(StudyItemRow).label("decided"))
    only = col(StudyItemRow.item_id) == item
    row = session.execute(matching(session, opened, ItemQuery(), *columns).where(only)).first()
    if row is None:
        raise InputError(Translatable("There is no such item in this study; choose one of the list."))
    generation = session.get_one(GenerationRow, row.StudyItemRow.generation)
    model = session.get_one(StudyRunRow, (opened.id, generation.run)).meta.get("model")
    hidden = is_masked(session, opened)
    second = row.StudyItemRow.second
    (line,) = _lines(session, opened, [row])
    return ItemDetails(
        study_id=opened.id,
        line=line,
        instance=Instance.model_validate(row.payload),
        text=answer_text(session, opened.id, generation.id, hidden=hidden),
        second=None if second is None else answer_text(session, opened.id, second, hidden=hidden),
        model=None if hidden else model,
        revisions=tuple(_revisions(session, opened, generation.id)),
    )


def _revisions(session: Session, study: StudyRow, generation: str) -> Iterable[ItemRevision]:
    statement = (
        select(AnnotationRow, col(AssignmentRow.round), col(StudyAnnotatorRow.pseudonym))
        .join(AssignmentRow, col(AssignmentRow.id) == col(AnnotationRow.assignment_id))
        .join(
            StudyAnnotatorRow,
            (col(StudyAnnotatorRow.study_id) == col(AssignmentRow.study_id))
            & (col(StudyAnnotatorRow.user_id) == col(AssignmentRow.user_id)),
        )
        .where(col(AssignmentRow.study_id) == study.id, col(AssignmentRow.generation) == generation)
        .order_by(col(StudyAnnotatorRow.pseudonym), col(AssignmentRow.position), col(AnnotationRow.revision))
    )
    last: dict[str, Judgement] = {}
    for row, round_, pseudonym in session.execute(statement):
        judgement = own_part(row.payload)
        yield ItemRevision(
            pseudonym=pseudonym,
            round=round_,
            revision=row.revision,
            at=row.created_at,
            submitted=row.submitted,
            judgement=judgement,
            before=last.get(row.assignment_id),
        )
        last[row.assignment_id] = judgement
