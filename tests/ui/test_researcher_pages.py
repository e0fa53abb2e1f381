"""The studies, people and runs pages' handlers on a real database, called as Gradio calls them."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.annotations.study_material import Material
from clinicnum.annotations.types import User
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, Row, StudyRow
from clinicnum.db.sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies.study import find_study
from clinicnum.ui.pages.people.page import PeopleHandlers
from clinicnum.ui.pages.runs.page import RunsHandlers
from clinicnum.ui.pages.studies.page import StudiesHandlers
from tests.db.examples import add_users, material

PASSWORD = "a long enough password"


@dataclass
class Request:
    """The part of Gradio's request that the handlers read."""

    username: str


@pytest.fixture
def root(engine: Engine) -> Request:
    """An admin, three annotators, and one run of 12 failures and 8 right answers without a study."""
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=12, right=8))
        return Request(users.add_user(session, name="root", role="admin", password=PASSWORD).user_id)


def form(engine: Engine, **fields: Any) -> dict[str, Any]:
    with reading(engine) as session:
        run = stored_runs.list_runs(session)[0].run
    return {"out": {"name": "new", "runs": [run], "annotators": ["ann", "ben"], "overlap": 2, **fields}}


def stored(engine: Engine) -> list[int]:
    with reading(engine) as session:
        tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
        return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def test_a_study_is_previewed_opened_paused_reworded_and_closed_by_its_researcher(
    engine: Engine, root: Request
) -> None:
    page = StudiesHandlers(Store(engine))
    board, choices = page.load()
    assert board["studies"] == []
    assert [one["label"] for one in choices["choices"]["annotators"]] == ["ann", "ben", "eve"]
    before = stored(engine)
    looked = page.preview(form(engine, guideline="# Look", seconds_an_item=120), root)
    preview = looked["preview"]
    assert preview["strata"] == [
        ["arithmetic, structured, correct", "8", "2", "0.250"],
        ["arithmetic, structured, failure", "12", "12", "1.000"],
    ]
    assert "about 28 minutes each at 120 s an item, 56 minutes in all" in preview["facts"]
    assert stored(engine) == before
    reply, board = page.create(form(engine, guideline="# Look", seed=looked["seed"]), root)
    assert reply["created"] == "new"
    with reading(engine) as session:
        assert find_study(session, "new").seed == looked["seed"]
    assert looked["seed"] not in str(board), "it stays secret until the study is closed"
    assert board["studies"][0]["facts"][0] == "0 of 14 items filled"
    assert [one["text"] for one in board["open"]["guidelines"]] == ["# Look"]
    assert board["open"]["addable"] == ["eve"]
    for action, more, told in (
        ("pause", {}, "is paused"),
        ("guideline", {"text": "# Look twice"}, "has a new guideline"),
        ("add_annotator", {"annotator": "eve"}, "has one more annotator"),
        ("reopen", {}, "is open"),
        ("close", {}, "is closed"),
    ):
        board = page.change({"out": {"action": action, "study": "new", **more}}, root)
        assert board["message"]["tone"] == "good"
        assert told in board["message"]["text"]
    assert board["studies"][0]["status"] == "closed"
    with reading(engine) as session:
        (study,) = session.scalars(select(StudyRow))
        log = session.scalars(select(AuditRow).where(col(AuditRow.chain) == study.id))
        assert [row.actor for row in log] == [root.username] * 6


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "no dict": [],
    "no message": {},
    "a number": {"out": 7},
    "an unknown field": {"out": {"action": "show", "study": "new", "runs": [], "mood": "good"}},
    "an action that is none": {"out": {"action": "drop", "study": "new"}},
    "a name without end": {"out": {"action": "pause", "study": "x" * 200, "name": "x" * 200}},
    "a study that is none": {"out": {"action": "pause", "study": "<b>none"}},
}


@pytest.mark.parametrize("event", ["change", "preview", "create"])
def test_a_hostile_message_gets_one_line_and_changes_nothing(
    engine: Engine, root: Request, event: str
) -> None:
    page = StudiesHandlers(Store(engine))
    before = stored(engine)
    for case, payload in HOSTILE.items():
        reply = getattr(page, event)(payload, root)
        message = (reply[0] if event == "create" else reply)["message"]
        assert message["tone"] == "bad", case
        assert "\n" not in message["text"], case
    assert stored(engine) == before


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": " "}, "cannot be used"),
    "no run": ({"runs": []}, "No run was chosen"),
    "a stranger": ({"annotators": ["root"]}, "has the role admin"),
    "nobody": ({"annotators": []}, "overlap 2 with 0 annotators"),
    "too much overlap": ({"overlap": 3}, "overlap 3 with 2 annotators"),
    "a share beyond": ({"correct_percent": 95}, "correct_share"),
    "no failure left": ({"statuses": ["correct"]}, "is a failure"),
    "training without references": ({"training": 1}, "need 1 references"),
    "references of no study": ({"references_from": "none"}, "no study 'none'"),
    "a seed that can be guessed": ({"seed": "7"}, "seed"),
    "no number": ({"size": "many"}, "size"),
}


def test_a_study_that_cannot_be_opened_says_why_and_leaves_nothing(engine: Engine, root: Request) -> None:
    page = StudiesHandlers(Store(engine))
    before = stored(engine)
    for case, (fields, complaint) in REFUSED.items():
        reply, _ = page.create(form(engine, **fields), root)
        assert reply["message"]["tone"] == "bad", case
        assert complaint.lower() in reply["message"]["text"].lower(), case
    assert stored(engine) == before


