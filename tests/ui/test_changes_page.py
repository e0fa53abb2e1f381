"""The page of changes, called as Gradio calls it; and every page to somebody whose role was changed."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine, text

from clinicnum.annotations.types import Role
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.errors import ClinicnumError
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from clinicnum.ui.pages.changes.page import ChangesHandlers
from clinicnum.ui.pages.failures.page import FailuresHandlers
from tests.db.adjudicating import add_role, next_of
from tests.db.examples import FAILURE
from tests.db.tampering import disarmed
from tests.db.test_annotate import FINE, first, submit
from tests.db.test_contests import contest, look, uphold
from tests.ui.calling import call_action
from tests.ui.test_my_work_page import HOSTILE_TEXT


def show(engine: Engine, user_id: str, **query: Any) -> str:
    return " ".join(map(str, ChangesHandlers(Store(engine)).load(_asks(user_id, **query))))


def rows(engine: Engine, user_id: str, **query: Any) -> list[list[Any]]:
    """The cells of the table, which are set as text."""
    _, _, _, _, _, _, table, *_ = ChangesHandlers(Store(engine)).load(_asks(user_id, **query))
    return list(table["value"])


def _asks(user_id: str, **query: Any) -> Any:
    return SimpleNamespace(username=user_id, query_params=query)


def test_the_table_shows_before_and_after_as_text(engine: Engine, annotators: dict[str, str]) -> None:
    root = add_role(engine, "root", "admin")
    done = submit(engine, annotators["ann"], first(engine, annotators["ann"]), FINE)
    changed = FAILURE.model_copy(update={"rationale": HOSTILE_TEXT})
    with writing(engine) as session:
        about = {"user_id": annotators["ann"], "assignment_id": done.assignment_id}
        annotate.submit(session, **about, revision=1, judgement=changed, active_ms=1)
    words = "Failure; Causal reasoning: arithmetic slip; also Hallucination; severity: 2; confidence: high"
    changed_row, submitted = rows(engine, root)
    assert changed_row[5:] == ["Acceptable", words, HOSTILE_TEXT]
    assert submitted[5:7] == ["–", "Acceptable"]
    assert "('ann', 'ann')" in show(engine, root)
    assert rows(engine, root, kind="decision") == []
    assert rows(engine, root, item=HOSTILE_TEXT) == []
    assert rows(engine, root, person="ann", kind="judgement") == [changed_row, submitted]


def test_a_label_confirmed_in_step_2_is_not_listed_as_changed(
    engine: Engine, annotators: dict[str, str]
) -> None:
    root = add_role(engine, "root", "admin")
    item = first(engine, annotators["ann"])
    about = {"user_id": annotators["ann"], "assignment_id": item.assignment_id}
    unmarked = FAILURE.model_copy(
        update={"labels": tuple(one.model_copy(update={"spans": ()}) for one in FAILURE.labels)}
    )
    with writing(engine) as session:
        blind = FAILURE.without_reference()
        annotate.save_judgement(session, **about, revision=0, judgement=blind, active_ms=1)
        annotate.submit(session, **about, revision=1, judgement=FAILURE, active_ms=1)
    assert [row[3] for row in rows(engine, root)] == ["judged blind"]
    assert "Not listed: 1 judgement that was submitted as it had been saved." in show(engine, root)
    with writing(engine) as session:
        annotate.submit(session, **about, revision=2, judgement=unmarked, active_ms=1)
        annotate.submit(session, **about, revision=3, judgement=FINE, active_ms=1)
    assert [row[3] for row in rows(engine, root)] == ["changed", "evidence or reason changed", "judged blind"]


def test_filters_of_the_page_ask_for_what_its_address_asks_for(
    engine: Engine, annotators: dict[str, str]
) -> None:
    root = _asks(add_role(engine, "root", "admin"))
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FINE)
    page = ChangesHandlers(Store(engine))
    loaded = page.load(root)
    study = loaded[1]["value"]
    assert page.choose_study(study, root) == loaded
    assert page.show(study, "", "judgement", "ann", root)[6]["value"] == loaded[6]["value"]
    assert page.older(study, "", "", "", "1", root)[6]["value"] == []
    assert "every label and decision is as it says" in page.check(study, root)[0]
    for hostile in (7, [], {}, "' OR 1=1 --", "elsewhere", "\0"):
        for asked in (
            (study, "", hostile, "", None),
            (hostile, "", "", "", None),
            (study, "", "", hostile, None),
        ):
            with pytest.raises(ClinicnumError):
                page.older(*asked, root)
        with pytest.raises(ClinicnumError):
            page.check(hostile, root)


def test_the_chain_is_checked_on_demand_and_a_break_is_told(
    engine: Engine, annotators: dict[str, str]
) -> None:
    root = add_role(engine, "root", "admin")
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    assert "every label and decision is as it says: 2 rows, checked in" in show(engine, root, check="1")
    assert "is whole" not in show(engine, root)
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text("DROP TRIGGER audit_no_update"))
        else:
            connection.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        connection.execute(text("UPDATE audit SET actor = 'x' WHERE action = 'submit'"))
    assert "broken: row 2 was changed after it was written" in show(engine, root, check="1")


def test_labels_changed_past_the_program_are_told(engine: Engine, annotators: dict[str, str]) -> None:
    root = add_role(engine, "root", "admin")
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    with disarmed(engine) as connection:
        connection.execute(text("UPDATE annotation SET response_judgement = 'acceptable'"))
    page = show(engine, root, check="1")
    assert "1 label or decision is not as it says: changed past the program" in page
    assert "is as it says: 2 rows" not in page


@pytest.mark.parametrize(
    "query",
    [
        {"study": "' OR 1=1 --"},
        {"study": "elsewhere"},
        {"kind": "everything"},
        {"before": "-1"},
        {"before": "9" * 40},
        {"item": "x" * 201},
        {"item": "\0"},
        {"person": "root"},
        {"person": ["ann"]},
        {"check": "yes"},
    ],
    ids=str,
)
def test_a_hostile_address_gets_one_line(
    engine: Engine, annotators: dict[str, str], query: dict[str, Any]
) -> None:
    page = show(engine, add_role(engine, "root", "admin"), **query)
    assert 'role="alert"' in page
    assert "Traceback" not in page


def _upheld(engine: Engine) -> dict[str, str]:
    """A study in which one contested every item and an adjudicator upheld one contest; ids by name."""
    people = contest(engine)
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    return people


def _answer(handler: Callable[..., Any], *values: Any) -> Any:
    """What a handler of a native page answers, or why it refuses."""
    try:
        return handler(*values)
    except ClinicnumError as error:
        return str(error)


def _told(engine: Engine, user_id: str, *, barred: bool = False) -> dict[str, str]:
    """What the pages of any role tell one account of the study, whatever the gate lets through."""
    store, me = Store(engine), _asks(user_id)
    agreement = AgreementHandlers(store)
    kinds = FailuresHandlers(store).show("contests", "", "", "", "", me)[1]["choices"]
    said = {
        "changes": show(engine, user_id),
        "newer": agreement.check("six", -1, me)[1],
        "part": _answer(agreement.analyse, "six", "pairs", me),
        "adjudicate": call_action(AdjudicateHandlers(store), "load", user_id),
        "contests": next(label for label, kind in kinds if kind == "contests"),
    }
    if barred:  # whoever is not gets figures, which take seconds
        said["agreement"] = agreement.load(None, me)
        said["chosen"], said["again"] = (
            _answer(one, "six", me) for one in (agreement.show, agreement.refresh)
        )
    return {key: json.dumps(value, default=str) for key, value in said.items()}


@pytest.mark.parametrize("role", ["adjudicator", "admin"])
def test_no_page_shows_an_open_study_to_who_labels_it_under_another_role(engine: Engine, role: Role) -> None:
    people = _upheld(engine)
    others = _told(engine, add_role(engine, "other", role))
    with writing(engine) as session:
        users.set_role(session, name="ann", role=role)
    mine = _told(engine, people["ann"], barred=True)
    assert "There is no study yet that you may look into" in mine["changes"]
    assert "There is no study yet that you may look into" in mine["agreement"]
    for key in ("chosen", "again", "part"):
        assert "You are an annotator of this study" in mine[key], key
    assert "You are an annotator of this study" not in "".join(others.values())
    assert (mine["newer"], mine["contests"]) == ('""', '"Upheld contests (0)"')
    assert ("newer judgement" in others["newer"], others["contests"]) == (True, '"Upheld contests (1)"')
    assert json.loads(mine["adjudicate"])["item"] is None
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    closed = _told(engine, people["ann"])
    assert (closed["contests"], "Pairs of annotators" in closed["part"]) == ('"Upheld contests (1)"', True)
    assert "You are an annotator of this study" not in "".join(closed.values())
