"""Where does it fail most: the panel's handlers on a real database, called as Gradio calls them."""

from functools import cache
from typing import Any

import pytest
from sqlalchemy import Engine

import clinicnum
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import writing
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import InputError, NotAllowed
from clinicnum.slices.slice_conditions import Condition
from clinicnum.ui.pages.explore.facet_and_figure_wording import ValueNames
from clinicnum.ui.pages.explore.page import ExploreHandlers
from clinicnum.ui.pages.explore.worst_slices_panel import WorstSlicesHandlers
from clinicnum.ui.pages.explore.worst_slices_text import conditions_words
from tests.db.adjudicating import add_role
from tests.ui.gradio_request import Request
from tests.ui.test_explore_page import WHOLE, clicked, runs, shown, values


def panel(engine: Engine) -> WorstSlicesHandlers:
    store, explorer = Store(engine), Explorer()
    return WorstSlicesHandlers(store, explorer, ExploreHandlers(store, explorer))


@cache
def material() -> Material:
    """Two models, of which the second fails on notes."""
    benchmark = clinicnum.generate(quota="retrieval=240", seed=1)
    asked = list(benchmark)
    made, scores = [], []
    for name in ("fine", "failing"):
        texts = []
        for at, one in enumerate(asked):
            hard = name == "failing" and one.representation == "note"
            wrong = at % 4 > 0 if hard else at % 7 == 0
            texts.append("The answer is 1" if wrong else f"The answer is {one.answer}")
        answers = benchmark.to_frame()[["instance_id"]].assign(text=texts, run_id=name)
        scored = clinicnum.score(benchmark, answers)
        made.append(Run(meta={"model": name}, generations=scored.generations))
        scores += scored.scores
    return Material(benchmark_meta={}, instances=tuple(asked), runs=tuple(made), scores=tuple(scores))


@pytest.fixture
def rea(engine: Engine) -> Request:
    """A researcher, beside these models."""
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material())
    return Request(add_role(engine, "rea", "researcher"))


def found(of: WorstSlicesHandlers, who: Any, **asked: Any) -> tuple[str, list[list[str]], str]:
    said, note, table, address = of.find_slices(who, *values(**asked))
    assert said == ""
    assert table["visible"] == bool(table["value"])
    return note, table["value"], address


def test_a_found_slice_is_told_in_words_and_a_click_chooses_it(engine: Engine, rea: Any) -> None:
    of, known = panel(engine), runs(engine, rea.username)
    asked = {"runs": tuple(known.values()), "where": {"headline": ("yes",)}}
    note, (row,), address = found(of, rea, **asked)
    assert row[:2] == ["Records in a clinical note", "failing"]
    assert row[4].startswith("−")
    assert row[5].endswith("patients")
    assert row[6] == "< 0.001"
    assert "slices were compared in" in note
    assert "not for other templates or models" in note
    answer = of.choose_found(clicked(row), rea, address)
    view = shown(answer, WHOLE)
    assert (view["panel"], view["representation"]["value"]) == ("answers", ["note"])
    assert view["run"]["value"] == [known["failing"]]
    assert view["headline"]["value"] == ["yes"]
    with pytest.raises(InputError, match="Find slices again"):
        of.choose_found(clicked(["another slice", *row[1:]]), rea, address)


def test_conditions_are_told_in_words() -> None:
    longer, fewer = Condition("context_length", ">=", "2000-2999"), Condition("records", "<", "10-14")
    temperature, base = Condition("vital", "=", "temperature_c"), Condition("variant", "=", "")
    names = ValueNames({})
    assert conditions_words((temperature, longer), names) == (
        "Questions about temperature, with contexts of 2,000 characters or more"
    )
    assert conditions_words((fewer,), names) == "Fewer than 10 records"
    assert conditions_words((base,), names) == "Base questions"


def test_none_is_said_plainly(engine: Engine, rea: Any) -> None:
    of, known = panel(engine), runs(engine, rea.username)
    note, rows, _ = found(of, rea, runs=(known["fine"],))
    assert rows == []
    assert "None was " in note
    note, rows, _ = found(of, rea, runs=(known["fine"],), search="no question has these words")
    assert (rows, "too few answers" in note) == ([], True)


def test_the_rights_are_those_of_the_page(engine: Engine, rea: Any) -> None:
    known = runs(engine, rea.username)
    ann: Any = Request(add_role(engine, "ann2", "annotator"))
    with pytest.raises(NotAllowed):
        found(panel(engine), ann, runs=tuple(known.values()))
    with pytest.raises(InputError, match="not open to you, or is gone"):
        found(panel(engine), rea, runs=("0" * 32,))