def test_accounts_are_added_reset_and_switched_but_never_the_last_admin(
    engine: Engine, root: Request
) -> None:
    page = PeopleHandlers(Store(engine), _invitation)

    def told(**out: Any) -> str:
        message = page.change({"out": out}, root)["message"]
        return f"{message['tone']}: {message['text']}"

    assert told(action="add", name="Ida", role="admin", password=PASSWORD) == "good: Added ida as admin."
    assert told(action="reset", name="ann", password=PASSWORD).startswith("good: ann has a new password")
    assert told(action="switch_off", name="root").startswith("bad: Nobody switches off their own account")
    assert told(action="switch_off", name="ida") == "good: ida is switched off."
    ida = Request(next(u for u in _people(engine) if u.name == "ida").user_id)
    refused = page.change({"out": {"action": "switch_off", "name": "root"}}, ida)["message"]["text"]
    assert "is the last active admin" in refused
    assert told(action="switch_on", name="ida") == "good: ida is switched on."
    assert told(action="add", name="eve", role="annotator", password=PASSWORD).startswith("bad: User 'eve'")
    assert told(action="add", name="new", password=PASSWORD).startswith("bad: Choose a role")
    assert told(action="add", name="new", role="king", password=PASSWORD).startswith("bad: Nothing was")
    assert told(action="reset", name="ann", password="short").startswith("bad: The password has 5")
    shown = {one["name"]: one for one in page.load(root)["people"]}
    assert (shown["root"]["switchable"], shown["root"]["why"]) == (False, "your own account")
    assert shown["ann"]["last"] == "never"
    assert shown["root"]["last"].endswith("UTC")
    assert PASSWORD not in str(page.load(root))


def test_who_has_no_password_is_invited_and_an_invitation_is_logged(engine: Engine, root: Request) -> None:
    page = PeopleHandlers(Store(engine), _invitation)
    reply = page.change({"out": {"action": "add", "name": "ida", "role": "curator"}}, root)
    assert reply["invitation"] == {"name": "ida", "path": "/invitation/of-ida"}
    reply = page.change({"out": {"action": "invite", "name": "ann"}}, root)
    assert reply["invitation"] == {"name": "ann", "path": "/invitation/of-ann"}
    assert "invitation" not in page.change({"out": {"action": "switch_off", "name": "ann"}}, root)
    refused = page.change({"out": {"action": "invite", "name": "ann"}}, root)
    assert "is switched off" in refused["message"]["text"]
    assert "invitation" not in refused
    with reading(engine) as session:
        actions = list(session.scalars(select(col(AuditRow.action)).order_by(col(AuditRow.seq))))
    assert actions[-4:] == ["add_user", "invite", "invite", "switch_off"]


def _invitation(user: User) -> str:
    return f"/invitation/of-{user.name}"


def _people(engine: Engine) -> tuple[Any, ...]:
    with reading(engine) as session:
        return users.list_users(session)


@pytest.mark.parametrize(
    "payload", [None, {}, {"out": {"action": "add"}}, {"out": {"action": 1, "name": "x"}}]
)
def test_a_hostile_message_about_accounts_changes_nothing(
    engine: Engine, root: Request, payload: Any
) -> None:
    before = stored(engine)
    message = PeopleHandlers(Store(engine), _invitation).change(payload, root)["message"]
    assert message["tone"] == "bad"
    assert stored(engine) == before


def test_runs_are_listed_with_the_accuracy_of_the_chosen_one(engine: Engine, root: Request) -> None:
    page = RunsHandlers(Store(engine))
    choice, listed, accuracy = page.load()
    (one,) = choice["runs"]
    assert (one["name"], choice["chosen"]) == ("run-of-llama", one["id"])
    assert "8 correct, 12 incorrect" in listed
    assert "No interval: 0 subjects" in accuracy, "all are flagged"
    choice, accuracy = page.show({"out": {"run": one["id"]}})
    assert choice["chosen"] == one["id"]
    for hostile in (None, {}, {"out": {"run": "<script>x"}}, {"out": {"run": None}}, 7):
        answer, shown = page.show(hostile)
        assert answer == {"runs": [one], "chosen": None}, "without an answer the page waits on"
        assert "cn-bad" in shown
        assert "<script>" not in shown


def only_variants() -> Material:
    made = material(wrong=12)
    rewritten = tuple(one.model_copy(update={"variant": "numeric.relevant"}) for one in made.instances)
    return replace(made, instances=rewritten)


def test_a_run_that_answered_only_variants_has_no_accuracy(engine: Engine) -> None:
    with writing(engine) as session:
        stored_runs.add_runs(session, material=only_variants())
    *_, accuracy = RunsHandlers(Store(engine)).load()
    assert "all are variants" in accuracy


def test_variants_are_drawn_where_the_form_asks_for_some(engine: Engine) -> None:
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=only_variants())
        root = Request(users.add_user(session, name="root", role="admin", password=PASSWORD).user_id)
    page = StudiesHandlers(Store(engine))
    refused = page.preview(form(engine), root)
    assert "12 answers are to variants" in str(refused["message"])
    preview = page.preview(form(engine, variants=5), root)["preview"]
    assert preview["strata"] == [["arithmetic, structured, variant, failure", "12", "4", "0.333"]]
    expected = "0 answers to base questions; 4 of 12 answers to variants are drawn, in strata of their own"
    assert preview["facts"][0] == expected
    assert any("5 variants were asked for" in one for one in preview["warnings"])
