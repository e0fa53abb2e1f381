"""The studies and runs pages' handlers on a real database, called as Gradio calls them."""

from dataclasses import dataclass, replace
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.annotations.study_material import Material
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, Row, StudyRow
from clinicnum.db.sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies.study import find_study
from clinicnum.errors import ClinicnumError
from clinicnum.ui.pages.runs.page import RunsHandlers
from clinicnum.ui.pages.studies.page import StudiesHandlers
from tests.db.examples import MODEL, add_users, material

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


def test_runs_are_listed_with_the_accuracy_of_the_chosen_one(engine: Engine, root: Request) -> None:
    page = RunsHandlers(Store(engine))
    _, table, choice, accuracy, notes = page.load()
    ((name, run),) = choice["choices"]
    assert (name, choice["value"]) == ("run-of-llama", run)
    assert table["value"][0][:3] == ["run-of-llama", MODEL, "bench"]
    assert "8 correct, 12 incorrect" in table["value"][0]
    assert accuracy["label"] == "Accuracy of run-of-llama"
    assert "No interval: 0 subjects" in notes, "all are flagged"
    assert page.show(run) == ("", accuracy, notes)
    assert page.choose(clicked("run-of-llama", MODEL)) == ("", run, accuracy, notes)
    for hostile in (None, {}, {"run": run}, "<script>x", 7, [run], "x" * 999):
        with pytest.raises(ClinicnumError):
            page.show(hostile)
        with pytest.raises(ClinicnumError):
            page.choose(clicked(hostile))


def clicked(*cells: Any) -> gr.SelectData:
    """A row that was clicked."""
    return gr.SelectData(None, {"index": [0, 0], "value": None, "row_value": list(cells)})


def test_without_a_run_the_page_says_how_to_load_one(engine: Engine) -> None:
    _, table, choice, accuracy, notes = RunsHandlers(Store(engine)).load()
    assert (table["value"], table["label"]) == ([], "0 runs")
    assert (choice["visible"], accuracy["visible"], notes) == (False, False, "")


def only_variants() -> Material:
    made = material(wrong=12)
    rewritten = tuple(one.model_copy(update={"variant": "numeric.relevant"}) for one in made.instances)
    return replace(made, instances=rewritten)


def test_a_run_that_answered_only_variants_has_no_accuracy(engine: Engine) -> None:
    with writing(engine) as session:
        stored_runs.add_runs(session, material=only_variants())
    *_, accuracy, notes = RunsHandlers(Store(engine)).load()
    assert not accuracy["visible"]
    assert "all are variants" in notes


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
