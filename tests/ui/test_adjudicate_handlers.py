"""The adjudicate page's actions on a real database, called as their routes call them."""

import json
import re
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, select
from sqlmodel import col

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AdjudicationRow, AuditRow, ContestRow, InvalidationRow
from clinicnum.db.work.annotation import annotate
from clinicnum.errors import InputError
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from tests.db.adjudicating import add_role, differing
from tests.db.examples import MODEL, material, open_study
from tests.db.test_contests import AMBIGUOUS, contest
from tests.ui.calling import call_action

OWN = {
    "item_judgement": "valid",
    "response_judgement": "failure",
    "labels": [{"code": "omission", "primary": True}],
    "severity": "1",
}
ACTIONS = {one.name: one.message for one in AdjudicateHandlers(Store(create_engine("sqlite://"))).actions()}


def call(engine: Engine, name: str, user_id: str, message: Any = None) -> Any:
    return call_action(AdjudicateHandlers(Store(engine)), name, user_id, message)


def about(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"study_id": item["study_id"], "item": item["item"], **more}


def decide(engine: Engine, user_id: str, item: dict[str, Any], **more: Any) -> Any:
    return call(engine, "decide", user_id, about(item, seen=item["seen"], **more))


def stored(engine: Engine) -> tuple[int, int, int, list[str]]:
    with reading(engine) as session:
        return (
            len(session.scalars(select(AdjudicationRow)).all()),
            len(session.scalars(select(InvalidationRow)).all()),
            len(session.scalars(select(AuditRow)).all()),
            sorted(session.scalars(select(col(ContestRow.status)))),
        )


def test_items_are_decided_one_after_the_other_until_nothing_waits(engine: Engine) -> None:
    people = differing(engine)
    reply = call(engine, "load", people["ada"])
    assert (reply["kind"], reply["queue"]["due"]) == ("item", 2)
    second = decide(engine, people["ada"], reply["item"], position=1, comment="so")
    assert (second["kind"], second["queue"]["due"]) == ("item", 1)
    assert second["item"]["item"] != reply["item"]["item"]
    done = decide(engine, people["ada"], second["item"], judgement=OWN)
    assert (done["kind"], done["queue"]["items"]) == ("done", [])
    back = call(engine, "previous", people["ada"], {})
    assert back["item"]["decided"]["said"] == "Failure; Omission; severity: 1"
    further = call(engine, "previous", people["ada"], {"item": back["item"]["item"]})
    assert further["item"]["decided"]["comment"] == "so"
    first = {"item": further["item"]["item"]}
    assert "no item before" in call(engine, "previous", people["ada"], first)["message"]


def test_the_page_is_sent_no_name_no_pseudonym_and_no_model(engine: Engine) -> None:
    people = differing(engine)
    sent = json.dumps(call(engine, "load", people["ada"]))
    for hidden in ("ann", "ben", "eve", "A1", "A2", "A3", MODEL, "run-of-llama", *people.values()):
        assert f'"{hidden}"' not in sent, hidden
    assert "Llama" not in sent


def test_later_leaves_an_item_and_the_queue_leads_back_to_it(engine: Engine) -> None:
    people = differing(engine)
    one = call(engine, "load", people["ada"])["item"]
    two = call(engine, "defer", people["ada"], {"item": one["item"]})["item"]
    assert two["item"] != one["item"]
    assert call(engine, "defer", people["ada"], {"item": two["item"]})["item"]["item"] == one["item"]
    chosen = call(engine, "open", people["ada"], {"study_id": two["study_id"], "item": two["item"]})
    assert chosen["item"] == two


def test_a_stale_decision_is_refused_and_shows_the_item_as_it_now_stands(engine: Engine) -> None:
    people = differing(engine)
    item = call(engine, "load", people["ada"])["item"]
    decide(engine, people["ada"], item, position=0)
    reply = decide(engine, people["ada"], item, position=1)
    assert reply["kind"] == "error"
    assert re.fullmatch(
        r"You decided this item at \d\d:\d\d UTC in another window. Nothing was saved here; deciding again "
        "replaces that decision.",
        reply["message"],
    )
    assert reply["item"]["decided"] is not None
    assert reply["item"]["seen"] != item["seen"]


def test_a_contest_is_upheld_only_with_the_consequences_shown(engine: Engine) -> None:
    people = contest(engine)
    item = call(engine, "load", people["ada"])["item"]
    claim = {"claim": item["claims"][0]["key"]}
    shown = call(engine, "consequences", people["ada"], about(item, **claim, scope="template"))[
        "uphold_preview"
    ]
    assert (shown["scope"], shown["n"], shown["faults"]) == ("template", 1, [])
    assert shown["effects"][0][0] == "Model 1"
    refused = call(
        engine, "uphold", people["ada"], about(item, **claim, scope="group", mark=shown["mark"], comment="c")
    )
    assert (refused["kind"], stored(engine)[1]) == ("error", 0)
    done = call(
        engine,
        "uphold",
        people["ada"],
        about(item, **claim, scope="template", mark=shown["mark"], comment="c"),
    )
    assert done["message"].startswith("Upheld: 1 instances")
    assert stored(engine)[1] == 1


def test_a_contest_is_rejected_and_a_flag_answered(engine: Engine) -> None:
    people = contest(engine, AMBIGUOUS)
    with writing(engine) as session:
        mine = annotate.previous(session, user_id=people["ben"], assignment_id=None)
        assert mine is not None
        annotate.flag(session, user_id=people["ben"], assignment_id=mine.assignment_id, note="why mmHg?")
    item = call(engine, "load", people["ada"])["item"]
    claim = item["claims"][0]["key"]
    silent = call(engine, "reject", people["ada"], about(item, claim=claim))
    assert "with a comment" in silent["message"]
    assert call(engine, "reject", people["ada"], about(item, claim=claim, comment="no"))["kind"] == "item"
    flag = item["flags"][0]
    assert flag["note"] == "why mmHg?"
    reply = call(engine, "answer_flag", people["ada"], about(item, flag=flag["key"], comment="it is usual"))
    assert reply["message"] == "The flag is answered."
    assert stored(engine)[3] == ["rejected"]


