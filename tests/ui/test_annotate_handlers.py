"""The annotate page's actions on a real database, called as their routes call them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.database_sessions import Store
from clinicnum.errors import InputError
from clinicnum.types import Cell, Suggestion
from clinicnum.ui.pages.annotate.page import AnnotateHandlers
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
