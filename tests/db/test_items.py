"""A lead finds the items of a study, and sees every revision of their judgements."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.masked_model_names import MASK
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import UserRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate, reassign_items
from clinicnum.db.work.annotation.reassign_items import Selection
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.item_query import ItemQuery
from clinicnum.db.work.studies.study_items import item_details, list_items
from clinicnum.errors import NotAllowed
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.items import (
    ITEMS,
    OMITTED,
    add_lead,
    called,
    details,
    item_of,
    items,
    lead_and_annotators,
    line_of,
    listed,
    skip,
)
from tests.db.test_annotate import FINE, first, save, submit


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """Three annotators of a study of six items, two an item; and its lead."""
    return lead_and_annotators(engine)


def test_states_are_told_and_filtered_by_the_database(engine: Engine, people: dict[str, str]) -> None:
    assert len(items(engine, people, state="not_begun")) == ITEMS
    one = first(engine, people["ann"])
    submit(engine, people["ann"], one)
    two = first(engine, people["ann"])
    skip(engine, people["ann"], two)
    three = first(engine, people["ann"])
    with writing(engine) as session:
        annotate.flag(session, user_id=people["ann"], assignment_id=three.assignment_id, note="odd")
    keys = [item_of(engine, item) for item in (one, two, three)]
    name, other = called(engine, people["ann"]), called(engine, people["ben"])
    for state, found in (("partly", 0), ("skipped", 1), ("in_work", 2), ("flagged", 2)):
        assert items(engine, people, state=state) == [keys[found]]
        assert items(engine, people, state=state, annotator=name) == [keys[found]]
        assert items(engine, people, state=state, annotator=other) == []
    assert sorted(items(engine, people, annotator=name)) == sorted(keys)
    assert not {*keys} & {*items(engine, people, state="not_begun")}
    line = line_of(engine, people, keys[0])
    assert (line.count("submitted"), line.places, line.differ) == (1, 2, None)
    assert listed(engine, people).annotators[0][0] == "A1"


def test_whether_labels_differ_is_the_same_in_the_filter_and_in_the_row(
    engine: Engine, people: dict[str, str]
) -> None:
    said = {"ann": [FAILURE, FAILURE, FINE, FAILURE], "ben": [FAILURE, OMITTED, FAILURE, FAILURE]}
    by_item: dict[str, list[Judgement]] = {}
    with writing(engine) as session:  # two who judge the same items
        session.get_one(UserRow, people["eve"]).active = False
    for who, judgements in said.items():
        for _ in range(ITEMS):
            item = first(engine, people[who])
            seen = by_item.setdefault(item_of(engine, item), [])
            at = list(by_item).index(item_of(engine, item)) % 4
            seen.append(judgements[at])
            submit(engine, people[who], item, judgements[at])
    expected = {
        key: len({(one.response_judgement, one.labels) for one in of}) > 1 for key, of in by_item.items()
    }
    assert {line.item: line.differ for line in listed(engine, people).lines} == expected
    for differ in ("yes", "no"):
        found = items(engine, people, differ=differ)
        assert {*found} == {key for key, apart in expected.items() if apart == (differ == "yes")}
    due = items(engine, people, state="due", order="disputed")
    assert {*due} == {key for key, apart in expected.items() if apart}
    assert items(engine, people, order="disputed")[: len(due)] == due
    assert len(items(engine, people, state="judged")) == ITEMS


def test_a_search_finds_words_and_does_not_depend_on_a_masked_name(
    engine: Engine, people: dict[str, str]
) -> None:
    assert len(items(engine, people, search="PULSE pressure")) == ITEMS
    assert items(engine, people, search="no such words") == []
    for hidden in ("llama", "Llama-3", "makers", "tiny", "I am"):
        assert items(engine, people, search=hidden) == [], "the texts name their model"
    key = items(engine, people)[0]
    assert MASK in details(engine, people, key).text
    assert details(engine, people, key).model is None
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    assert len(items(engine, people, search="i AM LLAMA-3")) == ITEMS
    assert len(items(engine, people, search=": 2000")) == ITEMS
    assert "Llama" in details(engine, people, key).text


def test_an_item_shows_every_revision_with_the_one_before(engine: Engine, people: dict[str, str]) -> None:
    item = save(engine, people["ann"], first(engine, people["ann"]))
    item = submit(engine, people["ann"], item)
    submit(engine, people["ann"], item, OMITTED)
    found = details(engine, people, item_of(engine, item)).revisions
    assert [(one.revision, one.submitted) for one in found] == [(1, False), (2, True), (3, True)]
    assert [one.before for one in found] == [None, *(one.judgement for one in found[:-1])]
    assert found[-1].judgement == OMITTED


def test_pages_are_cut_by_the_database(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=120))
    people["root"] = add_lead(engine)
    pages = [listed(engine, people, page) for page in (1, 2, 3, 9)]
    assert [len(one.lines) for one in pages] == [50, 50, 20, 20]
    assert [one.page for one in pages] == [1, 2, 3, 3]
    assert [line.position for one in pages[:3] for line in one.lines] == list(range(120))


def test_only_a_lead_who_does_not_annotate_in_it_sees_a_study(engine: Engine, people: dict[str, str]) -> None:
    key = items(engine, people)[0]
    with writing(engine) as session:
        ada = users.add_user(session, name="ada", role="adjudicator", password=None).user_id
        session.get_one(UserRow, people["ann"]).role = "admin"
    chosen = Selection(ItemQuery(study="six"), (key,))
    for user_id in (people["ann"], people["ben"], ada, "nobody"):
        about: dict[str, Any] = {"user_id": user_id}
        with reading(engine) as session:
            with pytest.raises(NotAllowed):
                list_items(session, **about, query=ItemQuery(study="six"))
            with pytest.raises(NotAllowed):
                item_details(session, **about, study="six", item=key)
            for move in ("requeue", "reassign"):
                with pytest.raises(NotAllowed):
                    reassign_items.count_moves(session, **about, move=move, chosen=chosen)  # type: ignore[arg-type]
        with pytest.raises(NotAllowed), writing(engine) as session:
            reassign_items.requeue(session, actor=user_id, chosen=chosen, expected=1)
        with pytest.raises(NotAllowed), writing(engine) as session:
            reassign_items.reassign(session, actor=user_id, chosen=chosen, to="A1", expected=1)
