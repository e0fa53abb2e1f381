"""The annotate page's handlers on a real database, called as Gradio calls them."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Engine

from db.store import Store
from ui.annotate import AnnotateHandlers

CHOSEN = {"response_judgement": "failure", "labels": [{"code": "omission", "primary": True}], "severity": "1"}


@dataclass
class Request:
    """The part of Gradio's request that the handlers read."""

    username: str


def call(engine: Engine, event: str, user_id: str, out: Any = None, request: Any = None) -> Any:
    handler = getattr(AnnotateHandlers(Store(engine)), event)
    arguments = () if event == "load" else ({"out": out},)
    # In a thread of its own: the browser of other tests keeps an event loop running in this one.
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(lambda: asyncio.run(handler(*arguments, request or Request(user_id)))).result()


def about(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"assignment_id": item["assignment_id"], "revision": item["revision"], **more}


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


def test_nobody_reaches_another_annotators_item(engine: Engine, annotators: dict[str, str]) -> None:
    hers = call(engine, "load", annotators["ann"])["item"]
    for event in ("judge", "submit", "skip", "back"):
        reply = call(engine, event, annotators["ben"], about(hers, judgement=CHOSEN, reason="mine now"))
        assert (reply["kind"], reply["item"]) == ("error", None)
    assert "not kept" in call(engine, "draft", annotators["ben"], about(hers, form={}))
    assert call(engine, "load", annotators["ann"])["item"] == hers


LABEL = {"code": "omission", "primary": True}
HOSTILE: dict[str, Any] = {
    "nothing": None,
    "text": "x",
    "a list": [1],
    "an unknown key": {"admin": True},
    "a revision below zero": {"revision": -1},
    "a revision beyond any integer column": {"revision": 2**70},
    "an id that is none": {"assignment_id": "\0"},
    "a judgement outside the words": {"judgement": {"response_judgement": "splendid"}},
    "two primaries": {"judgement": {**CHOSEN, "labels": [LABEL, {"code": "hallucination", "primary": True}]}},
    "labels without a failure": {"judgement": {"response_judgement": "acceptable", "labels": [LABEL]}},
    "more evidence than anyone means": {
        "judgement": {**CHOSEN, "labels": [{**LABEL, "spans": [[0, 1]] * 51}]}
    },
    "a rationale of a megabyte": {"judgement": {**CHOSEN, "rationale": "x" * 1_000_000}},
    "a draft nested without end": {"form": {"further": [[[[]]]]}},
    "time that runs backwards": {"active_ms": -5},
}


@pytest.mark.parametrize("event", ["judge", "submit", "skip", "back", "draft"])
def test_a_hostile_message_gets_one_line_and_changes_nothing(
    engine: Engine, annotators: dict[str, str], event: str
) -> None:
    before = call(engine, "load", annotators["ann"])
    for case, out in HOSTILE.items():
        message = about(before["item"], **out) if isinstance(out, dict) else out
        reply = call(engine, event, annotators["ann"], message)
        text = reply if event == "draft" else reply["message"]
        assert event == "draft" or reply["kind"] == "error", case
        assert "\n" not in text, case
        assert "ot " in text, case
        assert call(engine, "load", annotators["ann"]) == before, case


def test_a_code_outside_the_taxonomy_is_named(engine: Engine, annotators: dict[str, str]) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    judgement = {**CHOSEN, "labels": [{"code": "gremlins", "primary": True}]}
    reply = call(engine, "submit", annotators["ann"], about(item, judgement=judgement))
    assert reply["kind"] == "error"
    assert "gremlins" in reply["message"]


def test_the_draft_comes_back_with_the_item(engine: Engine, annotators: dict[str, str]) -> None:
    item = call(engine, "load", annotators["ann"])["item"]
    form = {"response_judgement": "failure", "primary": "omission", "rationale": "\0 ü", "further": []}
    assert call(engine, "draft", annotators["ann"], about(item, form=form)) == "Draft kept."
    kept = call(engine, "load", annotators["ann"])["item"]["draft"]
    assert (kept["primary"], kept["rationale"]) == ("omission", "\0 ü")
