"""The handlers of the review pages on a real database, called as Gradio calls them, and by strangers."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.annotations.curation.review import comment_subject
from clinicnum.annotations.rights import may
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import ReviewRow, Row
from clinicnum.db.sessions import Store
from clinicnum.db.work.bank import template_versions
from clinicnum.ui.pages.review.page import ReviewHandlers
from clinicnum.ui.pages.review_rounds.page import RoundsHandlers
from tests.db.reviewing import EXPERTS, PULSE, golds, hand_in, make_people, of_the_bank, send_to_review

SHEET = {"ratings": {"clarity": 4, "relevance": 4, "answerability": 3}}


@dataclass
class Request:
    """The part of Gradio's request that the handlers read."""

    username: str


@dataclass
class Desk:
    """Both pages, and the people at them."""

    engine: Engine
    people: dict[str, str]

    def expert(self, name: str, **out: Any) -> dict[str, Any]:
        page = ReviewHandlers(Store(self.engine))
        return page.change({"out": out}, Request(self.people[name]))

    def curator(self, name: str = "cora", **out: Any) -> dict[str, Any]:
        page = RoundsHandlers(Store(self.engine))
        return page.change({"out": out}, Request(self.people[name]))

    def answers(self, round_id: str, name: str) -> dict[str, str]:
        with reading(self.engine) as session:
            return golds(session, round_id, self.people[name])

    def stored(self) -> list[int]:
        with reading(self.engine) as session:
            tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
            return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


@pytest.fixture
def desk(engine: Engine) -> Desk:
    people = make_people(engine)
    send_to_review(engine, people)
    return Desk(engine, people)


def opened(desk: Desk) -> str:
    board = desk.curator(action="open", template=PULSE, version=2, experts=EXPERTS)
    assert board["message"]["tone"] == "good", board["message"]
    return str(board["open"]["round"])


def test_a_round_goes_from_invitation_to_a_verdict_through_both_pages(desk: Desk) -> None:
    plan = desk.curator(action="plan", template=PULSE, version=2)["planning"]
    assert [one["name"] for one in plan["people"] if not one["why_not"]] == ["ada", "ann", "ben", "eve"]
    assert plan["needed"]["6"] == 5
    key = opened(desk)
    for name in EXPERTS:
        (invitation,) = desk.expert(name, action="list")["invitations"]
        assert (invitation["round"], invitation["state"]) == (key, "new")
        sheet = {**SHEET, "answers": desk.answers(key, name), "comments": {"2": f"which arm? {name}"}}
        assert desk.expert(name, action="save", round=key, sheet=sheet)["kind"] == "saved"
        assert desk.expert(name, action="open", round=key)["review"]["sheet"] == sheet
        done = desk.expert(name, action="hand_in", round=key, sheet=sheet)
        assert done["message"]["tone"] == "good"
        assert done["review"]["editable"] is False
    board = desk.curator(action="show", round=key)["open"]
    assert board["ratings"]["columns"] == [
        "Scale",
        *("Expert 1", "Expert 2", "Expert 3"),
        *("I-CVI", "Chance pc", "Modified kappa"),
    ]
    assert board["ratings"]["rows"][2] == [
        "Answerability",
        "3",
        "3",
        "3",
        "1.000",
        "0.125",
        "1.000 (excellent)",
    ]
    assert board["average"] == "S-CVI/Ave 1.000, S-CVI/UA 1.000, over 3 scales."
    refused = desk.curator(action="accept", round=key)
    assert "3 comments without an answer" in refused["message"]["text"]
    for remark in board["remarks"]:
        assert remark["about"] == "Question 2"
        board = desk.curator(action="reply", round=key, comment=remark["key"], text="The left.")
    done = desk.curator(action="accept", round=key)
    # The trial is the real one here: 200 questions on the sample patients.
    assert done["message"] == {"tone": "good", "text": f"{PULSE} version 2 is validated."}
    assert done["open"]["accepted"]
    assert [one["reply"] for one in desk.expert("ann", action="open", round=key)["review"]["comments"]] == [
        "The left."
    ]


