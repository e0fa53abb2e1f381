"""The agreement page: its summary, coefficients in their layer, and what the browser may ask for."""

import html
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.annotations.agreement.annotation_selection import KNOWN
from clinicnum.annotations.agreement.compute_agreement import COEFFICIENTS
from clinicnum.annotations.agreement.format_results import interval_text, value_text
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import Exclusion, Scale
from clinicnum.annotations.reliability.need_for_more_labels import PrecisionOutlook
from clinicnum.annotations.report.plots import draw
from clinicnum.annotations.report.sections.annotator_reliability import annotators_section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.work.studies.labels_for_agreement import StudyState
from clinicnum.db.work.studies.load_whole_study import load_study_agreement, load_study_tables
from clinicnum.errors import ClinicnumError
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from clinicnum.ui.components.report_table_rows import report_columns, report_rows
from clinicnum.ui.pages.agreement import view
from clinicnum.ui.pages.agreement.coefficient_titles import coefficient_title
from clinicnum.ui.pages.agreement.detailed_analyses import ANALYSES
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from clinicnum.ui.pages.agreement.summary_sentences import agreement_heading, in_words, precision_verdict
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


def test_beside_the_agreement_on_severity_stands_how_levels_are_settled_that_differ() -> None:
    labels = [Rating(f"i{item}", who, "12"[item % 2]) for item in range(8) for who in "AB"]
    result = agreement(labels, scale="ordinal", categories=["1", "2"])
    names = ("primary", "severity_if_failure")
    layers = [Layer(name=one, title=one, conditional=False, result=result) for one in names]
    primary, severity = in_words(layers, 8).splitlines()
    assert severity.removeprefix("- severity_if_failure").startswith(primary.removeprefix("- primary"))
    assert severity.endswith(
        "the median counts, of two the graver; where they are 2 or more apart, an adjudicator decides."
    )


# ---------- one look


def look(
    half: float | None, more: int | None, *, low: float = 0.4, why: str | None = None
) -> PrecisionOutlook:
    figure = CoefficientValue(
        name="krippendorff_alpha_nominal",
        value=0.5,
        ci95=None if half is None else (low, low + 2 * half),
        n_items=60,
        n_annotators=3,
    )
    return PrecisionOutlook(
        layer=Layer(name="primary", title="Primary", conditional=False, result=None),
        figure=figure,
        percent=None,
        wanted=0.05,
        half_width=half,
        more=more,
        planned=True,
        why=why,
    )


def state(filled: int = 40, items: int = 60) -> StudyState:
    return StudyState(study_id="s", name="six", status="open", overlap=3, items=items, filled=filled, saved=9)


@pytest.mark.parametrize(
    ("one", "says", "then"),
    [
        (
            look(0.1, 120),
            "About 120 more items for a half-width of 0.05.",
            "Alpha of “Primary” would be precise to ±0.05 (half the width of its 95 % interval) with about "
            "120 more items; 20 of this study are still open.",
        ),
        (
            look(0.04, 0),
            "Planned precision reached: half-width 0.04",
            "As precise as planned: half the width of the 95 % interval of alpha is at most 0.05 for "
            "“Primary”.",
        ),
        (
            look(0.1, 10),
            "About 10 more items",
            "The 20 items still open are expected to make alpha of “Primary” precise to ±0.05, which is half "
            "the width of its 95 % interval.",
        ),
        (
            look(0.1, None, why="out of reach"),
            "no plan for a half-width of 0.05: out of reach",
            "Not as precise as planned (half the width of the 95 % interval of alpha at most 0.05) for "
            "“Primary”; how many more items that takes cannot be estimated yet.",
        ),
        (
            look(None, None, why="6 items; an interval needs at least 10"),
            "No interval yet",
            "No interval yet for “Primary”: 6 items; an interval needs at least 10.",
        ),
    ],
    ids=["more than are left", "enough", "as many as are left", "no plan", "no interval"],
)
def test_the_summary_says_whether_the_planned_precision_is_reached(
    one: PrecisionOutlook, says: str, then: str
) -> None:
    ((layer, alpha, interval, _, items, precision),) = view.summary_rows([one])
    assert (layer, alpha, items) == ("Primary", "0.500", "60")
    assert (interval == "–") == (one.half_width is None)
    assert says in precision
    assert precision_verdict(state(), [one]) == then
    assert "40 of 60 items have 3 judgements" in view.progress_text(state())


