"""Studies on which annotators differ, for the tests of adjudication."""

from collections.abc import Sequence

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.types import Role
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import adjudicate, adjudication_queue
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from clinicnum.db.work.adjudication.adjudication_queue import WaitingItem
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.prepared import made_once
from tests.db.test_annotate import FINE, first, submit

OMISSION = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(Label(code="omission", primary=True),),
    severity="1",
)


def add_role(engine: Engine, name: str, role: Role = "adjudicator") -> str:
    with writing(engine) as session:
        return users.add_user(session, name=name, role=role, password=None).user_id


@made_once
def differing(engine: Engine, *, wrong: int = 2) -> dict[str, str]:
    """Three annotators who differ on every item, the first the hardest, and an adjudicator; ids by name."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=wrong))
    judge_all(engine, people, wrong)
    return {**people, "ada": add_role(engine, "ada")}


def judge_all(engine: Engine, people: dict[str, str], items: int) -> None:
    """On the item about patient s0 all three differ; on all others one does."""
    for who, hard, easy in (("ann", FAILURE, FAILURE), ("ben", OMISSION, OMISSION), ("eve", FINE, OMISSION)):
        for _ in range(items):
            item = first(engine, people[who])
            hardest = item.instance.records[0].subject_id == "s0"
            submit(engine, people[who], item, hard if hardest else easy)


def next_of(engine: Engine, user_id: str, after: str | None = None) -> AdjudicationItem:
    with reading(engine) as session:
        found = adjudicate.next_adjudication_item(session, user_id=user_id, after=after).presented
    assert found is not None
    return found


def waiting(engine: Engine, user_id: str) -> Sequence[WaitingItem]:
    with reading(engine) as session:
        return adjudication_queue.list_waiting(session, user_id=user_id)


def take_over(
    engine: Engine, user_id: str, item: AdjudicationItem, position: int = 0, comment: str = ""
) -> None:
    with writing(engine) as session:
        adjudicate.decide(
            session,
            user_id=user_id,
            study_id=item.study_id,
            item=item.item,
            seen=item.seen,
            position=position,
            comment=comment,
        )


def own(engine: Engine, user_id: str, item: AdjudicationItem, judgement: Judgement) -> None:
    with writing(engine) as session:
        adjudicate.decide(
            session,
            user_id=user_id,
            study_id=item.study_id,
            item=item.item,
            seen=item.seen,
            judgement=judgement,
        )


def decide_all(engine: Engine, user_id: str) -> None:
    """Take the first position over on everything that is due."""
    while any(one.due for one in waiting(engine, user_id)):
        take_over(engine, user_id, next_of(engine, user_id))
