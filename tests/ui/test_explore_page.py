"""The explore page's handlers on a real database, called as Gradio calls them."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import gradio as gr
import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.explore.text_diff import parted
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import GenerationRow, InstanceRow
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.explore.explorable_runs import explorable_runs
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.errors import ClinicnumError, InputError, NotAllowed
from clinicnum.ui.pages.explore.page import ExploreHandlers
from clinicnum.ui.pages.explore.saved_views_panel import SavedViewsHandlers
from clinicnum.ui.pages.explore.slice_actions import SliceUseHandlers
from clinicnum.ui.pages.explore.view_query import FACETS, LOOKS, ViewQuery
from tests.db.adjudicating import add_role
from tests.db.curating import SLIP, add_graded, closed_study
from tests.ui.gradio_request import Request

GROUPS = ("asked", "dimensions", "answered", "records", "whose")
SHOWN = (
    *("filters", *(f"group_{name}" for name in GROUPS), *FACETS),
    *("summary", "causes", "slices_column", "slices", "slices_note", "map_column", "map", "flips_column"),
    *("first", "second", "flips_note", "answers_column", "order", "answers", "number", "instance", "address"),
)
WHOLE = ("runs", "search", "panel", "by", "down", "across", "order_input", "direction", *SHOWN)


def page(engine: Engine) -> ExploreHandlers:
    return ExploreHandlers(Store(engine), Explorer())


def runs(engine: Engine, user_id: str) -> dict[str, str]:
    with reading(engine) as session:
        return {name: one.run for one, name in explorable_runs(session, user_id=user_id).items()}


def values(**asked: Any) -> list[Any]:
    """The page's inputs as the browser sends them."""
    view = ViewQuery(**asked)
    looks = [getattr(view, name) for name in LOOKS]
    return [list(view.runs), view.search, *looks, view.page, *(view.where.get(name, []) for name in FACETS)]


def shown(answer: tuple[Any, ...], names: tuple[str, ...] = SHOWN) -> dict[str, Any]:
    assert answer[0] == ""
    return dict(zip(names, answer[1:], strict=True))


def clicked(row: list[Any]) -> Any:
    return gr.SelectData(None, {"index": [0, 0], "value": row[0], "row_value": row})  # type: ignore[arg-type]


@pytest.fixture
def rea(engine: Engine) -> Request:
    add_graded(engine, 3)
    return Request(add_role(engine, "rea", "researcher"))


def test_the_page_begins_with_the_runs_of_a_benchmark_and_says_why_there_are_none(engine: Engine) -> None:
    rea = Request(add_role(engine, "rea", "researcher"))
    empty = page(engine).load(rea)  # type: ignore[arg-type]
    assert "No run has answers yet" in empty[0]
    assert not empty[-1]["visible"]
    add_graded(engine, 2)
    *loaded, views, draft, study, _panel = page(engine).load(rea)  # type: ignore[arg-type]
    found = shown(tuple(loaded), WHOLE)
    assert study["visible"]
    assert [name for name, _ in found["runs"]["choices"]] == ["acme/Model-0", "acme/Model-1"]
    assert len(found["runs"]["value"]) == 2
    assert found["headline"]["value"] == ["yes"]
    assert "24 answers to questions about" in found["summary"]
    assert found["answers_column"]["visible"], "the page opens with the answers themselves"
    assert found["filters"]["label"] == "Runs and filters (1)"
    assert [found[f"group_{name}"]["label"] for name in GROUPS[3:]] == ["Which records", "Which model"]
    assert found["headline"]["visible"], "the filter that leaves answers out is not in a fold"
    assert not found["group_dimensions"]["visible"], "no question has any"
    assert (views["choices"], draft["visible"]) == ([], False)
    assert found["template"]["choices"][0] == ("arithmetic.bp_sum (8)", "arithmetic.bp_sum")
    assert not found["representation"]["visible"] or len(found["representation"]["choices"]) > 1


def test_a_summary_says_how_many_answers_a_filter_leaves_out_and_leads_to_them(
    engine: Engine, rea: Request
) -> None:
    run = next(iter(runs(engine, rea.username).values()))
    with reading(engine) as session:
        of_run = select(GenerationRow).where(col(GenerationRow.run) == run)
        asked = session.get_one(InstanceRow, session.scalars(of_run).first().instance)  # type: ignore[union-attr]
        flagged = asked.payload | {"flags": ["V7"]}
    with writing(engine) as session:
        session.get_one(InstanceRow, asked.id).payload = flagged
    where = {"headline": ("yes",)}
    found = shown(page(engine).show(rea, *values(runs=(run,), where=where)))  # type: ignore[arg-type]
    assert "1 more answer is left out, as it does not count in the accuracy" in found["summary"]
    assert f'<a href="/explore/?runs={run}">Show them, too</a>' in found["summary"]
    everything = shown(page(engine).show(rea, *values(runs=(run,))))  # type: ignore[arg-type]
    assert "more answer" not in everything["summary"]