HOSTILE: dict[str, Any] = {
    "text": "x",
    "a list": [1],
    "an unknown key": {"admin": True},
    "an item that is none": {"item": "\0"},
    "a position below zero": {"position": -1},
    "a position beyond any": {"position": 2**70},
    "a judgement outside the words": {
        "judgement": {"item_judgement": "valid", "response_judgement": "splendid"}
    },
    "a comment of a megabyte": {"comment": "x" * 1_000_000},
    "a scope that there is not": {"scope": "everything"},
    "a mark that is none": {"mark": {"$ne": 1}},
}
STRANGE: dict[str, dict[str, Any]] = {
    "another study": {"study_id": "0000"},
    "an item that there is not": {"item": "0000"},
    "a code outside the taxonomy": {
        "judgement": {**OWN, "labels": [{"code": "gremlins", "primary": True}]},
        "claim": "0",
        "flag": "0",
    },
}
"""Messages that can be read."""
ON_ITEMS = ("decide", "consequences", "uphold", "reject", "answer_flag", "answer_thread", "settle_thread")


def full(name: str, shown: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A message with what its action takes of `more` and of the item."""
    known = {**about(shown), "seen": shown["seen"], "comment": "c", "mark": "0", "claim": "0", "flag": "0"}
    known["thread"] = "0"
    return {key: value for key, value in (known | more).items() if key in ACTIONS[name].model_fields}


@pytest.mark.parametrize("name", ON_ITEMS)
def test_a_hostile_message_gets_one_line_and_changes_nothing(engine: Engine, name: str) -> None:
    people = contest(engine)
    item, before = call(engine, "load", people["ada"])["item"], stored(engine)
    for case, sent in HOSTILE.items():
        message = full(name, item) | sent if isinstance(sent, dict) else sent
        with pytest.raises(InputError, match=r"^Nothing was saved: [^\n]*try again\.$"):
            call(engine, name, people["ada"], message)
        assert stored(engine) == before, case
    for case, sent in STRANGE.items():
        reply = call(engine, name, people["ada"], full(name, item, **sent))
        assert reply["kind"] == "error", case
        assert reply["message"], case
        assert "\n" not in reply["message"], case
        assert stored(engine) == before, case


@pytest.mark.parametrize("role", ["annotator", "curator", "admin"])
def test_no_step_is_open_to_another_role(engine: Engine, role: str) -> None:
    people = contest(engine)
    item = call(engine, "load", people["ada"])["item"]
    other = people["ann"] if role == "annotator" else add_role(engine, "other", role)  # type: ignore[arg-type]
    before = stored(engine)
    claim = item["claims"][0]["key"]
    for name in ACTIONS:
        reply = call(engine, name, other, full(name, item, position=0, claim=claim))
        assert (reply["kind"], reply["item"]) == ("error", None), name
        assert "may not adjudicate" in reply["message"], name
    assert stored(engine) == before


def test_a_study_is_put_first_and_stays_so(engine: Engine) -> None:
    people = differing(engine)
    assert call(engine, "load", people["ada"])["queue"]["studies"] == []
    open_study(engine, material(run_id="second"), name="second")
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=people["ann"])
        assert item is not None
        annotate.flag(session, user_id=people["ann"], assignment_id=item.assignment_id, note="odd")
    before = call(engine, "load", people["ada"])
    assert [one["name"] for one in before["queue"]["studies"]] == ["All studies", "six", "second"]
    assert before["item"]["study"] == "six"
    second = before["queue"]["studies"][2]["study_id"]
    reply = call(engine, "choose", people["ada"], {"study_id": second})
    assert (reply["item"]["study"], reply["queue"]["items"][0]["study"]) == ("second", "second")
    assert call(engine, "load", people["ada"])["item"]["study"] == "second"
    refused = call(engine, "choose", people["ada"], {"study_id": "none"})
    assert (refused["kind"], refused["message"]) == (
        "error",
        "Nothing waits for you in this study; choose another one.",
    )
    assert call(engine, "choose", people["ada"], {})["item"]["study"] == "six"


def test_a_study_of_the_address_comes_first_and_an_item_of_another_study_says_so(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    open_study(engine, material(run_id="second"), name="second")
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=people["ann"])
        assert item is not None
        annotate.flag(session, user_id=people["ann"], assignment_id=item.assignment_id, note="odd")
    known = {one["name"]: one["study_id"] for one in call(engine, "load", people["ada"])["queue"]["studies"]}
    for name in ("second", "six"):
        for asked in (name, known[name]):
            reply = call(engine, "load", people["ada"], {"study": asked})
            assert (reply["item"]["study"], reply["message"]) == (name, None)
    told = call(engine, "load", people["ada"], {"study": "<b>none"})
    shown = "This item is of the study “{}”."
    assert told["message"] == f"There is no study “<b>none” for you to decide in. {shown.format('six')}"
    further = decide(engine, people["ada"], reply["item"], position=0)
    assert further["message"] == "This item is of another study: “second”."
    for asked in ("six", known["six"]):
        told = call(engine, "load", people["ada"], {"study": asked})
        assert told["message"] == f"Nothing waits for you in the study “six”. {shown.format('second')}"