def test_an_expert_learns_neither_gold_nor_what_others_say_however_they_call(desk: Desk) -> None:
    key = opened(desk)
    hand_in(desk.engine, key, desk.people["ben"], comments={"clarity": "SECRET REMARK"})
    mine = {**SHEET, "answers": {"1": "1", "2": "2", "3": "3"}}
    replies = [
        desk.expert("ann", action="open", round=key),
        desk.expert("ann", action="save", round=key, sheet=mine),
        desk.expert("ann", action="hand_in", round=key, sheet=mine),
        desk.expert("ann", action="open", round=key),
        desk.expert("ann", action="list"),
    ]
    told = json.dumps(replies)
    with reading(desk.engine) as session:
        cases = session.get_one(ReviewRow, (key, desk.people["ann"])).cases
    for case in cases:
        assert case["worked"][-1] not in told
        assert case["instance_id"] not in told
    for word in ("SECRET", "answer_exact", "distractors", "evidence", "matches", "gold", "ben", "eve"):
        assert word not in told.replace("benchmark", ""), word
    stranger = desk.expert("ada", action="open", round=key)
    assert stranger["kind"] == "refused"
    assert "not invited" in stranger["message"]["text"]


def test_who_may_not_curate_or_review_changes_nothing(desk: Desk) -> None:
    key = opened(desk)
    before = desk.stored()
    steps: list[dict[str, Any]] = [
        {"action": "open", "template": PULSE, "version": 2, "experts": EXPERTS},
        {"action": "invite", "round": key, "text": "ada"},
        {"action": "withdraw", "round": key, "text": "ann"},
        {"action": "reply", "round": key, "comment": "0" * 16, "text": "x"},
        {"action": "accept", "round": key},
        {"action": "return", "round": key, "text": "x"},
        {"action": "show", "round": key},
    ]
    for step in steps:
        for name in ("ann", "ada"):
            reply = desk.curator(name, **step)
            assert "may not curate" in reply["message"]["text"], step
            assert reply["open"] is None
    assert "may not review" in desk.expert("root", action="list")["message"]["text"]
    assert desk.stored() == before
    assert not may("annotator", "curate")
    assert not may("admin", "review_templates")


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "no dict": [],
    "an unknown action": {"out": {"action": "drop"}},
    "a round that is none": {"out": {"action": "open", "round": "x" * 16}},
    "a round with NUL": {"out": {"action": "show", "round": "\0" * 16}},
    "a round nobody made": {"out": {"action": "open", "round": "f" * 16}},
    "a rating beyond": {"out": {"action": "save", "round": "f" * 16, "sheet": {"ratings": {"clarity": 5}}}},
    "a rating on no scale": {"out": {"action": "save", "sheet": {"ratings": {"beauty": 3}}}},
    "a fourth answer": {"out": {"action": "hand_in", "sheet": {"answers": {"4": "1"}}}},
    "an answer without end": {"out": {"action": "hand_in", "sheet": {"answers": {"1": "1" * 201}}}},
    "a version that is none": {"out": {"action": "plan", "template": "x", "version": 0}},
    "experts that are none": {"out": {"action": "open", "template": PULSE, "experts": [1, 2, 3]}},
}


def test_a_hostile_message_gets_one_line_and_changes_nothing(desk: Desk) -> None:
    before = desk.stored()
    store = Store(desk.engine)
    for case, payload in HOSTILE.items():
        for page, name in ((ReviewHandlers(store), "ann"), (RoundsHandlers(store), "cora")):
            message = page.change(payload, Request(desk.people[name]))["message"]
            assert message["tone"] == "bad", case
            assert "\n" not in message["text"], case
    assert desk.stored() == before


def test_the_relevance_of_a_mechanical_template_is_neither_asked_nor_taken(desk: Desk) -> None:
    with writing(desk.engine) as session:
        template_versions.add_templates(session, [of_the_bank("arithmetic.bp_sum")])
    board = desk.curator(action="open", template="arithmetic.bp_sum", version=1, experts=EXPERTS)
    key = board["open"]["round"]
    shown = desk.expert("ann", action="open", round=key)["review"]
    assert [one["key"] for one in shown["scales"]] == ["clarity", "answerability"]
    for name in EXPERTS:
        sheet = {**SHEET, "answers": desk.answers(key, name)}
        assert desk.expert(name, action="hand_in", round=key, sheet=sheet)["message"]["tone"] == "good"
    board = desk.curator(action="show", round=key)["open"]
    assert [row[0] for row in board["ratings"]["rows"]] == ["Clarity", "Answerability"]
    assert board["accepted"]


def test_unreviewed_versions_are_found_by_their_words(desk: Desk) -> None:
    found = desk.curator(action="find", text="Pulse SYSTOLIC")["found"]
    assert [(one["template"], one["version"]) for one in found] == [(PULSE, 1)]
    assert desk.curator(action="find", text="100%_no such")["found"] == []
    assert comment_subject("2") == "Question 2"
