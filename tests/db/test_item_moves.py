"""A lead puts unfinished items back to the pool, or gives them to somebody."""

from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AssignmentRow, AuditRow, StudyAnnotatorRow, StudyItemRow
from clinicnum.db.work.annotation import annotate, reassign_items
from clinicnum.db.work.annotation.reassign_items import Selection
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.studies import study_changes, study_lifecycle
from clinicnum.db.work.studies.item_query import ItemQuery
from clinicnum.errors import Conflict, InputError
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.items import (
    ITEMS,
    add_lead,
    called,
    check,
    give,
    item_of,
    lead_and_annotators,
    listed,
    put_back,
    skip,
)
from tests.db.tampering import by_force
from tests.db.test_annotate import first, save, submit
from tests.db.test_question_groups import repeated_questions


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """Three annotators of a study of six items, two an item; and its lead."""
    return lead_and_annotators(engine)


def test_what_is_put_back_goes_to_whoever_asks_first_and_nothing_locked_is_lost(
    engine: Engine, people: dict[str, str]
) -> None:
    done = submit(engine, people["ann"], first(engine, people["ann"]))
    aside = first(engine, people["ann"])
    skip(engine, people["ann"], aside)
    locked = save(engine, people["ann"], first(engine, people["ann"]))
    moved = put_back(engine, people, annotator=called(engine, people["ann"]))
    assert (moved.items, moved.assignments) == (2, 2)
    check(engine)
    with reading(engine) as session:
        rows = {key: session.get_one(AssignmentRow, key).status for key in (done.assignment_id,)}
        assert rows == {done.assignment_id: "submitted"}
        assert session.get_one(AssignmentRow, aside.assignment_id).skip_reason is None
        kept = select(AnnotationRow).where(col(AnnotationRow.assignment_id) == locked.assignment_id)
        assert len(session.scalars(kept).all()) == 1
    taken = {item_of(engine, locked), item_of(engine, aside)}
    for who in ("ben", "eve"):
        for _ in range(ITEMS):
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=people[who])
            if item is None:
                break
            taken.discard(item_of(engine, item))
            submit(engine, people[who], item)
    assert taken == set(), "others took them"
    check(engine)
    with pytest.raises(InputError, match="nothing to put back"):
        put_back(engine, people)


def test_an_item_goes_from_one_annotator_to_another_who_gets_it_next(
    engine: Engine, people: dict[str, str]
) -> None:
    locked = save(engine, people["ann"], first(engine, people["ann"]))
    busy = first(engine, people["ben"])
    key = item_of(engine, locked)
    moved = give(engine, people, "eve", key)
    assert (moved.items, moved.left) == (1, {})
    check(engine)
    assert item_of(engine, first(engine, people["eve"])) == key
    given = first(engine, people["eve"])
    assert (given.revision, given.reveal, given.draft) == (0, None, None), "she begins blind"
    with reading(engine) as session:
        assert session.get_one(AssignmentRow, locked.assignment_id).status == "released"
        (row,) = session.scalars(select(AuditRow).where(col(AuditRow.action) == "reassign"))
        assert row.after is not None
        assert (row.actor, row.after["annotator"]) == (people["root"], called(engine, people["eve"]))
    submit(engine, people["eve"], given)
    assert first(engine, people["ben"]).assignment_id == busy.assignment_id
    check(engine)


def test_overlap_stays_and_nobody_gets_an_item_twice(engine: Engine, people: dict[str, str]) -> None:
    for who in ("ann", "ben"):
        for _ in range(2):
            submit(engine, people[who], first(engine, people[who]))
    before = {line.item: line.count("submitted") for line in listed(engine, people).lines}
    moved = give(engine, people, "ann")
    full = sum(n == 2 for n in before.values())
    assert moved.left.get("theirs") == 2
    assert moved.items == ITEMS - 2 - sum(
        n == 2 and called(engine, people["ann"]) not in [one.pseudonym for one in line.work]
        for line in listed(engine, people).lines
        for n in [before[line.item]]
    )
    assert full <= 2
    check(engine)
    again = give(engine, people, "ann")
    assert (again.items, again.left["theirs"]) == (0, 2 + moved.items)
    with reading(engine) as session:
        rows = session.scalars(select(AssignmentRow).where(col(AssignmentRow.user_id) == people["ann"])).all()
    assert len({row.generation for row in rows}) == len(rows)
    while True:
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=people["ann"])
        if item is None:
            break
        submit(engine, people["ann"], item)
    check(engine)


def test_whoever_knows_the_reference_of_a_question_is_not_given_its_other_items(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, repeated_questions(12, 3), overlap=1, include="all")
    people["root"] = add_lead(engine)
    submit(engine, people["ann"], first(engine, people["ann"]))
    assert give(engine, people, "ann").left["reference_known"] >= 1
    check(engine)


def test_moves_are_refused_whole(engine: Engine, people: dict[str, str]) -> None:
    item = first(engine, people["ann"])
    key = item_of(engine, item)
    chosen = Selection(ItemQuery(study="six"), (key,))
    before = _tables(engine)

    def refused(
        kind: type[Exception], match: str, chosen: Selection = chosen, to: str = "A1", n: int = 1
    ) -> None:
        with pytest.raises(kind, match=match), writing(engine) as session:
            reassign_items.reassign(session, actor=people["root"], chosen=chosen, to=to, expected=n)
        assert _tables(engine) == before

    refused(Conflict, "it is 1 now, not 7", n=7)
    refused(InputError, "no annotator A9", to="A9")
    refused(InputError, "No item is chosen", Selection(ItemQuery(study="six"), ("0" * 16,)))
    with pytest.raises(Conflict, match="it is 1 now, not 2"), writing(engine) as session:
        reassign_items.requeue(session, actor=people["root"], chosen=chosen, expected=2)
    with writing(engine) as session:
        study_changes.pause_study(session, name="six")
    put_back(engine, people, key)
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    before = _tables(engine)
    refused(Conflict, "is closed; reopen it")
    check(engine)


def test_an_annotator_in_training_is_given_nothing(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    references = {f"run-of-llama-g{number}": FAILURE for number in range(2)}
    open_study(engine, material(wrong=9), overlap=2, training=2, references=references)
    people["root"] = add_lead(engine)
    with pytest.raises(Conflict, match="still in training"):
        give(engine, people, "ann")
    for _ in range(2):
        submit(engine, people["ann"], first(engine, people["ann"]))
    moved = give(engine, people, "ann")
    assert (moved.items, moved.left) == (7, {"aside": 2})
    check(engine)


def test_what_is_moved_past_the_program_is_named(engine: Engine, people: dict[str, str]) -> None:
    item = first(engine, people["ann"])
    skip(engine, people["ann"], item)
    put_back(engine, people, item_of(engine, item))
    by_force(engine, "UPDATE assignment SET status = 'skipped'")
    with reading(engine) as session:
        (found,) = compare_with_log(session)
    assert found.says == "status: the table says 'skipped', the log still in work"


def _tables(engine: Engine) -> list[Any]:
    with reading(engine) as session:
        return [
            [row.model_dump() for row in session.scalars(select(kind))]
            for kind in (AssignmentRow, StudyItemRow, StudyAnnotatorRow, AuditRow)
        ]
