"""Flags and contests come back with their answer, to whom they belong, and not before a judgement is in."""

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import select

from clinicnum.db.engine import WRITES, reading, writing
from clinicnum.db.rows import MessageRow
from clinicnum.db.work.adjudication import answer_annotators, contest_resolution
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate, own_message_threads
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.my_work.work_history import own_items
from clinicnum.db.work.studies.study_changes import change_guideline
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.adjudicating import next_of
from tests.db.conversing import (
    NOTE,
    RULE,
    about,
    answer,
    asked_and_answered,
    begin,
    flag,
    read,
    reply,
    submitted,
    unread,
    waiting_item,
)
from tests.db.examples import BLIND, FAILURE
from tests.db.tampering import by_force
from tests.db.test_annotate import first, save, submit
from tests.db.test_contests import about as about_claim
from tests.db.test_contests import contest, look, uphold


def check_log(engine: Engine) -> None:
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session))
        assert compare_with_log(session) == ()


def test_a_flag_comes_back_with_its_answer_and_a_reply_goes_on_until_it_is_settled(engine: Engine) -> None:
    people = begin(engine)
    ann, ada = people["ann"], people["ada"]
    item = asked_and_answered(engine, people, ruling=True)
    assert (unread(engine, ann).n, unread(engine, ann).study_id) == (1, item.study_id)
    assert (unread(engine, ann, item.study_id).n, unread(engine, ann, "elsewhere").n) == (1, 0)
    with reading(engine) as session:
        shown = own_items(session, user_id=ann, study_id=item.study_id, show="answered").items
    assert [one.assignment_id for one in shown] == [item.assignment_id]
    (thread,) = read(engine, ann)
    assert (thread.thread.assignment_id, thread.question) == (item.assignment_id, item.instance.question)
    assert [(one.question, one.text, one.ruling) for one in thread.thread.messages] == [(NOTE, RULE, True)]
    assert unread(engine, ann).n == 0
    reply(engine, ann, item)
    reply(engine, ann, item)  # the same again, after a lost response
    found = waiting_item(engine, ada, "replied")
    (one,) = found.threads
    assert (one.thread.waits, one.pseudonym, len(one.thread.messages)) == (True, None, 2)
    with writing(engine) as session:
        answer_annotators.answer_thread(session, **about(ada, found), thread=one.key, comment="That too.")
    with pytest.raises(Conflict, match="newer message"), writing(engine) as session:
        answer_annotators.answer_thread(session, **about(ada, found), thread=one.key, comment="That too.")
    assert unread(engine, ann).n == 1
    assert [one.text for one in read(engine, ann)[0].thread.messages] == [RULE, "And 'roughly'?", "That too."]
    reply(engine, ann, item, "Thanks.")
    found = waiting_item(engine, ada, "replied")
    with writing(engine) as session:
        answer_annotators.settle_thread(session, **about(ada, found), thread=found.threads[0].key)
    with reading(engine) as session:
        assert list_waiting(session, user_id=ada) == ()
    assert unread(engine, ann).n == 0
    assert len(read(engine, ann)[0].thread.messages) == 4, "that a reply needs no answer is not told"
    check_log(engine)


def test_an_answer_is_kept_back_until_the_item_is_submitted(engine: Engine) -> None:
    people = begin(engine)
    ann = people["ann"]
    item = first(engine, ann)
    flag(engine, ann, item)
    answer(engine, people["ada"])
    for _ in range(2):
        assert (unread(engine, ann).n, unread(engine, ann).kept_back) == (0, 1)
        assert read(engine, ann) == read(engine, ann, item.assignment_id) == ()
        with pytest.raises(InputError, match="no answer here that you have read"):
            reply(engine, ann, item)
        if item.revision == 0:
            item = save(engine, ann, item, BLIND)  # locked, and the gold is open: still kept back
    submit(engine, ann, item, FAILURE)
    assert (unread(engine, ann).n, unread(engine, ann).kept_back) == (1, 0)
    assert [one.text for one in read(engine, ann)[0].thread.messages] == [RULE]


def test_once_a_study_is_closed_an_answer_on_an_item_that_was_never_submitted_is_open(
    engine: Engine,
) -> None:
    people = begin(engine)
    item = first(engine, people["ann"])
    flag(engine, people["ann"], item)
    answer(engine, people["ada"])
    with writing(engine) as session:
        close_study(session, name="six")
    (thread,) = read(engine, people["ann"])
    assert (thread.open, thread.thread.messages[0].text) == (False, RULE)
    with pytest.raises(Conflict, match="closed"):
        reply(engine, people["ann"], item)
    check_log(engine)


def test_nobody_else_gets_a_thread(engine: Engine) -> None:
    people = begin(engine)
    item = asked_and_answered(engine, people)
    ben, zoe = people["ben"], people["zoe"]
    others = submitted(engine, ben)
    while others.instance.records != item.instance.records:
        others = submitted(engine, ben)  # the same item, judged by another
    for name in (ben, zoe):
        assert (unread(engine, name).n, unread(engine, name).kept_back, read(engine, name)) == (0, 0, ())
        with pytest.raises(NotAllowed):
            read(engine, name, item.assignment_id)
        with pytest.raises(NotAllowed):
            reply(engine, name, item)
    assert read(engine, ben, others.assignment_id) == ()
    for name in ("ann", "ben", "zoe"):
        with pytest.raises(NotAllowed, match="may not adjudicate"):
            answer(engine, people[name])
    check_log(engine)
    assert unread(engine, people["ann"]).n == 1, "what others tried to read is not read"


