"""From one study to the next on the annotate page: what is left, what is chosen, what an address names."""

import pytest
from sqlalchemy import Engine, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import StudyRow
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.errors import NotAllowed
from clinicnum.ui.pages.annotate.studies_view import time_left_text
from tests.db.examples import add_users, material, open_study
from tests.ui.test_annotate_handlers import CHOSEN, about, call, load_and_lock


@pytest.mark.parametrize("asked", ["unknown", "UNKNOWN item", "", "\0", 7, "hers"])
def test_an_address_of_no_item_of_the_annotator_says_so_and_opens_the_next_one(
    engine: Engine, annotators: dict[str, str], asked: object
) -> None:
    hers = call(engine, "load", annotators["ann"])["item"]
    own = call(engine, "load", annotators["ben"])["item"]
    asked = hers["assignment_id"] if asked == "hers" else asked
    reply = call(engine, "load", annotators["ben"], {"assignment_id": asked})
    assert (reply["kind"], reply["item"]) == ("item", own)
    assert reply["message"] == (
        "There is no such item of yours: the address may be incomplete, or meant for somebody else. This "
        f"item is of the study “{own['study']}”."
    )


def test_the_guideline_is_for_the_annotators_of_the_study_alone(
    engine: Engine, annotators: dict[str, str]
) -> None:
    stranger = add_users(engine, ("zoe",))[0].user_id
    study_id = call(engine, "load", annotators["ann"])["item"]["study_id"]
    reply = call(engine, "guideline", annotators["ann"], {"study_id": study_id})
    assert (reply["guide"]["version"], reply["guide"]["taxonomy"]) == ("0", "clinical-numeracy 2")
    assert reply["guide"]["title"] == "Guideline, version 0, the default made from the taxonomy"
    assert "<h3>Omission (left something out)" in reply["guide"]["html"]
    for user_id, asked in ((stranger, study_id), (annotators["ann"], "no-such-study")):
        reply = call(engine, "guideline", user_id, {"study_id": asked})
        assert reply["kind"] == "error"
        assert "do not annotate this study" in reply["message"]
    with reading(engine) as session, pytest.raises(NotAllowed):
        guideline_of(session, user_id=stranger, study_id=study_id)


def test_who_has_nothing_to_do_is_told_why(engine: Engine, annotators: dict[str, str]) -> None:
    zoe = add_users(engine, ("zoe",))[0].user_id
    assert "Nothing is waiting for you" in call(engine, "load", zoe)["message"]
    item = call(engine, "load", annotators["ann"])["item"]
    for status, said in (("paused", "Paused for now: six."), ("closed", "Closed: six.")):
        with writing(engine) as session:
            session.get_one(StudyRow, item["study_id"]).status = status
        reply = call(engine, "load", annotators["ann"])
        assert (reply["kind"], reply["item"]) == ("done", None)
        assert said in reply["message"]
        refused = call(engine, "submit", annotators["ann"], about(item, judgement=CHOSEN))
        assert status in refused["message"]


def test_who_is_done_is_led_to_the_first_item_put_aside(engine: Engine) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    for name in ("old", "new"):
        open_study(engine, material(run_id=name, wrong=1), name=name, annotators=("ann",), overlap=1)
    aside = []
    for _ in ("old", "new"):
        item = call(engine, "load", ann)["item"]
        aside.append(item["assignment_id"])
        reply = call(engine, "skip", ann, about(item, reason="The item looks broken"))
    assert (reply["kind"], reply["first_aside"]) == ("done", aside[0])
    assert "You put 2 items aside: “The first item put aside” leads to the first of them." in reply["message"]
    unknown = call(engine, "load", ann, {"assignment_id": "unknown"})
    assert unknown["message"].startswith("There is no such item of yours: ")
    assert unknown["first_aside"] == aside[0]
    opened = call(engine, "load", ann, {"assignment_id": aside[0]})["item"]
    assert (opened["status"], opened["study"]) == ("skipped", "old")
    with writing(engine) as session:
        session.get_one(StudyRow, opened["study_id"]).status = "paused"
    assert call(engine, "load", ann)["first_aside"] == aside[1]


def test_a_study_closed_meanwhile_says_what_is_saved_and_leads_on(engine: Engine) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    for name in ("old", "new"):
        open_study(engine, material(run_id=name, wrong=1), name=name, annotators=("ann",), overlap=1)
    for closed, following in (("old", "new"), ("new", None)):
        item = load_and_lock(engine, ann)
        assert item["study"] == closed
        with writing(engine) as session:
            session.get_one(StudyRow, item["study_id"]).status = "closed"
        reply = call(engine, "submit", ann, about(item, judgement=CHOSEN))
        assert (reply["kind"], reply["item"], reply.get("next_study")) == ("closed", None, following)
        assert reply["message"].startswith(
            "This study is closed. Your last choice was not saved; everything before is. "
        )
    assert "Closed: " in reply["message"], "and nothing else waits"


