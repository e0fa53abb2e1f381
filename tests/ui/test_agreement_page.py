"""The agreement page: coefficients in their layer, its parts, and what the browser may ask for."""

import html
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.format_results import interval_text, value_text
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import Scale
from clinicnum.annotations.report.sections.annotator_reliability import annotators_section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.load_whole_study import load_study_agreement, load_study_tables
from clinicnum.errors import ClinicnumError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from clinicnum.ui.components.report_table_rows import report_columns, report_rows
from clinicnum.ui.pages.agreement import view
from clinicnum.ui.pages.agreement.coefficient_titles import coefficient_title
from clinicnum.ui.pages.agreement.detailed_analyses import ANALYSES
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from tests.db.examples import FAILURE, material, open_study
from tests.db.test_annotate import first, submit

SOMEBODY: Any = SimpleNamespace(username="nobody", query_params={})
ROBOTS = ("simulated-1", "simulated-2", "simulated-3")


def test_pairs_and_other_intervals_of_layers_share_one_table() -> None:
    labels = [
        Rating(f"i{item:02}", annotator, "123"[(item * step // 2) % 3], f"s{item % 12}")
        for item in range(60)
        for annotator, step in (("A", 2), ("B", 3), ("C", 2))
    ]
    scales: tuple[Scale, ...] = ("ordinal", "nominal")
    layers = [
        Layer(
            name=scale,
            title=scale,
            conditional=scale == "nominal",
            result=agreement(labels, scale=scale, categories=["1", "2", "3"], details=True),
        )
        for scale in scales
    ]
    columns, rows = view.pair_coefficients(layers)
    assert columns[:4] == ("Layer", "Pair", "N", "Agree")
    assert [row[:3] for row in rows[:3]] == [
        ["ordinal", f"{pair}", "60"] for pair in ("A - B", "A - C", "B - C")
    ]
    by_name = [dict(zip(columns, row, strict=True)) for row in rows]
    assert (by_name[0]["Ordinal"] == "–", by_name[3]["Ordinal"]) == (False, "–"), "each has its own"
    assert by_name[3]["Layer"] == "nominal (conditional)"
    _, intervals = view.alternative_intervals(layers)
    assert any("cluster bootstrap, 1000 draws" in row[-1] for row in intervals)
    shown = str((rows, intervals, view.coefficient_rows(layers)))
    assert "krippendorff_alpha" not in shown
    assert "Landis" not in shown  # words for a size are for the appendix of the report


@pytest.fixture
def labelled(engine: Engine) -> Engine:
    """A study with a hostile name, of 20 items with controls, half of it labelled by three scripts."""
    add_simulated(engine, ROBOTS)
    references = {f"run-of-llama-g{number}": FAILURE for number in range(3)}
    open_study(
        engine, material(wrong=20), name="<b>ward", annotators=ROBOTS, controls=3, references=references
    )
    label_study(engine, "<b>ward", error_rate=0.3, seed=0)
    return engine


def test_the_page_shows_the_commands_figures_marked_as_simulated(labelled: Engine) -> None:
    handlers = AgreementHandlers(Store(labelled))
    said, study, saved, newer, tabs, simulated, verdict, plot, _, coefficients, *_ = handlers.load(
        "", SOMEBODY
    )
    assert (study["choices"], study["value"]) == ([("<b>ward", "<b>ward")], "<b>ward")
    assert (said, saved, newer, tabs["visible"]) == ("", 20 * 3 * 2, "", True)
    assert "Simulated: these labels were made by scripted annotators" in simulated
    assert "Partly simulated: scripted annotators labelled beside" in view.simulated_note("human+simulated")
    assert view.simulated_note("human") == view.simulated_note("none") == ""
    assert "17 of 17 items have 3 judgements" in verdict
    assert "Krippendorff's alpha" in html.unescape(plot["value"])
    with reading(labelled) as session:
        printed = load_study_agreement(session, "<b>ward", details=True).agreement
    on_page = [row[:4] for row in coefficients]
    for layer in printed.layers:
        assert layer.result is not None
        for one in layer.result.coefficients:
            figures = [value_text(one), interval_text(one) or "–"]
            assert [view.layer_title(layer), coefficient_title(one.name), *figures] in on_page


def test_figures_are_made_anew_only_after_a_judgement(
    engine: Engine, annotators: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers = AgreementHandlers(Store(engine))
    _, _, *figures = handlers.load("", SOMEBODY)
    monkeypatch.setattr(
        "clinicnum.ui.pages.agreement.page.load_labels", lambda *_, **__: pytest.fail("nothing has changed")
    )
    assert handlers.refresh("six", SOMEBODY) == ("", *figures)
    assert handlers.check("six", 0, SOMEBODY)[1] == ""
    monkeypatch.undo()
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    assert handlers.check("six", 0, SOMEBODY)[1] == "1 newer judgement: press Refresh to include it."
    _, *again = handlers.refresh("six", SOMEBODY)
    assert (again[0], again[4:] != figures[4:]) == (1, True)


def test_the_study_is_that_of_the_address_or_else_of_the_page_before(
    engine: Engine, annotators: dict[str, str]
) -> None:
    open_study(engine, name="a study that is listed first")
    load = AgreementHandlers(Store(engine)).load
    assert load("", SOMEBODY)[1]["value"] == "a study that is listed first"
    assert load("six", SOMEBODY)[1]["value"] == "six"
    for hostile in (None, 7, ["six"], {"six": 1}, "<b>", "none"):
        assert load(hostile, SOMEBODY)[1]["value"] == "a study that is listed first"
    named: Any = SimpleNamespace(username="nobody", query_params={"study": "six"})
    assert load("a study that is listed first", named)[1]["value"] == "six"


def test_every_coefficient_has_a_title() -> None:
    for one in COEFFICIENTS:
        assert "_" not in coefficient_title(one.name)
    assert coefficient_title("cohen_kappa[omission]") == "Cohen's kappa: omission"


def tables(answer: tuple[Any, ...]) -> list[tuple[str, list[str], list[list[str]], str]]:
    """(label, columns, rows, notes) of what a part shows; a message is a label alone."""
    message, column, *rest = answer
    assert (message, column["visible"]) == ("", True)
    found = []
    for said, table, notes in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        if table["visible"]:
            found.append((table["label"], table["value"]["headers"], table["value"]["data"], notes))
        elif said:
            found.append((said, [], [], notes))
    return found


def test_every_part_is_there_and_its_figures_are_the_reports(labelled: Engine) -> None:
    handlers = AgreementHandlers(Store(labelled))
    with reading(labelled) as session:
        report = annotators_section(StudyView(load_study_tables(session, "<b>ward")))
    found = {key: tables(handlers.analyse("<b>ward", key, SOMEBODY)) for key in ANALYSES}
    assert all(found.values())
    for key, table_id in (("others", "annotators_against_others"), ("drift", "annotators_drift")):
        (table,) = (one for one in report.tables if one.id == table_id)
        assert [report_columns(table), report_rows(table)] in [
            [columns, rows] for _, columns, rows, _ in found[key]
        ]
    ((_, columns, rows, _),) = found["pairs"]
    assert {row[columns.index("N")] for row in rows if row[0] == "Judgement of the item"} == {"17"}
    assert found["confusion"][0][0] == "Item: 51 pairs of labels on the same item"
    assert "control items" in found["controls"][0][0]
    assert "no generation was judged again" in str(found["repeats"])
    ((_, columns, rows, _),) = found["course"]
    assert [row[columns.index("Items")] for row in rows] == ["17"] * 2, "response and primary class"
    ((_, columns, rows, _),) = found["disputed"]
    assert rows
    assert all(row[0].endswith("?") for row in rows)
    assert {row[columns.index("Pairs that differ")] for row in rows} <= {"1 of 3", "2 of 3", "3 of 3"}
    ((_, columns, *_),) = tables(handlers.plan("<b>ward", 0.07, SOMEBODY))
    assert any("Items for ±0.07" in one for one in columns)


HOSTILE_STUDIES: tuple[Any, ...] = (None, "", 7, ["a"], {"chosen": "six"}, "' OR 1=1", "\0", "x" * 5_000)


def test_a_hostile_request_gets_one_line(engine: Engine, annotators: dict[str, str]) -> None:
    handlers = AgreementHandlers(Store(engine))
    calls: list[Callable[[], Any]] = []
    for study in HOSTILE_STUDIES:
        calls += [partial(handlers.analyse, study, key, SOMEBODY) for key in ANALYSES]
        calls += [partial(call, study, SOMEBODY) for call in (handlers.show, handlers.refresh)]
        calls += [
            partial(handlers.plan, study, 0.05, SOMEBODY),
            partial(handlers.consensus, study, "", SOMEBODY),
        ]
    calls += [partial(handlers.plan, "six", width, SOMEBODY) for width in (0, -1, "x", True, 9e9, None)]
    calls += [partial(handlers.analyse, "six", key, SOMEBODY) for key in (None, "__class__", 1, ["pairs"])]
    asked_for: Any = SimpleNamespace(username="nobody", query_params={"study": "<b>"})
    for call in calls:
        with pytest.raises(ClinicnumError) as refused:
            call()
        assert "\n" not in str(refused.value)
    said, studies, _, _, tabs, *_ = handlers.load("six", asked_for)
    assert "There is no study “&lt;b&gt;”; choose one of those there are." in said
    assert (studies["value"], tabs["visible"]) == (None, False)
    for study in HOSTILE_STUDIES:
        assert handlers.check(study, "x", SOMEBODY)[1] == ""


def test_a_study_without_a_judgement_says_why_everywhere(engine: Engine, annotators: dict[str, str]) -> None:
    handlers = AgreementHandlers(Store(engine))
    _, _, _, _, _, _, verdict, plot, _, coefficients, *_ = handlers.load("", SOMEBODY)
    assert "## No item has two labels yet." in verdict
    assert "No interval yet for “Judgement of the response, before the gold”, “Primary class, or none”" in (
        verdict
    )
    assert plot["visible"] is False
    assert {row[-1] for row in coefficients} == {"no judgement yet", "no item was called a failure by all"}
    answers = [handlers.analyse("six", key, SOMEBODY) for key in ANALYSES]
    answers += [handlers.plan("six", 0.05, SOMEBODY), handlers.consensus("six", "", SOMEBODY)]
    for answer in answers:
        shown = tables(answer)
        assert shown
        assert not any(rows for _, _, rows, _ in shown)


def test_without_a_study_the_page_says_how_to_make_one(engine: Engine) -> None:
    said, study, *_ = AgreementHandlers(Store(engine)).load("", SOMEBODY)
    assert study["choices"] == []
    assert "opens one on the page Studies" in said