def test_two_annotators_of_an_item_have_a_thread_each_and_the_adjudicator_both(engine: Engine) -> None:
    people = begin(engine, wrong=1)
    for name in ("ann", "ben"):
        asked_and_answered(engine, people, name, text=f"to {name}")
    for name in ("ann", "ben"):
        (thread,) = read(engine, people[name])
        assert [one.text for one in thread.thread.messages] == [f"to {name}"]
    item = submitted(engine, people["eve"])
    flag(engine, people["eve"], item)
    found = waiting_item(engine, people["ada"])
    assert [one.thread.messages[0].text for one in found.threads] == ["to ann", "to ben"]


def test_the_reason_for_a_decided_contest_goes_to_all_who_contested(engine: Engine) -> None:
    people = contest(engine)
    ada, item = people["ada"], next_of(engine, people["ada"])
    with writing(engine) as session:
        contest_resolution.reject(session, **about_claim(ada, item), comment="it says the first record")
    assert [unread(engine, people[name]).n for name in ("ann", "ben", "eve")] == [1, 0, 0]
    (message,) = read(engine, people["ann"])[0].thread.messages
    assert (message.claim, message.outcome) == ("ambiguous", "rejected")
    assert message.text == "it says the first record"
    assert message.question == FAILURE.rationale
    check_log(engine)


def test_an_upheld_contest_comes_back_too(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    (message,) = read(engine, people["ann"])[0].thread.messages
    assert (message.outcome, message.text, message.ruling) == ("upheld", "the rules say so", False)
    check_log(engine)


def test_whoever_annotated_the_item_or_the_open_study_cannot_answer(engine: Engine) -> None:
    people = begin(engine)
    item = submitted(engine, people["ann"])
    flag(engine, people["ann"], item)
    found = waiting_item(engine, people["ada"])
    with writing(engine) as session:
        session.execute(text("UPDATE \"user\" SET role = 'adjudicator' WHERE name = 'ann'"))
    address = about(people["ann"], found)
    with pytest.raises(NotAllowed, match="annotator of this study"), writing(engine) as session:
        answer_annotators.answer_flag(session, **address, flag=found.flags[0].key, comment=RULE)


TABLES = {"message": "number = 7", "message_read": "user_id = 'x'", "guideline_ruling": "version = 7"}


@pytest.mark.parametrize("table", TABLES)
def test_what_was_said_read_and_ruled_is_append_only_and_held_against_the_log(
    engine: Engine, table: str
) -> None:
    people = begin(engine)
    asked_and_answered(engine, people, ruling=True)
    read(engine, people["ann"])
    with writing(engine) as session:
        (ruling,) = session.scalars(select(MessageRow)).all()
        change_guideline(session, name="six", text=RULE, rulings=[ruling.id])
    check_log(engine)
    for change in (f"UPDATE {table} SET {TABLES[table]}", f"DELETE FROM {table}"):
        with (
            pytest.raises(DatabaseError, match=f"{table} rows are append-only"),
            engine.execution_options(**{WRITES: True}).begin() as connection,
        ):
            connection.execute(text(change))
    if table == "message":
        by_force(engine, "UPDATE message SET ruling = FALSE")
        told = "is not the message that the log tells of"
    else:
        by_force(engine, f"DELETE FROM {table}")
        told = "is not in the table, though the log tells of it"
    with reading(engine) as session:
        assert [(one.table, one.says) for one in compare_with_log(session)] == [(table, told)]


def test_a_flag_that_was_taken_away_has_no_answer_and_a_reply_needs_words(engine: Engine) -> None:
    people = begin(engine)
    item = asked_and_answered(engine, people)
    read(engine, people["ann"])
    for said in ("", "  ", "x" * 2001):
        with pytest.raises(InputError, match="1 to 2000 characters"):
            reply(engine, people["ann"], item, said)
    flag(engine, people["ann"], item, "again")
    found = waiting_item(engine, people["ada"])
    with writing(engine) as session:
        annotate.flag(session, user_id=people["ann"], assignment_id=item.assignment_id, note=None)
    with pytest.raises(Conflict, match="answered in the meantime"), writing(engine) as session:
        answer_annotators.answer_flag(
            session, **about(people["ada"], found), flag=found.flags[0].key, comment=RULE
        )


def test_more_threads_than_are_read_at_once_come_in_parts(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_message_threads, "MOST_THREADS", 1)
    people = begin(engine)
    for number in range(2):
        asked_and_answered(engine, people, text=f"answer {number}")
    said = []
    for left in (1, 0):
        said += [one.thread.messages[0].text for one in read(engine, people["ann"])]
        assert unread(engine, people["ann"]).n == left
    assert sorted(said) == ["answer 0", "answer 1"]
