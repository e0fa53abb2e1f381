"""Everybody calls every handler of every page by hand, with what is not theirs and with what makes no sense.

The pages are read from each role's navigation, their Gradio events from each page's `/config`, as an attacker
reads them, and the routes of their scripts from the application: a new one is attacked without a change here.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, count, islice
from typing import Any

import pytest

from clinicnum.scripts.dev.load_test.browser_connection import Connection
from tests.db.examples import MODEL
from tests.ui.attacked_house import PEOPLE, SECRET, House, serve_house
from tests.ui.raw_requests import odd_requests

HIDDEN = re.compile(
    rf"{re.escape(MODEL)}|Llama-3|Alpha-7B|Beta-7B|troponin negative|run-of-llama|run-of-eve|"
    rf"gold is|\b100[0-5](?:\.00)?\b|{SECRET}",
    re.I,
)
"""What an annotator who has judged nothing must never read: model, run, gold, and another's words."""
JUDGED = {"item_judgement": "valid", "response_judgement": "acceptable"}
SHARED = {"audit", "study_item", "assignment", "study_annotator", "login_failure", "page_state"}
"""Tables where an annotator's own work leaves a trace; of them only others' rows are compared."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from serve_house(tmp_path_factory.mktemp("attacked"))


def _messages(house: House, own: str, *, route: bool) -> Iterator[Any]:
    """Values for an input: what is not theirs, what is theirs but says too little. An event reads no key of
    `out`: it is sent each assignment as an id, and one message about it.
    """
    for about in (*(key for name, key in house.begun.items() if name != own), house.begun.get(own, "none")):
        mine = about == house.begun.get(own)
        if not route:
            yield about
            yield {"out": {"assignment_id": about, "revision": 0} | ({} if mine else {"judgement": JUDGED})}
            continue
        yield {"out": {"assignment_id": about, "text": "mine now"}}
        for revision in (0, 1):
            out = {"assignment_id": about, "revision": revision, "active_ms": 1}
            yield {"out": out}
            yield {"out": {**out, "answers": {"accuracy": "5"}, "comment": "mine now"}}
            yield {"out": {**out, "reason": "because", "form": {"rationale": "mine now"}}}
            if not mine:
                yield {"out": {**out, "judgement": JUDGED}}
                yield {"out": {"assignment_id": about, "revision": revision, "judgement": JUDGED}}


def _nonsense(house: House, *, route: bool) -> Iterator[Any]:
    """Ids and names where something else is expected, wrong types, wrong sizes; a route takes them by key."""
    yield from ("six", "other", "ann", house.ids["ann"], house.begun["ann, done"], "run-of-llama-g0", "0")
    if route:
        for key in ("study", "study_id", "user_id", "generation", "assignment_id"):
            yield from (
                {"out": {key: value}} for value in ("six", house.ids["ann"], house.begun["ann, done"])
            )
    yield from (None, "", 7, -1, 2**70, 1.5, True, [], {}, [[[[]]]], ["x"] * 500, "\0", "<script>x</script>")
    decided: dict[str, Any] = {"study_id": house.ids["ann"], "item": "0", "seen": "0", "comment": "mine now"}
    answers: Any = (None, [], {"": ""}, {"safe@1": "met"}, {"safe@1": 1}, {"x" * 99: "met"}, {"a": "x" * 99})
    outs: list[Any] = [*(decided | {"answers": one} for one in answers), {"\0": {}}]
    outs += [None, [], {"revision": 2**70}]
    # An event knows no `out`: to it, these are objects with a key, one of it odd.
    yield from ({"out": one} for one in (outs if route else (outs[3], outs[7])))
    yield "x" * 20_000
    yield {"__type__": "update", "value": "x"}


def _each(handler: dict[str, Any], values: Iterator[Any]) -> Iterator[Any]:
    """Values worth sending: to an event that takes none, all are the same request."""
    takes_none = "route" not in handler and not handler["inputs"] and not handler["collects_event_data"]
    return islice(values, 1) if takes_none else values


def test_whoever_lacks_the_right_reaches_no_handler(house: House) -> None:
    before = house.rows()
    assert {"ann", "root"} <= frozenset.union(*house.pages.values())
    for page, insiders in house.pages.items():
        outside = [None, *(name for name in PEOPLE if name not in insiders)]
        refused = {name: 403 if name else 401 for name in outside}
        tried = (None, {"out": {"assignment_id": house.begun["ann"], "revision": 0}})
        for handler in house.handlers(page):
            for place, name in enumerate(outside):
                # The right is asked for before a value is read: each sends one, and who is alone sends both.
                for value in tried if len(outside) == 1 else (tried[place % len(tried)],):
                    status, text = house.call(handler, name, value)
                    assert status == refused[name], (page, name, handler["targets"])
                    assert not HIDDEN.search(text)
        for name in outside:
            assert house.visitors[name].get(f"{page}/config").status == refused[name]
    assert house.rows() == before


@pytest.mark.parametrize("name", ["ben", "eve"])
def test_an_annotator_reads_and_changes_nothing_that_is_not_theirs(house: House, name: str) -> None:
    before, tried = house.rows(), 0
    for page, insiders in house.pages.items():
        if name not in insiders:
            continue
        for handler in house.handlers(page):
            route = "route" in handler
            # Nonsense is the same whoever sends it: one of them does.
            nonsense = _nonsense(house, route=route) if name == "ben" else ()
            for value in _each(handler, chain(_messages(house, name, route=route), nonsense)):
                status, text = house.call(handler, name, value)
                case = (page, handler["targets"], value)
                found = HIDDEN.search(_without_echo(text, value))
                assert found is None, (found, *case)
                assert "Traceback" not in text, case
                assert status < 500, case
                tried += 1
    assert tried > 100
    _only_own_rows_changed(before, house.rows(), house.ids[name])


def _without_echo(text: str, value: Any) -> str:
    """An error may quote what was sent; that tells nothing."""
    for sent in re.findall(r"run-of-llama[-\w]*", str(value)):
        text = text.replace(sent, "")
    return text


def _only_own_rows_changed(
    before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]], user_id: str
) -> None:
    for table, rows in before.items():
        if table not in SHARED:
            assert after[table] == rows, table
    for table in ("assignment", "study_annotator", "page_state"):
        others = [[row for row in side[table] if row["user_id"] != user_id] for side in (before, after)]
        for row in (*others[0], *others[1]):
            row.pop("cursor", None)  # a place that the attacker gave back is offered to all again
        assert others[0] == others[1], table
    told = [row for row in after["audit"] if row not in before["audit"]]
    assert {row["actor"] for row in told} <= {user_id}


@pytest.mark.parametrize(
    "sent",
    [
        {"fn_index": 9_999, "data": []},
        {"fn_index": -1, "data": []},
        {"fn_index": "0", "data": [None]},
        {"fn_index": True, "data": [None]},
        {"fn_index": None, "data": None},
        {"data": {}},
        {"fn_index": 0, "data": [None] * 50},
        {"fn_index": 0, "data": [], "event_id": "x", "batched": True},
        {"fn_index": 0, "data": [], "simple_format": True, "trigger_id": 2**70},
    ],
    ids=str,
)
def test_a_call_of_no_handler_says_nothing_and_does_nothing(house: House, sent: dict[str, Any]) -> None:
    before = house.rows()
    for page, insiders in house.pages.items():
        for name in insiders:
            text = house.send(page, name, sent).body.decode("utf-8", "replace")
            assert "Traceback" not in text
            assert PEOPLE[name] != "annotator" or not HIDDEN.search(text)
    _only_own_rows_changed(before, house.rows(), "")


def test_whoever_has_the_right_gets_an_answer_and_never_a_traceback(house: House) -> None:
    judged, turn = house.rows()["annotation"], count()
    for page, insiders in house.pages.items():
        names = sorted(insiders & {"ada", "cur", "root"})
        for handler in house.handlers(page) if names else ():
            for value in _each(handler, _nonsense(house, route="route" in handler)):
                status, text = house.call(handler, names[next(turn) % len(names)], value)
                assert "Traceback" not in text
                assert 'File "' not in text
                assert status < 500, (page, handler["targets"], value)
    assert house.rows()["annotation"] == judged, "only annotators annotate"


@pytest.mark.parametrize("name", [None, "ben"])
def test_what_is_no_request_is_refused_and_does_nothing(house: House, name: str | None) -> None:
    before = house.rows()
    with closing(Connection(house.port)) as visitor:
        visitor.cookies.update({} if name is None else house.visitors[name].cookies)
        for asked, answer in odd_requests(visitor, "/annotate"):
            if name is not None:  # logging out ends every session of an account
                visitor.cookies.update(house.visitors[name].cookies)
            text = answer.body.decode("utf-8", "replace")
            assert answer.status < 500, (asked, answer.status, text[:300])
            assert "Traceback" not in text, asked
            assert not HIDDEN.search(text), asked
    after = house.rows()
    for table in ("annotation", "assignment", "study_item", "study"):
        assert after[table] == before[table], table