def test_what_a_finished_study_lacks_is_said_of_the_layer_that_lacks_most() -> None:
    other = look(0.2, 300)
    other = replace(other, layer=other.layer.model_copy(update={"name": "response_judgement", "title": "R"}))
    asked = [look(0.1, 120), other, replace(other, more=9_999, layer=look(0.1, 1).layer)]
    assert precision_verdict(state(60), asked[:2]) == (
        "Alpha of “R” would be precise to ±0.05 (half the width of its 95 % interval) with about 300 more "
        "items; all items of this study are judged."
    )
    assert "“Primary” would be precise" in precision_verdict(state(60), asked)
    none_yet = replace(other, half_width=None, more=None, why="all agree")
    said = precision_verdict(state(60), [none_yet, look(0.1, 120)])
    assert said.startswith("No interval yet for “R”: all agree. Alpha of “Primary” would be precise")
    assert precision_verdict(state(), []) == ""


def layer_of(name: str, pairs: str, left_out: tuple[Exclusion, ...] = ()) -> Layer:
    """A layer of two annotators: each letter pair of `pairs` is an item."""
    labels = [
        Rating(f"i{place}", who, label)
        for place, pair in enumerate(pairs.split())
        for who, label in zip("AB", pair, strict=True)
    ]
    result = agreement(labels, scale="nominal", categories=["x", "y"], left_out=left_out)
    return Layer(name=name, title=name, conditional=False, result=result)


def test_the_page_begins_with_how_far_annotators_agree() -> None:
    half, all_alike = "xx yy xy yx", "xx yy xx yy"
    response, primary = layer_of("response_judgement", all_alike), layer_of("primary", half)
    assert agreement_heading([response, primary, layer_of("item_judgement", "xy yx")]) == (
        "Annotators agree on the response in 100 % of cases, on the class of its first error in 50 %."
    )
    assert agreement_heading(
        [layer_of("a", half), layer_of("b", all_alike), layer_of("c", "xx yx xx xx")]
    ) == ("Annotators agree in 50 to 100 % of cases, depending on the question.")
    assert agreement_heading([layer_of("a", half)]) == "Annotators agree in 50 % of cases."
    without = Layer(name="primary", title="p", conditional=False, result=None, undefined="no judgement yet")
    assert agreement_heading([without]) == "No item has two labels yet."
    assert agreement_heading([]).startswith("Its annotators answer no question that this page compares")


@pytest.mark.parametrize(
    ("n", "said"), [(1, "1 judgement is left out, as its annotator had"), (3, "3 judgements are left out")]
)
def test_why_blind_judgements_are_fewer_than_items_is_said_beside_them(n: int, said: str) -> None:
    known = Exclusion(what="labels", n=n, why=KNOWN)
    other = Exclusion(what="labels", n=2, why="the first judgement was not kept")
    first, second = in_words([layer_of("a", "xx yy xy", (known, other)), layer_of("b", "xx yy")], 60).split(
        "\n"
    )
    assert f"It is computed on 3 of 60 items; {said}" in first
    assert "already seen the gold answer, beside another answer to the same question." in first
    assert "left out" not in second


def test_the_plot_says_in_words_what_it_shows() -> None:
    plot = view.summary_plot([look(0.1, 5), look(None, None)])
    assert plot is not None
    assert plot.alt == "Krippendorff's alpha with 95 % intervals: Primary 0.50; Primary 0.50"
    assert [dot.interval for dot in plot.dots] == [(0.4, 0.6000000000000001), None]
    assert view.summary_plot([]) is None
    hostile = look(0.1, 5)
    named = hostile.layer.model_copy(update={"title": "<script>"})
    drawn = view.summary_plot([replace(hostile, layer=named)])
    assert drawn is not None
    assert "<script" not in str(draw(drawn))


# ---------- handlers


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