def test_choices_narrow_counts_tables_and_the_address(engine: Engine, rea: Request) -> None:
    known = runs(engine, rea.username)
    asked = {
        "runs": tuple(known.values()),
        "where": {"template": ("arithmetic.bp_sum",)},
        "by": "model",
        "panel": "slices",
    }
    found = shown(page(engine).show(rea, *values(**asked)))  # type: ignore[arg-type]
    assert [row[:2] for row in found["slices"]["value"]["data"]] == [[name, 4] for name in known]
    assert dict(found["template"]["choices"])["arithmetic.shock_index (12)"] == "arithmetic.shock_index"
    assert "The other 24 answers:" in found["summary"]
    assert all(len(row) == 5 for row in found["slices"]["value"]["data"])
    patient = {**asked, "where": {"patient": (found["patient"]["choices"][0][1],)}}
    alone = shown(page(engine).show(rea, *values(**patient)))["summary"]  # type: ignore[arg-type]
    assert "percentage points; no interval: answers in the slice: " in alone
    by_score = {**asked, "where": {"correct": ("no",)}}
    chosen = shown(page(engine).show(rea, *values(**by_score)))["summary"]  # type: ignore[arg-type]
    assert "an accuracy would say nothing" in chosen
    assert "percentage points" not in chosen
    query = dict(parse_qsl(urlsplit(found["address"]).query))
    assert query["where"] == "template=arithmetic.bp_sum"
    assert query["by"] == "model"
    *loaded, _views, _draft, _study, _panel = page(engine).load(Request(rea.username, query_params=query))  # type: ignore[arg-type]
    again = shown(tuple(loaded), WHOLE)
    assert (again["by"], again["slices"]["value"]) == ("model", found["slices"]["value"])
    into = shown(page(engine).choose_slice(clicked(["acme/Model-1"]), rea, *values(**asked)), WHOLE)  # type: ignore[arg-type]
    assert (into["panel"], into["model"]["value"]) == ("answers", ["acme/Model-1"])
    assert len(into["answers"]["value"]) == 4
    with pytest.raises(InputError, match="not there any more"):
        page(engine).choose_slice(clicked(["no such"]), rea, *values(**asked))  # type: ignore[arg-type]


def test_a_field_of_the_map_leads_to_as_many_answers_as_it_calls_wrong(engine: Engine, rea: Request) -> None:
    asked = {"runs": tuple(runs(engine, rea.username).values()), "panel": "map", "down": "template"}
    drawn = shown(page(engine).show(rea, *values(**asked, across="model")))["map"]  # type: ignore[arg-type]
    fields = re.findall(r'href="([^"]+)">[^<]+<small>(\d+) of (\d+)</small>', drawn)
    assert any(0 < int(wrong) < int(of) for _address, wrong, of in fields), fields
    for address, wrong, of in fields:
        query = dict(parse_qsl(urlsplit(unescape(address)).query))
        *loaded, _views, _draft, _study, _panel = page(engine).load(Request(rea.username, query_params=query))  # type: ignore[arg-type]
        rows = shown(tuple(loaded), WHOLE)["answers"]["value"]
        assert len(rows) == (int(wrong) or int(of)), address


def test_the_map_tells_zero_from_nothing_and_leads_to_the_answers(engine: Engine, rea: Request) -> None:
    asked = {"runs": tuple(runs(engine, rea.username).values()), "panel": "map", "down": "template"}
    found = shown(page(engine).show(rea, *values(**asked, across="correct")))  # type: ignore[arg-type]
    assert 'class="cn-heat-0"' in found["map"], "all right: asked, and nothing wrong"
    assert 'class="cn-heat-10"' in found["map"]
    assert "where=correct%3Dyes%26template%3D" not in found["map"]
    assert "panel=" not in found["map"], "a field leads to its answers, with which the page opens"
    alone = {**asked, "where": {"correct": ("yes",), "model": ("acme/Model-2",)}}
    sparse = shown(page(engine).show(rea, *values(**alone, across="cause")))["map"]  # type: ignore[arg-type]
    assert "cn-heat" in sparse


def test_answers_are_listed_by_pages_and_one_opens_beside_those_of_other_runs(
    engine: Engine, rea: Request
) -> None:
    asked = {"runs": tuple(runs(engine, rea.username).values()), "panel": "answers"}
    first = shown(page(engine).show(rea, *values(**asked)))  # type: ignore[arg-type]
    assert (len(first["answers"]["value"]), first["number"]["maximum"]) == (25, 2)
    second = shown(page(engine).turn(rea, *values(**asked, page=2)))  # type: ignore[arg-type]
    assert len(second["answers"]["value"]) == 11
    by_score = shown(page(engine).show(rea, *values(**asked, order="correct")))["answers"]["value"]  # type: ignore[arg-type]
    statuses = [row[3] for row in by_score]
    assert statuses == sorted(statuses)
    wrong = next(row for row in first["answers"]["value"] if row[3] == "incorrect")
    said, instance, address = page(engine).open_answer(clicked(wrong), rea, *values(**asked))  # type: ignore[arg-type]
    assert said == ""
    assert instance.count("<article") == 3
    assert "<mark>" in instance or "got something" in instance
    assert f"answer={wrong[-1]}" in address
    with pytest.raises(InputError, match="not of the chosen runs"):
        page(engine).open_answer(clicked(["0" * 16]), rea, *values(**asked))  # type: ignore[arg-type]


