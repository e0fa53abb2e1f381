"""The annotate page's actions on a real database, called as their routes call them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.practice_items import practice_items
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import Row, StudyRow
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.errors import InputError, NotAllowed
from clinicnum.types import Cell, Suggestion
from clinicnum.ui.pages.annotate.page import AnnotateHandlers
from clinicnum.ui.pages.annotate.studies_view import time_left_text
from tests.db.examples import add_users, material, open_study
from tests.ui.calling import call_action

CHOSEN = {
    "item_judgement": "valid",
    "response_judgement": "failure",
    "labels": [{"code": "omission", "primary": True}],
    "severity": "1",
}

MORE: dict[str, dict[str, Any]] = {
    "judge": {"judgement": {"response_judgement": "failure"}},
    "submit": {"judgement": CHOSEN},
    "skip": {"reason": "mine now"},
    "flag": {"note": "mine now"},
    "previous": {},
    "save_draft": {"form": {}},
}
"""Action -> what its message holds beside assignment and revision."""


def call(engine: Engine, name: str, user_id: str, message: Any = None) -> Any:
    return call_action(AnnotateHandlers(Store(engine)), name, user_id, message)


def about(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"assignment_id": item["assignment_id"], "revision": item["revision"], **more}


def load_and_lock(engine: Engine, user_id: str) -> Any:
    """The user's item once their judgement without the reference is locked."""
    item = call(engine, "load", user_id)["item"]
    return call(engine, "judge", user_id, about(item, judgement={"response_judgement": "failure"}))["item"]


def test_an_item_goes_blind_then_judged_then_on_to_the_next(
    engine: Engine, annotators: dict[str, str]
) -> None:
    first = call(engine, "load", annotators["ann"])["item"]
    assert first["reveal"] is None
    judged = call(
        engine, "judge", annotators["ann"], about(first, judgement={"response_judgement": "failure"})
    )
    assert judged["kind"] == "judged"
    assert judged["item"]["reveal"]["answer"].startswith("10")
    reply = call(engine, "submit", annotators["ann"], about(judged["item"], judgement=CHOSEN))
    assert (reply["kind"], reply["item"]["progress"]["done"]) == ("item", 1)
    assert reply["item"]["assignment_id"] != first["assignment_id"]


def test_a_stale_submit_is_refused_and_shows_the_item_as_it_now_stands(
    engine: Engine, annotators: dict[str, str]
) -> None:
    first = call(engine, "load", annotators["ann"])["item"]
    call(engine, "judge", annotators["ann"], about(first, judgement={"response_judgement": "failure"}))
    reply = call(engine, "submit", annotators["ann"], about(first, judgement=CHOSEN))
    assert reply["kind"] == "error"
    assert reply["item"]["revision"] == 1


def test_a_judgement_that_was_not_locked_without_the_reference_is_not_submitted(
    engine: Engine, annotators: dict[str, str]
) -> None:
    first = call(engine, "load", annotators["ann"])["item"]
    reply = call(engine, "submit", annotators["ann"], about(first, judgement=CHOSEN))
    assert reply["kind"] == "error"
    assert reply["message"].startswith("Nothing was saved: no judgement of this item is locked")
    again = call(engine, "load", annotators["ann"])["item"]
    assert (again["revision"], again["status"]) == (0, "open")


def test_nobody_reaches_another_annotators_item(engine: Engine, annotators: dict[str, str]) -> None:
    hers = call(engine, "load", annotators["ann"])["item"]
    for name, more in MORE.items():
        message = about(hers, **more)
        if name == "previous":
            del message["revision"]
        reply = call(engine, name, annotators["ben"], message)
        assert (reply["kind"], reply["item"]) == ("draft_refused" if name == "save_draft" else "error", None)
    assert call(engine, "load", annotators["ann"])["item"] == hers


