"""The items page's handlers on a real database, called as Gradio calls them."""

import re
from functools import partial
from html import escape
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.masked_model_names import MASK
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.study_items import item_details
from clinicnum.errors import ClinicnumError
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from clinicnum.ui.pages.items.page import ItemsHandlers
from clinicnum.ui.pages.items.reassign_items_panel import MoveHandlers
from tests.db.adjudicating import add_role
from tests.db.items import called, lead_and_annotators
from tests.db.test_annotate import FINE, first, save, submit
from tests.ui.gradio_request import Request

NO_FILTER = ("six", "", "", "", "", "", "position")


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    return lead_and_annotators(engine)


def test_the_address_leads_to_a_view_and_to_an_item(engine: Engine, people: dict[str, str]) -> None:
    save(engine, people["ann"], first(engine, people["ann"]))
    page = ItemsHandlers(Store(engine))
    asked = {"study": "six", "state": "in_work", "annotator": called(engine, people["ann"])}
    answer = page.load(Request(people["root"], query_params=asked))  # type: ignore[arg-type]
    assert answer[0] == ""
    ((place, question, _, _, state, who, differ, key),) = answer[8]["value"]
    assert (state, differ) == ("in work", "–")
    assert who == f"{asked['annotator']}: in work"
    answer = page.load(Request(people["root"], query_params={"study": "six", "item": key}))  # type: ignore[arg-type]
    *_, title, facts, _, context, text, second, revisions, links = answer
    assert title == f"## Item {place}"
    assert facts[0][1] == question
    assert context == "time, sbp, dbp"
    assert MASK in text["value"]
    assert second["visible"] is False
    assert "Llama" not in str(answer)
    ((_, revision, _, what, said, changed),) = revisions["value"]
    assert (revision, what, said, changed) == (1, "locked blind", "Failure", "–")
    assert f"/items/?study=six&item={key}" in links
    assert "/changes/?study=" in links


@pytest.mark.parametrize(
    "asked",
    [
        {"state": "x"},
        {"page": "-1"},
        {"order": "id; --"},
        {"differ": "maybe"},
    ],
    ids=str,
)
def test_an_address_that_leads_nowhere_says_so(
    engine: Engine, people: dict[str, str], asked: dict[str, str]
) -> None:
    answer = ItemsHandlers(Store(engine)).load(Request(people["root"], query_params=asked))  # type: ignore[arg-type]
    assert 'role="alert"' in answer[0]
    assert "Traceback" not in answer[0]


@pytest.mark.parametrize("item", ["nosuch", "../x<b>", "0123456789abcdef"])
def test_an_address_of_an_item_or_study_that_is_not_there_says_which(
    engine: Engine, people: dict[str, str], item: str
) -> None:
    load = ItemsHandlers(Store(engine)).load
    answer = load(Request(people["root"], query_params={"study": "six", "item": item}))  # type: ignore[arg-type]
    said, study, table = answer[0], answer[1], answer[8]
    assert f"There is no item “{escape(item)}” in study six; choose one of its list." in said
    assert (study["value"], table["visible"]) == ("six", True)
    said, study, *_ = load(Request(people["root"], query_params={"study": "<b>none"}))  # type: ignore[arg-type]
    assert "There is no study “&lt;b&gt;none”; choose one of those there are." in said
    assert study["value"] is None


def test_both_actions_say_how_many_first_and_do_what_they_said(
    engine: Engine, people: dict[str, str]
) -> None:
    first(engine, people["ann"])
    page = ItemsHandlers(Store(engine))
    moves, root = MoveHandlers(Store(engine), page.listed), Request(people["root"])
    _, count, shown, warning = moves.ask_requeue(*NO_FILTER, "all", [], root)  # type: ignore[arg-type]
    assert (count, shown["visible"]) == (1, True)
    assert "Put 1 unfinished judgement back" in warning
    assert "is back in the pool" in moves.requeue(*NO_FILTER, "all", [], count, root)[0]  # type: ignore[arg-type]
    name = called(engine, people["ben"])
    _, count, _, warning = moves.ask_reassign(*NO_FILTER, "all", [], name, root)  # type: ignore[arg-type]
    assert f"Give 6 items to {name}?" in warning
    told = moves.reassign(*NO_FILTER, "all", [], name, count, root)[0]  # type: ignore[arg-type]
    assert f"6 items are next in the queue of {name}." in told
    calls = [
        partial(moves.ask_requeue, *NO_FILTER, "chosen", [], root),  # type: ignore[arg-type]
        partial(moves.ask_requeue, *NO_FILTER, "chosen", ["x"], root),  # type: ignore[arg-type]
        partial(moves.ask_reassign, *NO_FILTER, "all", [], None, root),  # type: ignore[arg-type]
        partial(moves.requeue, *NO_FILTER, "all", [], 99, root),  # type: ignore[arg-type]
        partial(moves.reassign, *NO_FILTER, "all", [], "A9", 6, root),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(ClinicnumError):
            call()


ROOM_PX = 1206
"""Width of a table in a window of 1280 px."""


def test_only_a_lead_is_led_from_the_most_disputed_items_to_their_list(
    engine: Engine, people: dict[str, str]
) -> None:
    for who, said in (("ann", None), ("ben", FINE)):
        for _ in range(4):
            item = first(engine, people[who])
            submit(engine, people[who], item, *([] if said is None else [said]))
    analyse: Any = AgreementHandlers(Store(engine)).analyse
    told = str(analyse("six", "disputed", Request(people["root"])))
    assert "[All items on which labels differ](/items/?study=six&differ=yes)" in told
    keyed = re.findall(r"\[\d+\]\(/items/\?study=six&item=(\w+)\)", told)
    assert keyed
    with reading(engine) as session:
        for item in keyed:
            details = item_details(session, user_id=people["root"], study="six", item=item)
            assert details.line.differ
    assert "/items/" not in str(analyse("six", "pairs", Request(people["root"])))
    widths = analyse("six", "disputed", Request(people["root"]))[3]["column_widths"]
    assert len(widths) == 4, "with widths, questions are wrapped and the labels stay in sight"
    assert sum(int(one.removesuffix("px")) for one in widths) <= ROOM_PX
    assert analyse("six", "pairs", Request(people["root"]))[3].get("column_widths") in (None, [])
    assert "/items/" not in str(analyse("six", "disputed", Request(add_role(engine, "ada"))))


def test_without_a_study_the_page_says_where_one_is_opened(engine: Engine) -> None:
    root = add_role(engine, "root", "admin")
    assert "Open one on the page Studies" in ItemsHandlers(Store(engine)).load(Request(root))[0]  # type: ignore[arg-type]


def test_a_closed_study_is_shown_but_not_moved(engine: Engine, people: dict[str, str]) -> None:
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    page = ItemsHandlers(Store(engine))
    answer = page.show(*NO_FILTER, Request(people["root"]))  # type: ignore[arg-type]
    assert answer[13] == {"visible": False, "__type__": "update"}
