"""A study in which an annotator has asked and an adjudicator answers, for the tests of threads."""

from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.adjudication import answer_annotators
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem, load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate, own_message_threads
from clinicnum.db.work.annotation.own_message_threads import OwnThread, UnreadAnswers
from tests.db.adjudicating import add_role
from tests.db.examples import add_users, material, open_study
from tests.db.test_annotate import first, submit

NOTE, RULE = "does 'about 120' count?", "A rounded value counts if the question allows it."


def begin(engine: Engine, *, wrong: int = 2) -> dict[str, str]:
    """Three annotators of a study, one of another, and an adjudicator; ids by name."""
    people = {one.name: one.user_id for one in add_users(engine, ("ann", "ben", "eve", "zoe"))}
    open_study(engine, material(wrong=wrong))
    open_study(engine, material(wrong=1, run_id="other-run"), name="other", annotators=("zoe",), overlap=1)
    return {**people, "ada": add_role(engine, "ada")}


def flag(engine: Engine, user_id: str, item: Workitem, note: str = NOTE) -> None:
    with writing(engine) as session:
        annotate.flag(session, user_id=user_id, assignment_id=item.assignment_id, note=note)


def submitted(engine: Engine, user_id: str) -> Workitem:
    return submit(engine, user_id, first(engine, user_id))


def waiting_item(engine: Engine, ada: str, what: str = "flagged") -> AdjudicationItem:
    """The first item that waits for an adjudicator for one reason."""
    with reading(engine) as session:
        one = next(one for one in list_waiting(session, user_id=ada) if getattr(one, what))
        return load_adjudication_item(session, user_id=ada, study_id=one.study_id, item=one.item)


def about(ada: str, item: AdjudicationItem) -> dict[str, Any]:
    return {"user_id": ada, "study_id": item.study_id, "item": item.item}


def answer(engine: Engine, ada: str, *, text: str = RULE, ruling: bool = False) -> AdjudicationItem:
    """Answer the first flag that waits."""
    item = waiting_item(engine, ada)
    with writing(engine) as session:
        address = about(ada, item)
        answer_annotators.answer_flag(session, **address, flag=item.flags[0].key, comment=text, ruling=ruling)
    return item


def asked_and_answered(
    engine: Engine, people: dict[str, str], name: str = "ann", *, text: str = RULE, ruling: bool = False
) -> Workitem:
    """Somebody submits an item, flags it, and gets an answer."""
    item = submitted(engine, people[name])
    flag(engine, people[name], item)
    answer(engine, people["ada"], text=text, ruling=ruling)
    return item


def unread(engine: Engine, user_id: str, study_id: str | None = None) -> UnreadAnswers:
    with reading(engine) as session:
        return own_message_threads.unread_answers(session, user_id=user_id, study_id=study_id)


def read(engine: Engine, user_id: str, assignment_id: str | None = None) -> tuple[OwnThread, ...]:
    with writing(engine) as session:
        return own_message_threads.read_threads(session, user_id=user_id, assignment_id=assignment_id)


def reply(engine: Engine, user_id: str, item: Workitem, text: str = "And 'roughly'?") -> None:
    with writing(engine) as session:
        own_message_threads.reply(session, user_id=user_id, assignment_id=item.assignment_id, text=text)