def test_evidence_for_each_label_comes_back_as_it_was_saved(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    further = {"spans": [[2, 3]], "context_spans": [[0, 4]], "cells": [{"record": 0, "vital": "sbp_mmhg"}]}
    labels = [
        {"code": "omission", "primary": True, "context_spans": [[5, 8]]},
        {"code": "hallucination", "primary": False, **further},
        {"code": "format_mismatch", "primary": False},
    ]
    judgement = {"response_judgement": "failure", "labels": labels}
    form = call(engine, "judge", annotators["ann"], about(item, judgement=judgement))["item"]["draft"]
    assert (form["spans"], form["context_spans"], form["cells"]) == ([], [[5, 8]], [])
    assert form["further"] == ["hallucination", "format_mismatch"]
    assert form["further_evidence"] == {"hallucination": further}


LABEL = {"code": "omission", "primary": True}
HOSTILE: dict[str, Any] = {
    "text": "x",
    "a list": [1],
    "an unknown key": {"admin": True},
    "a revision below zero": {"revision": -1},
    "a revision beyond any integer column": {"revision": 2**70},
    "an id that is none": {"assignment_id": "\0"},
    "a judgement outside the words": {
        "judgement": {"item_judgement": "valid", "response_judgement": "splendid"}
    },
    "two primaries": {"judgement": {**CHOSEN, "labels": [LABEL, {"code": "hallucination", "primary": True}]}},
    "labels without a failure": {
        "judgement": {"item_judgement": "valid", "response_judgement": "acceptable", "labels": [LABEL]}
    },
    "more evidence than anyone means": {
        "judgement": {**CHOSEN, "labels": [{**LABEL, "spans": [[0, 1]] * 51}]}
    },
    "a rationale of a megabyte": {"judgement": {**CHOSEN, "rationale": "x" * 1_000_000}},
    "evidence before the text begins": {"form": {"spans": [[-1, 4]]}},
    "a cell of no vital": {"form": {"cells": [{"record": 0, "vital": "mood"}]}},
    "a further label's evidence without end": {
        "form": {"further_evidence": {"omission": {"spans": [[0, 1]] * 51}}}
    },
    "a draft nested without end": {"form": {"further": [[[[]]]]}},
    "time that runs backwards": {"active_ms": -5},
}


@pytest.mark.parametrize("name", [*MORE, "guideline"])
def test_a_hostile_message_gets_one_line_and_changes_nothing(
    engine: Engine, annotators: dict[str, str], name: str
) -> None:
    before = call(engine, "load", annotators["ann"])
    for case, sent in HOSTILE.items():
        message = about(before["item"], **{**MORE.get(name, {}), **sent}) if isinstance(sent, dict) else sent
        with pytest.raises(InputError, match=r"^Nothing was saved: .*try again\.$") as refused:
            call(engine, name, annotators["ann"], message)
        assert "\n" not in str(refused.value), case
        assert call(engine, "load", annotators["ann"]) == before, case


def test_a_code_outside_the_taxonomy_is_named(engine: Engine, annotators: dict[str, str]) -> None:
    item = load_and_lock(engine, annotators["ann"])
    judgement = {**CHOSEN, "labels": [{"code": "gremlins", "primary": True}]}
    reply = call(engine, "submit", annotators["ann"], about(item, judgement=judgement))
    assert reply["kind"] == "error"
    assert "gremlins" in reply["message"]


def test_the_draft_comes_back_with_the_item(engine: Engine, annotators: dict[str, str]) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    form = {"response_judgement": "failure", "primary": "omission", "rationale": "\0 ü", "further": []}
    assert call(engine, "save_draft", annotators["ann"], about(item, form=form))["message"] == "Draft kept."
    kept = call(engine, "load", annotators["ann"])["item"]["draft"]
    assert (kept["primary"], kept["rationale"]) == ("omission", "\0 ü")


def test_evidence_comes_back_with_the_draft_and_with_the_judgement(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    evidence = {"spans": [[0, 4], [6, 9]], "cells": [{"record": 1, "vital": "sbp_mmhg"}]}
    call(engine, "save_draft", annotators["ann"], about(item, form={"primary": "omission", **evidence}))
    draft = call(engine, "load", annotators["ann"])["item"]["draft"]
    assert {key: draft[key] for key in evidence} == evidence
    item = load_and_lock(engine, annotators["ann"])
    judgement = {**CHOSEN, "labels": [{**LABEL, **evidence}]}
    following = call(engine, "submit", annotators["ann"], about(item, judgement=judgement))["item"]
    here = {"assignment_id": following["assignment_id"]}
    before = call(engine, "previous", annotators["ann"], here)["item"]["draft"]
    assert {key: before[key] for key in evidence} == evidence


def test_the_same_submit_again_goes_on_to_the_same_next_item(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = load_and_lock(engine, annotators["ann"])
    once = call(engine, "submit", annotators["ann"], about(item, judgement=CHOSEN))
    again = call(engine, "submit", annotators["ann"], about(item, judgement=CHOSEN))
    assert once == again
    assert once["item"]["progress"]["done"] == 1


def test_a_flag_is_set_and_taken_away_and_leaves_the_work_alone(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    flagged = call(engine, "flag", annotators["ann"], about(item, note="odd units"))
    assert (flagged["kind"], flagged["item"]["flag"]) == ("flagged", "odd units")
    call(engine, "flag", annotators["ann"], about(item))
    assert call(engine, "load", annotators["ann"])["item"] == item


def test_training_is_answered_with_the_reference_and_no_item_before_it_holds_it(engine: Engine) -> None:
    ann = add_users(engine, ("ann",))[0].user_id
    reference = Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code="omission.missed_step", primary=True),),
        severity="3",
    )
    open_study(engine, annotators=["ann"], overlap=1, training=1, references={"run-of-llama-g0": reference})
    item = call(engine, "load", ann)["item"]
    assert (item["training"], item["feedback"]) == (True, None)
    item = load_and_lock(engine, ann)
    reply = call(engine, "submit", ann, about(item, judgement=CHOSEN))
    assert (reply["kind"], reply["item"]["assignment_id"]) == ("feedback", item["assignment_id"])
    assert reply["item"]["feedback"]["primary"] == "omission.missed_step"
    assert reply["item"]["draft"]["primary"] == "omission"
    following = call(engine, "load", ann)["item"]
    assert (following["training"], following["feedback"]) == (False, None)


def test_suggestions_wait_for_the_judgement_where_the_study_says_so(engine: Engine) -> None:
    ann = add_users(engine, ("ann",))[0].user_id
    made = material()
    suggestion = Suggestion(
        generation_id="run-of-llama-g0",
        code="omission",
        rule="r",
        rank=1,
        sentence="A step is left out.",
        spans=((0, 2),),
        cells=(Cell(record=0, vital="sbp_mmhg"),),
    )
    everywhere = tuple(
        suggestion.model_copy(update={"generation_id": one.generation_id}) for one in made.generations()
    )
    made = replace(made, suggestions=everywhere)
    open_study(engine, made, annotators=["ann"], overlap=1, suggestions="after_judgement")
    item = call(engine, "load", ann)["item"]
    assert item["suggestions"] == []
    judged = call(engine, "judge", ann, about(item, judgement={"response_judgement": "failure"}))["item"]
    assert judged["suggestions"] == [
        {
            "code": "omission",
            "sentence": "A step is left out.",
            "spans": [[0, 2]],
            "cells": [{"record": 0, "vital": "sbp_mmhg"}],
        }
    ]


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
    assert again["message"] == "Nothing waits for you in new now. This item is from old."
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
        said = f"There is no study “{foreign}” for you to label. This item is of old."
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


def test_the_tour_is_due_until_it_was_seen_or_skipped(engine: Engine, annotators: dict[str, str]) -> None:
    assert call(engine, "load", annotators["ann"])["tour_due"]
    call(engine, "tour", annotators["ann"], {"end": "skipped"})
    assert not call(engine, "load", annotators["ann"])["tour_due"]
    call(engine, "tour", annotators["ann"], {"end": "seen"})
    assert not call(engine, "load", annotators["ann"])["tour_due"]
    assert call(engine, "load", annotators["ben"])["tour_due"]
    with pytest.raises(InputError, match="Nothing was saved"):
        call(engine, "tour", annotators["ann"], {"end": "slept"})


def everything(engine: Engine) -> dict[str, int]:
    with reading(engine) as session:
        return {
            name: session.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Row.metadata.tables.items()
        }


def test_practice_goes_the_way_of_a_real_item_and_leaves_nothing_behind(
    engine: Engine, annotators: dict[str, str]
) -> None:
    own = call(engine, "load", annotators["ann"])
    before = everything(engine)
    for place, practice in enumerate(practice_items()):
        opened = call(engine, "practice", annotators["ann"], {"place": place})
        assert (opened["kind"], opened["item"]["reveal"], opened["item"]["why"]) == ("item", None, None)
        assert opened["item"].keys() - own["item"].keys() == {"why"}
        blind = practice.key.without_reference().model_dump(mode="json", exclude_none=True)
        judged = call(
            engine, "practice", annotators["ann"], {"place": place, "step": "judge", "judgement": blind}
        )
        assert (judged["kind"], judged["item"]["feedback"]) == ("judged", None)
        assert judged["item"]["reveal"]["answer"]
        whole = practice.key.model_dump(mode="json", exclude_none=True)
        told = call(
            engine, "practice", annotators["ann"], {"place": place, "step": "submit", "judgement": whole}
        )
        assert (told["kind"], told["item"]["why"]) == ("feedback", practice.why)
        assert told["item"]["feedback"] == told["item"]["draft"]
    over = call(engine, "practice", annotators["ann"], {"place": len(practice_items())})
    assert over["item"] == own["item"]
    assert "nothing of it was saved" in over["message"]
    assert everything(engine) == before


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"step": "judge"}, "Nothing was judged"),
        ({"step": "judge", "judgement": CHOSEN}, "is judged once the gold answer is shown"),
        ({"step": "submit", "judgement": {"response_judgement": "failure"}}, "Judge the item: valid"),
        (
            {
                "step": "judge",
                "judgement": {"response_judgement": "failure", "labels": [{**LABEL, "code": "x"}]},
            },
            "x",
        ),
        (
            {
                "step": "judge",
                "judgement": {"response_judgement": "failure", "labels": [{**LABEL, "spans": [[0, 9999]]}]},
            },
            "outside the text",
        ),
    ],
)
def test_practice_refuses_what_a_real_item_refuses(
    engine: Engine, annotators: dict[str, str], sent: dict[str, Any], said: str
) -> None:
    reply = call(engine, "practice", annotators["ann"], sent)
    assert (reply["kind"], reply["item"]) == ("error", None)
    assert said in reply["message"]


def test_between_two_studies_it_is_said_which_is_finished_and_which_comes_next(engine: Engine) -> None:
    ann = {one.name: one.user_id for one in add_users(engine)}["ann"]
    for name in ("first", "second"):
        open_study(
            engine, material(wrong=1, run_id=f"run of {name}"), name=name, annotators=("ann",), overlap=1
        )
    item = load_and_lock(engine, ann)
    reply = call(engine, "submit", ann, about(item, judgement=CHOSEN))
    assert (reply["kind"], reply["item"], reply["next_study"]) == ("done", None, "second")
    assert reply["message"] == "You have finished first. Thank you. Next: second."
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
    assert reply["message"] == "Nothing more waits for you in first just now. Next: second."
