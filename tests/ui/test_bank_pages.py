"""The bank and failures pages' handlers on a real database, called as Gradio calls them."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.curation.bank_browsing import PAGE
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import TemplateRow
from clinicnum.db.sessions import Store
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import drafts
from clinicnum.ui.pages.bank.page import BankHandlers
from clinicnum.ui.pages.failures.page import FailuresHandlers
from tests.db.curating import SLIP, add_graded, closed_study, of_the_bank, upheld
from tests.ui.test_researcher_pages import Request, stored

SUM = "arithmetic.bp_sum"


def test_the_bank_is_counted_listed_searched_opened_and_compared(engine: Engine) -> None:
    cur = Request(closed_study(engine)["cur"])
    page = BankHandlers(Store(engine))
    first = page.load()
    assert (first["stale"], first["listing"]["found"]) == (False, 3)
    row = first["listing"]["rows"][0]
    assert (row["template"], row["said"]) == (SUM, "unreviewed")
    assert row["figures"][0] == ["Instances", "2"]
    assert row["figures"][2:] == [
        ["Contests", "none on 2 labelled"],
        ["Separation", "nothing to compare with: no run answered anything else"],
    ]
    found = page.act({"out": {"action": "list", "search": {"text": "minus", "sort": "accuracy"}}}, cur)
    assert [one["template"] for one in found["listing"]["rows"]] == ["arithmetic.pulse_pressure"]
    shown = page.act({"out": {"action": "show", "template": SUM, "version": 1}}, cur)["shown"]
    assert shown["computed"] == [
        "Systolic pressure at {time} + diastolic pressure at {time}, rounded to 0 decimals"
    ]
    assert shown["used"][1:] == ["6 labels in study labelled"]
    assert [name for name, _, _ in shown["health"]["runs"]] == ["Model 1"], "decisions are due"
    with writing(engine) as session:
        old = template_versions.template_of(template_versions.find_version(session, SUM, 1))
        changed = old.model_copy(update={"version": 2, "status": "draft", "wording": ("Sum at {time}?",)})
        template_versions.put_version(session, changed, author=cur.username)
    compare = {"action": "compare", "template": SUM, "version": 2, "before": 1}
    told = dict(page.act({"out": compare}, cur)["compared"])
    assert "Sum at {time}?" in str(told["Wording"])
    assert told["Answers that change"][0].startswith("None, on ")


def test_a_version_is_tried_renewed_and_retired_by_its_curator(engine: Engine) -> None:
    cur = Request(closed_study(engine)["cur"])
    page = BankHandlers(Store(engine))
    about = {"template": SUM, "version": 1}
    assert page.act({"out": {"action": "show", **about}}, cur)["shown"]["health"]["trial"] is None
    tried = page.act({"out": {"action": "try", **about}}, cur)["shown"]["health"]["trial"]
    assert tried["holds"]
    assert "200 taken" in tried["text"]
    draft = page.act({"out": {"action": "renew", **about}}, cur)["go"].partition("=")[2]
    with reading(engine) as session:
        assert drafts.load(session, draft).base == (SUM, 1)
    refused = page.act({"out": {"action": "retire", **about, "reason": " "}}, cur)["message"]
    assert (refused["tone"], refused["text"][:7]) == ("bad", "Say why")
    done = page.act({"out": {"action": "retire", **about, "reason": "a better one"}}, cur)
    assert (done["message"]["tone"], done["shown"]["said"]) == ("good", "retired")
    assert page.act({"out": {"action": "count"}}, cur)["listing"]["found"] == 2


def test_pages_of_fifty_are_turned(engine: Engine) -> None:
    with writing(engine) as session:
        session.add_all(
            TemplateRow(template_id=f"retrieval.t{number:03}", version=1, status="draft", payload={})
            for number in range(PAGE + 1)
        )
    page, root = BankHandlers(Store(engine)), Request("nobody")
    assert page.load()["listing"]["place"] == "1 to 50 of 51"
    second = page.act({"out": {"action": "list", "search": {"page": 2}}}, root)["listing"]
    assert (second["place"], len(second["rows"]), second["pages"]) == ("51 to 51 of 51", 1, 2)


def test_failures_are_grouped_narrowed_and_made_into_drafts(engine: Engine) -> None:
    people = closed_study(engine)
    cur = Request(people["cur"])
    page = FailuresHandlers(Store(engine))
    assert page.load() == {"ready": True}
    board = page.act({"out": {"action": "list"}}, cur)
    assert board["counts"] == {"clusters": 1, "contests": 0, "failures": 2}
    (cluster,) = board["shown"]
    assert (cluster["size"], cluster["title"], cluster["drafts"]) == (2, "Arithmetic slip, in arithmetic", [])
    assert "only the annotator wrote this" not in str(board)
    go = page.act({"out": {"action": "make", "kind": "cluster", "of": cluster["id"]}}, cur)["go"]
    draft = go.removeprefix("/draft/?draft=")
    with reading(engine) as session:
        assert {one.kind for one in drafts.load(session, draft).sources} == {"cluster"}
    look = {"view": "failures", "failure": cluster["examples"][0]["item"]}
    alone = page.act({"out": {"action": "list", "look": look}}, cur)
    assert alone["counts"]["failures"] == 1
    assert alone["shown"][0]["drafts"] == [{"id": draft, "text": f"{SUM}_2, open"}]
    assert alone["shown"][0]["code"] == SLIP
    one = {"action": "make", "kind": "failure", "of": alone["shown"][0]["key"], "next_version": True}
    assert page.act({"out": one}, cur)["go"] != go
    none = page.act({"out": {"action": "list", "look": {"operation": "retrieval"}}}, cur)
    assert none["counts"] == {"clusters": 0, "contests": 0, "failures": 0}


def test_an_upheld_contest_leads_to_the_next_version(engine: Engine) -> None:
    cur = Request(upheld(engine)["cur"])
    page = FailuresHandlers(Store(engine))
    (one,) = page.act({"out": {"action": "list", "look": {"view": "contests"}}}, cur)["shown"]
    assert ["Proposed", "7"] in one["facts"]
    make = {"action": "make", "kind": "contest", "of": one["id"], "next_version": True}
    assert page.act({"out": make}, cur)["go"].startswith("/draft/?draft=")
    counts = page.act({"out": {"action": "list"}}, cur)["counts"]
    assert counts == {"clusters": 0, "contests": 1, "failures": 0}


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "a list": [],
    "no message": {},
    "a number": {"out": 7},
    "an action that is none": {"out": {"action": "drop"}},
    "an unknown field": {"out": {"action": "list", "search": {"mood": "good"}, "look": {"mood": "good"}}},
    "a page below one": {"out": {"action": "list", "search": {"page": 0}, "look": {"page": 0}}},
    "an order that is none": {"out": {"action": "list", "search": {"sort": "id; DROP"}, "look": {"view": 1}}},
    "a template that is none": {"out": {"action": "show", "template": "\x00<b>", "version": 1}},
    "no text to renew": {"out": {"action": "renew", "template": "\x00", "version": 1}},
    "a version beyond": {"out": {"action": "renew", "template": SUM, "version": 2**70}},
    "versions that are none": {"out": {"action": "compare", "template": SUM, "version": 1, "before": -1}},
    "a failure that is none": {"out": {"action": "make", "kind": "failure", "of": "\x00"}},
    "a contest that is none": {"out": {"action": "make", "kind": "contest", "of": "x"}},
}


@pytest.mark.parametrize("page", [BankHandlers, FailuresHandlers])
def test_a_hostile_message_gets_one_line_and_changes_nothing(engine: Engine, page: Any) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    before = stored(engine)
    for case, payload in HOSTILE.items():
        message = page(Store(engine)).act(payload, Request("nobody"))["message"]
        assert message["tone"] == "bad", case
        assert "\n" not in message["text"], case
    assert stored(engine) == before


def test_who_may_not_curate_changes_nothing_even_past_the_gate(engine: Engine) -> None:
    people = closed_study(engine)
    before = stored(engine)
    for name in ("ann", "nobody"):
        who = Request(people.get(name, name))
        for out in (
            {"action": "renew", "template": SUM, "version": 1},
            {"action": "retire", "template": SUM, "version": 1, "reason": "old"},
        ):
            assert BankHandlers(Store(engine)).act({"out": out}, who)["message"]["tone"] == "bad"
        page = FailuresHandlers(Store(engine))
        key = page.act({"out": {"action": "list"}}, who)["shown"][0]["id"]
        make = {"action": "make", "kind": "cluster", "of": key}
        assert page.act({"out": make}, who)["message"]["tone"] == "bad"
    assert stored(engine) == before


def test_figures_that_would_take_long_are_counted_when_asked(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_graded(engine, 1)
    monkeypatch.setattr("clinicnum.db.work.bank.health.CHEAP", 3)
    page, root = BankHandlers(Store(engine)), Request("nobody")
    first = page.load()
    assert (first["stale"], first["listing"]["rows"][0]["figures"]) == (True, [])
    page.act({"out": {"action": "count"}}, root)
    again = page.load()
    assert again["stale"] is False
    assert again["listing"]["rows"][0]["figures"][0] == ["Instances", "4"]
