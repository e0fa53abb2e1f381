"""The releases page's handlers on a real database, called as Gradio calls them."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, Row
from clinicnum.db.sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.ui.pages.releases.page import OTHERWISE, ReleasesHandlers
from tests.db.examples import add_users, open_study
from tests.db.test_annotate import first, submit
from tests.db.test_contests import AMBIGUOUS, answered, sums

SUM = "arithmetic.bp_sum"


@dataclass
class Request:
    """The part of Gradio's request that the handlers read."""

    username: str


@pytest.fixture
def curator(engine: Engine) -> Request:
    """A curator, the bank, and a model with six failures on one template, one of them contested."""
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        made = users.add_user(session, name="cora", role="curator", password=None)
    (ann, *_) = add_users(engine)
    open_study(engine, answered(sums(), {"tiny": False}))
    submit(engine, ann.user_id, first(engine, ann.user_id), AMBIGUOUS)
    return Request(made.user_id)


def order(action: str, **more: Any) -> dict[str, Any]:
    return {
        "out": {"action": action, "name": "ward-1", "include_unreviewed": True, "leave_out": [SUM], **more}
    }


def stored(engine: Engine) -> list[int]:
    with reading(engine) as session:
        tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
        return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def test_a_release_is_previewed_published_as_shown_and_listed(engine: Engine, curator: Request) -> None:
    page = ReleasesHandlers(Store(engine))
    board = page.load()
    assert board["releases"] == []
    assert board["standings"]["ready"] == "Ready: 0 templates, of which 0 validated."
    looked = page.change(order("look"), curator)["standings"]
    assert looked["blocking"] == [
        {
            "id": SUM,
            "why": "version 1 has an open contest in study six: decide it, or leave the template out",
            "out": True,
        }
    ]
    before = stored(engine)
    refused = page.change(order("preview", leave_out=[]), curator)["message"]
    assert refused["tone"] == "bad"
    assert f"{SUM} version 1 has an open contest" in refused["text"]
    plan = page.change(order("preview"), curator)["plan"]
    assert plan["known"] is False
    assert plan["changelog"].startswith("# ward-1\n")
    assert stored(engine) == before
    said = page.change(order("publish", sha256="0" * 64), curator)["message"]
    assert said == {"tone": "bad", "text": OTHERWISE}
    assert stored(engine) == before
    reply = page.change(order("publish", sha256=plan["sha256"]), curator)
    assert reply["message"]["tone"] == "good"
    assert [(one["name"], one["sha256"]) for one in reply["releases"]] == [("ward-1", plan["sha256"])]
    with reading(engine) as session:
        rows = session.scalars(select(AuditRow)).all()
        assert [one.actor for one in rows if one.action == "publish_release"] == [curator.username]
    again = page.change(order("publish", sha256=plan["sha256"]), curator)
    assert "It was published before, just so." in again["message"]["text"]
    changed = page.change(order("preview", notes="other"), curator)["message"]["text"]
    assert "take another name" in changed


def test_the_bank_is_tried_on_stored_runs(engine: Engine, curator: Request) -> None:
    page = ReleasesHandlers(Store(engine))
    (benchmark,) = page.load()["benchmarks"]
    found = page.change(order("regress", benchmark=benchmark), curator)["regression"]
    assert found["kinds"] == ["6 withdrawn: not in the new bank"]
    none = "undefined: no question is left"
    scored = "0.0 % (no interval: 2 subjects; an interval needs at least 5, n = 6)"
    # Its study is open, so nobody is told which model it is.
    assert found["effects"] == [["Model 1", scored, none, none, "6", "0", "0 right, 0 wrong"]]
    assert len(found["changes"]) == 6
    said = page.change(order("regress", benchmark="none"), curator)["message"]
    assert said["text"].startswith("No scored run on benchmark 'none'")


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "no message": {},
    "an action that is none": {"out": {"action": "drop"}},
    "an unknown field": {"out": {"action": "look", "mood": "good"}},
    "a name that leads elsewhere": order("preview", name="../../x"),
    "a name of markup": order("publish", name="<b>x</b>"),
    "a day that is none": order("preview", date="2026-02-30"),
    "a template that is none": order("preview", leave_out=[SUM, "<img>"]),
    "a text without end": order("preview", notes="x" * 5_001),
}


def test_a_hostile_message_gets_one_line_and_changes_nothing(engine: Engine, curator: Request) -> None:
    page, before = ReleasesHandlers(Store(engine)), stored(engine)
    for case, payload in HOSTILE.items():
        message = page.change(payload, curator)["message"]
        assert message["tone"] == "bad", case
        assert "\n" not in message["text"], case
    assert stored(engine) == before