def test_what_flipped_is_counted_and_listed(engine: Engine, rea: Request) -> None:
    one, two, three = runs(engine, rea.username).values()
    asked = {"runs": (one, two, three), "panel": "flips"}
    assert "Choose two runs" in shown(page(engine).show(rea, *values(**asked)))["flips_note"]  # type: ignore[arg-type]
    asked |= {"first": one, "second": three, "direction": "to_right"}
    found = shown(page(engine).show(rea, *values(**asked)))  # type: ignore[arg-type]
    assert "12 questions that both answered" in found["flips_note"]
    assert {(row[3], row[5]) for row in found["answers"]["value"]} == {("correct", "acme/Model-2")}


def test_a_saved_view_opens_at_its_address_for_a_colleague(engine: Engine, rea: Request) -> None:
    bob = Request(add_role(engine, "bob", "researcher"))
    handlers = page(engine)
    views = SavedViewsHandlers(Store(engine), handlers)
    asked = {"runs": tuple(runs(engine, rea.username).values())[:2], "by": "vital"}
    said, name, choices, address = views.save_view(rea, "My view", *values(**asked))  # type: ignore[arg-type]
    assert (name, address) == ("", f"/explore/?view={choices['value']}")
    assert address in said
    *loaded, listed, _, _, _ = handlers.load(Request(bob.username, query_params={"view": choices["value"]}))  # type: ignore[arg-type]
    assert shown(tuple(loaded), WHOLE)["by"] == "vital"
    assert listed["choices"] == [("My view (by rea)", choices["value"])]
    opened = shown(views.open_view(choices["value"], bob), WHOLE)  # type: ignore[arg-type]
    assert (opened["by"], opened["address"]) == ("vital", address)
    with pytest.raises(NotAllowed):
        views.delete_view(choices["value"], bob)  # type: ignore[arg-type]
    assert "was deleted" in views.delete_view(choices["value"], rea)[0]  # type: ignore[arg-type]
    assert "no such view" in str(handlers.load(Request(bob.username, query_params={"view": "x"}))[0])  # type: ignore[arg-type]


def test_a_curating_admin_drafts_a_template_from_the_labelled_failures_of_a_slice(engine: Engine) -> None:
    closed_study(engine)
    root, rea = (add_role(engine, *one) for one in (("root", "admin"), ("rea", "researcher")))  # type: ignore[arg-type]
    uses = SliceUseHandlers(Store(engine), Explorer())
    asked = values(runs=tuple(runs(engine, root).values()))
    said, path = uses.draft_template(Request(root), *asked)  # type: ignore[arg-type]
    assert said == ""
    with reading(engine) as session:
        assert drafts.load(session, path.removeprefix("/draft/?draft=")).provokes == SLIP
    with pytest.raises(NotAllowed, match="may not curate"):
        uses.draft_template(Request(rea), *asked)  # type: ignore[arg-type]
    none = values(runs=tuple(runs(engine, root).values()), where={"correct": ("yes",)})
    with pytest.raises(InputError, match="labelled as a failure"):
        uses.draft_template(Request(root), *none)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "odd",
    [
        {"panel": "x"},
        {"page": -1},
        {"runs": ["no such"]},
        {"panel": "slices", "by": "no such"},
        {"search": "x" * 300},
    ],
)
def test_what_makes_no_sense_is_answered_in_words(engine: Engine, rea: Request, odd: dict[str, Any]) -> None:
    view = {"runs": list(runs(engine, rea.username).values()), "search": "", "page": 1, **odd}
    looks = {name: ViewQuery.model_fields[name].default for name in LOOKS} | odd
    inputs = [
        view["runs"],
        view["search"],
        *(looks[name] for name in LOOKS),
        view["page"],
        *([[]] * len(FACETS)),
    ]
    with pytest.raises(ClinicnumError):
        page(engine).show(rea, *inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["run", "runs"])
def test_an_address_shows_the_run_that_it_names_or_says_that_it_is_not_there(
    engine: Engine, rea: Request, name: str
) -> None:
    first, *_ = runs(engine, rea.username).values()
    for asked, chosen in ((first, [first]), ("nonsense", [])):
        loaded = page(engine).load(Request(rea.username, query_params={name: asked}))  # type: ignore[arg-type]
        assert loaded[1]["value"] == chosen
        assert ("One of these runs is not open to you, or is gone." in loaded[0]) is not bool(chosen)


@pytest.mark.parametrize(
    ("text", "other", "marked"),
    [
        ("the answer is 4", "the answer is 5", ["4"]),
        ("same", "same", []),
        ("a b c d", "a x c d", ["b "]),
        ("", "words", []),
        ("more  words\nhere", "", ["more  words\nhere"]),
        ("a b", "a b c", []),
    ],
)
def test_texts_part_at_the_first_word_that_differs(text: str, other: str, marked: list[str]) -> None:
    parts = parted(text, other)
    assert "".join(piece for piece, _ in parts) == text
    assert [piece for piece, differs in parts if differs] == marked