def test_an_annotator_of_two_studies_chooses_where_the_next_items_come_from(engine: Engine) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    open_study(engine, material(run_id="old"), name="old")
    assert [one["name"] for one in call(engine, "load", ann)["studies"]] == ["old"]
    open_study(engine, material(run_id="new", wrong=1), name="new", annotators=("ann",), overlap=1)
    first = call(engine, "load", ann)
    assert first["item"]["study"] == "old"
    assert [(one["name"], one["facts"], one["chosen"]) for one in first["studies"]] == [
        ("All in turn, the oldest first", [], True),
        ("old", ["0 of 6 done"], False),
        ("new", ["0 of 1 done"], False),
    ]
    new = first["studies"][2]["study_id"]
    chosen = call(engine, "choose", ann, {"study_id": new})
    assert (chosen["item"]["study"], chosen["message"], chosen["studies"][2]["chosen"]) == ("new", None, True)
    done = call(engine, "submit", ann, about(load_and_lock(engine, ann), judgement=CHOSEN, active_ms=1000))
    assert (done["kind"], done["next_study"]) == ("done", "old")
    assert call(engine, "load", ann)["item"]["assignment_id"] == first["item"]["assignment_id"]
    again = call(engine, "choose", ann, {"study_id": new})
    assert again["message"] == (
        "Nothing waits for you in the study “new” now. This item is of the study “old”."
    )
    assert call(engine, "choose", ann, {})["studies"][0]["chosen"]
    assert call(engine, "studies", ann)["studies"][2]["facts"] == ["1 of 1 done"]


def test_an_address_opens_the_study_that_it_names_if_it_is_the_annotators(engine: Engine) -> None:
    ids = {user.name: user.user_id for user in add_users(engine)}
    old = open_study(engine, material(run_id="old"), name="old", annotators=("ann", "ben"), overlap=2)
    new = open_study(engine, material(run_id="new", wrong=1), name="new", annotators=("ann",), overlap=1)
    assert call(engine, "load", ids["ann"])["item"]["study"] == "old"
    opened = call(engine, "load", ids["ann"], {"study": new.study_id})
    assert (opened["item"]["study"], opened["studies"][2]["chosen"], "tour_due" in opened) == (
        "new",
        True,
        True,
    )
    assert call(engine, "load", ids["ann"], {"study": old.study_id})["item"]["study"] == "old"
    named = call(engine, "load", ids["ann"], {"study": "new"})
    assert (named["item"]["study"], named["message"], named["studies"][2]["chosen"]) == ("new", None, True)
    for foreign in (new.study_id, "new", "<img>"):
        told = call(engine, "load", ids["ben"], {"study": foreign})
        said = f"There is no study “{foreign}” for you to label. This item is of the study “old”."
        assert (told["item"]["study"], told["message"]) == ("old", said)
    with writing(engine) as session:
        for one in session.scalars(select(StudyRow)):
            one.status = "closed"
    told = call(engine, "load", ids["ben"], {"study": "old"})
    assert told["message"].startswith("The study old is closed now; choose another one. ")


def test_another_annotators_study_cannot_be_chosen(engine: Engine, annotators: dict[str, str]) -> None:
    open_study(engine, material(run_id="hers", wrong=1), name="hers", annotators=("eve",), overlap=1)
    hers = call(engine, "load", annotators["eve"])["studies"][2]["study_id"]
    reply = call(engine, "choose", annotators["ann"], {"study_id": hers})
    assert (reply["kind"], reply["item"]) == ("error", None)
    assert "not an annotator of this study" in reply["message"]


@pytest.mark.parametrize(
    ("expected_ms", "items", "text"),
    [
        (None, 3, ""),
        (1000, 0, ""),
        (9_000, 3, "less than a minute left"),
        (60_000, 1, "about 1 min left"),
        (90_000, 8, "about 12 min left"),
    ],
)
def test_the_time_left_is_said_in_minutes(expected_ms: int | None, items: int, text: str) -> None:
    assert time_left_text(expected_ms, items=items) == text


def test_between_two_studies_it_is_said_which_is_finished_and_which_comes_next(engine: Engine) -> None:
    ann = {one.name: one.user_id for one in add_users(engine)}["ann"]
    for name in ("first", "second"):
        open_study(
            engine, material(wrong=1, run_id=f"run of {name}"), name=name, annotators=("ann",), overlap=1
        )
    item = load_and_lock(engine, ann)
    reply = call(engine, "submit", ann, about(item, judgement=CHOSEN))
    assert (reply["kind"], reply["item"], reply["next_study"]) == ("done", None, "second")
    assert reply["message"] == "You have finished the study “first”. Thank you. Next: “second”."
    following = call(engine, "load", ann)["item"]
    assert following["study"] == "second"
    reply = call(engine, "skip", ann, about(following, reason="unreadable"))
    assert (reply["kind"], reply.get("next_study")) == ("done", None)


def test_a_study_with_an_item_put_aside_is_not_called_finished(engine: Engine) -> None:
    ann = {one.name: one.user_id for one in add_users(engine)}["ann"]
    for name in ("first", "second"):
        open_study(
            engine, material(wrong=1, run_id=f"run of {name}"), name=name, annotators=("ann",), overlap=1
        )
    item = call(engine, "load", ann)["item"]
    reply = call(engine, "skip", ann, about(item, reason="unreadable"))
    assert reply["message"] == "Nothing more waits for you in the study “first” just now. Next: “second”."
