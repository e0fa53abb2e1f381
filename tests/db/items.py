"""Items of a study as its lead finds and moves them."""

from typing import Any

from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AssignmentRow, StudyAnnotatorRow, StudyItemRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate, reassign_items
from clinicnum.db.work.annotation.reassign_items import Moved, Selection
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.studies.item_query import ItemQuery
from clinicnum.db.work.studies.study_items import ItemDetails, ItemLine, ItemList, item_details, list_items
from tests.db.examples import FAILURE, add_users, material, open_study

ITEMS = 6
OMITTED = Judgement.model_validate(
    {**FAILURE.model_dump(), "labels": [{"code": "omission", "primary": True}], "severity": "1"}
)


def lead_and_annotators(engine: Engine) -> dict[str, str]:
    """Three annotators of a study of six items, two an item; and its lead. By name, their ids."""
    found = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=ITEMS), overlap=2)
    return found | {"root": add_lead(engine)}


def add_lead(engine: Engine) -> str:
    """The id of a lead who annotates nowhere."""
    with writing(engine) as session:
        return users.add_user(session, name="root", role="admin", password=None).user_id


def listed(engine: Engine, people: dict[str, str], page: int = 1, **query: Any) -> ItemList:
    with reading(engine) as session:
        return list_items(session, user_id=people["root"], query=ItemQuery(study="six", **query), page=page)


def items(engine: Engine, people: dict[str, str], **query: Any) -> list[str]:
    return [line.item for line in listed(engine, people, **query).lines]


def item_of(engine: Engine, item: Workitem) -> str:
    with reading(engine) as session:
        row = session.get_one(AssignmentRow, item.assignment_id)
        return session.get_one(StudyItemRow, (row.study_id, row.generation)).item_id


def line_of(engine: Engine, people: dict[str, str], key: str) -> ItemLine:
    return next(line for line in listed(engine, people).lines if line.item == key)


def details(engine: Engine, people: dict[str, str], key: str) -> ItemDetails:
    with reading(engine) as session:
        return item_details(session, user_id=people["root"], study="six", item=key)


def called(engine: Engine, user_id: str) -> str:
    with reading(engine) as session:
        statement = select(StudyAnnotatorRow).where(col(StudyAnnotatorRow.user_id) == user_id)
        return session.scalars(statement).one().pseudonym


def give(engine: Engine, people: dict[str, str], to: str, *keys: str, **query: Any) -> Moved:
    chosen = Selection(ItemQuery(study="six", **query), keys or None)
    with reading(engine) as session:
        expected = reassign_items.count_moves(session, user_id=people["root"], move="reassign", chosen=chosen)
    with writing(engine) as session:
        named = called(engine, people[to])
        return reassign_items.reassign(
            session, actor=people["root"], chosen=chosen, to=named, expected=expected
        )


def put_back(engine: Engine, people: dict[str, str], *keys: str, **query: Any) -> Moved:
    chosen = Selection(ItemQuery(study="six", **query), keys or None)
    with reading(engine) as session:
        expected = reassign_items.count_moves(session, user_id=people["root"], move="requeue", chosen=chosen)
    with writing(engine) as session:
        return reassign_items.requeue(session, actor=people["root"], chosen=chosen, expected=expected)


def skip(engine: Engine, user_id: str, item: Workitem) -> None:
    with writing(engine) as session:
        annotate.skip(
            session, user_id=user_id, assignment_id=item.assignment_id, revision=item.revision, reason="later"
        )


def check(engine: Engine) -> None:
    """Places are counted right, nobody has more than their places, and the tables are as the log says."""
    with reading(engine) as session:
        assert compare_with_log(session) == ()
        holding = session.scalars(
            select(AssignmentRow).where(
                col(AssignmentRow.status).in_(("open", "submitted")), col(AssignmentRow.round) != "repeat"
            )
        ).all()
        for item in session.scalars(select(StudyItemRow)):
            assert item.taken == sum(one.generation == item.generation for one in holding) <= item.places
        for own in session.scalars(select(StudyAnnotatorRow)):
            rows = select(AssignmentRow).where(col(AssignmentRow.user_id) == own.user_id)
            mine = session.scalars(rows).all()
            assert own.skipped == sum(one.status == "skipped" for one in mine)
            assert len({one.position for one in mine}) == len(mine) == own.claimed
