"""Disputes beyond labels through the page's actions: what is sent is blind, and what is odd is refused."""

import json
from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.rows import AdjudicationRow
from clinicnum.errors import ClinicnumError
from clinicnum.ui.components.language import answer_in
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from tests.db.comparing import MODELS
from tests.db.disputing import DISPUTED, WORDS, open_disputed
from tests.db.examples import MODEL
from tests.ui.calling import call_action

KINDS = list(DISPUTED)


def call(engine: Engine, name: str, user_id: str, message: Any = None) -> Any:
    return call_action(AdjudicateHandlers(Store(engine)), name, user_id, message)


def decisions(engine: Engine) -> int:
    with reading(engine) as session:
        return len(session.scalars(select(AdjudicationRow)).all())


@pytest.mark.parametrize("kind", KINDS)
def test_a_disputed_item_names_nobody_no_model_and_no_score_that_annotators_did_not_see(
    engine: Engine, kind: str
) -> None:
    _, ids = open_disputed(engine, kind)
    item = call(engine, "load", ids["ada"])["item"]
    sent = json.dumps(item).lower()
    for hidden in (*MODELS, MODEL, "llama", "run-of", "run-0", *ids.values(), '"a1"', '"a2"'):
        assert hidden.lower() not in sent
    assert (item["score"] is None) == (kind != "failures")
    assert (item["gold"] is None) == (kind in ("pairwise", "ratings"))
    assert bool(item["gold_cells"]) == (kind == "failures")
    (asked,) = item["disputed"]["questions"]
    assert sorted(place for one in asked["said"] for place in one["p"]) == [0, 1]
    assert len({one["key"] for one in asked["options"]}) == len(asked["options"])
    with answer_in("de"):
        german = call(engine, "load", ids["ada"])["item"]
    assert german["due"] != item["due"]
    assert german["disputed"]["title"] != item["disputed"]["title"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_decision_is_refused_and_writes_nothing(engine: Engine, kind: str) -> None:
    _, ids = open_disputed(engine, kind)
    item = call(engine, "load", ids["ada"])["item"]
    (asked,) = item["disputed"]["questions"]
    answer = {asked["key"]: asked["options"][0]["value"]}
    about = {name: item[name] for name in ("study_id", "item", "seen")}
    right = {**about, "answers": answer, "comment": WORDS} | ({"position": 0} if kind == "failures" else {})
    odd: tuple[dict[str, Any], ...] = (
        {"answers": None},
        {"answers": [answer]},
        {"answers": {}},
        {"answers": {asked["key"]: None}},
        {"answers": {asked["key"]: "\0"}},
        {"answers": {**answer, "x": "y"}},
        {"answers": dict.fromkeys(map(str, range(300)), "met")},
        {"comment": ""},
        {"comment": "x" * 3000},
        {"position": 9},
        {"seen": "0"},
        {"judgement": {"response_judgement": "rated"}, "position": None},
        {"judgement": {"response_judgement": "failure"}, "position": None},
    )
    for change in odd:
        try:
            reply = call(engine, "decide", ids["ada"], {**right, **change})
        except ClinicnumError:
            continue
        assert reply["kind"] == "error", change
    assert call(engine, "decide", ids["ann"], right)["kind"] == "error"
    assert decisions(engine) == 0
    assert call(engine, "decide", ids["ada"], right)["kind"] in ("item", "done")
    assert decisions(engine) == 1
