"""The agreement page: what one look tells, coefficients in their layer, and what the browser may ask for."""

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.annotations.agreement.format import interval_text, pair_table, value_text
from clinicnum.annotations.agreement.layers import Layer
from clinicnum.annotations.reliability.precision_outlook import PrecisionOutlook
from clinicnum.annotations.report.sections.annotators import annotators_section
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.db.engine import reading
from clinicnum.db.sessions import Store
from clinicnum.db.work.studies.live_agreement import StudyState
from clinicnum.db.work.studies.study_report import load_study_agreement, load_study_tables
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from clinicnum.ui.components.report_table import report_table
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from clinicnum.ui.pages.agreement.parts import PARTS
from clinicnum.ui.pages.agreement.view import (
    axis_start,
    interval_plot,
    layer_view,
    outlook_text,
    summary_view,
    verdict,
)
from tests.db.examples import FAILURE, material, open_study
from tests.db.test_annotate import first, submit

SOMEBODY: Any = SimpleNamespace(username="nobody")
ROBOTS = ("simulated-1", "simulated-2", "simulated-3")


def test_the_page_shows_pairs_and_other_intervals_below_the_layer() -> None:
    labels = [
        Rating(f"i{item:02}", annotator, "123"[(item * step // 2) % 3], f"s{item % 12}")
        for item in range(60)
        for annotator, step in (("A", 2), ("B", 3), ("C", 2))
    ]
    result = agreement(labels, scale="ordinal", categories=["1", "2", "3"], details=True)
    shown = str(layer_view(Layer(name="x", title="X", conditional=False, result=result)))
    inside, below = shown.split("</section>")
    assert "A - B" not in inside  # a row of a layer is a coefficient
    assert "A - B" in below
    assert "cluster bootstrap, 1000 draws" in below
    assert "Landis" not in shown  # words for a size are for the appendix of the report
    columns, rows = pair_table(result)
    assert columns == ("pair", "n", "agree", "Cohen", "quadratic", "AC1", "AC2 quadratic", *columns[7:])
    assert len(rows) == 3


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
        (look(0.1, 120), "About 120 more items for a half-width of 0.05.", "about 120 more for ± 0.05"),
        (look(0.04, 0), "Precise enough: half-width 0.04, wanted 0.05.", "Enough labels"),
        (look(0.1, 10), "About 10 more items", "the 20 items still open here would bring ± 0.05"),
        (look(0.1, None, why="out of reach"), "no plan for a half-width of 0.05: out of reach", "cannot be"),
        (look(None, None, why="6 items; an interval needs at least 10"), "Not enough yet", "Too early"),
    ],
    ids=["more than are left", "enough", "as many as are left", "no plan", "no interval"],
)
def test_one_look_tells_whether_more_labelling_is_worth_it(
    one: PrecisionOutlook, says: str, then: str
) -> None:
    assert says in outlook_text(one)
    assert then in verdict(state(), [one])
    assert "40 of 60 items are filled to 3 judgements" in str(summary_view(state(), [one]))


def test_the_plot_says_in_words_what_it_shows_and_all_plots_begin_at_one_place() -> None:
    below = look(0.1, 5, low=-0.13)
    assert axis_start([below, look(0.1, 5)]) == -0.2
    assert axis_start([look(0.1, 5)]) == 0
    assert axis_start([]) == 0
    drawn = str(interval_plot("Alpha", 0.5, (0.4, 0.6), 0.0))
    assert 'aria-label="Alpha 0.50, 95 % interval 0.400 to 0.600, on a line from 0 to 1"' in drawn
    # 0.5 is the middle of 220 units.
    assert 'cx="110.0"' in drawn
    assert "<script" not in str(interval_plot("<script>", 0.5, None, 0.0))


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
    choice, look_, page = handlers.load(SOMEBODY)
    assert choice["studies"] == [{"name": "<b>ward", "status": "open"}]
    assert (choice["chosen"], choice["saved"]) == ("<b>ward", 20 * 3 * 2)
    assert "simulated: these labels were made by scripted stand-ins" in look_
    assert "Agreement in &lt;b&gt;ward" in look_
    assert "17 of 17 items are filled to 3 judgements" in look_
    with reading(labelled) as session:
        printed = load_study_agreement(session, "<b>ward", details=True).agreement
    for layer in printed.layers:
        assert layer.result is not None
        section = page.split(f'data-layer="{layer.name}"')[1].split("</section>")[0]
        for one in layer.result.coefficients:
            cells = f"<td>{one.name}</td><td>{value_text(one)}</td><td>{interval_text(one) or '–'}</td>"
            assert cells in section


def test_figures_are_made_anew_only_after_a_judgement(
    engine: Engine, annotators: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers = AgreementHandlers(Store(engine))
    choice, *page = handlers.load(SOMEBODY)
    monkeypatch.setattr(
        "clinicnum.ui.pages.agreement.page.load_labels", lambda *_, **__: pytest.fail("nothing has changed")
    )
    assert handlers.refresh(choice, SOMEBODY) == (choice, *page)
    assert handlers.check(choice, SOMEBODY)["now"] == choice["saved"] == 0
    monkeypatch.undo()
    submit(engine, annotators["ann"], first(engine, annotators["ann"]), FAILURE)
    assert handlers.check(choice, SOMEBODY)["now"] == 1
    again, *fresh = handlers.refresh(choice, SOMEBODY)
    assert again["saved"] == 1
    assert fresh != page


def test_every_part_is_there_and_its_figures_are_the_reports(labelled: Engine) -> None:
    handlers = AgreementHandlers(Store(labelled))
    asked = {"chosen": "<b>ward"}
    with reading(labelled) as session:
        report = annotators_section(StudyView(load_study_tables(session, "<b>ward")))
    for key in PARTS:
        shown, page = handlers.part(asked, {"part": key}, SOMEBODY)
        assert shown == {"shown": key}
        assert "simulated:" in page
        assert 'role="alert"' not in page
    for key, table_id in (("others", "annotators_against_others"), ("drift", "annotators_drift")):
        (table,) = (one for one in report.tables if one.id == table_id)
        assert str(report_table(table)) in handlers.part(asked, {"part": key}, SOMEBODY)[1]
    assert "n = 17" in handlers.part(asked, {"part": "pairs"}, SOMEBODY)[1]
    assert "51 in all" in handlers.part(asked, {"part": "confusion"}, SOMEBODY)[1]
    assert "Annotators on control items" in handlers.part(asked, {"part": "controls"}, SOMEBODY)[1]
    assert "no generation was judged again" in handlers.part(asked, {"part": "repeats"}, SOMEBODY)[1]
    assert "Items for ±0.07" in handlers.part(asked, {"part": "planner", "half_width": 0.07}, SOMEBODY)[1]


HOSTILE: tuple[tuple[Any, Any], ...] = (
    (None, {"part": "pairs"}),
    ("x", {"part": "pairs"}),
    ({"chosen": ["a"]}, {"part": "pairs"}),
    ({"chosen": "' OR 1=1"}, {"part": "pairs"}),
    ({"chosen": "six"}, None),
    ({"chosen": "six"}, {"part": "__class__"}),
    *(({"chosen": "six"}, {"part": "planner", "half_width": one}) for one in (0, -1, "x", True, 9e9)),
)


def test_a_hostile_request_gets_one_line(engine: Engine, annotators: dict[str, str]) -> None:
    handlers = AgreementHandlers(Store(engine))
    for choice, request in HOSTILE:
        _, page = handlers.part(choice, request, SOMEBODY)
        assert 'role="alert"' in page, (choice, request)
        assert "\n" not in page, (choice, request)
        assert handlers.check(choice, SOMEBODY)["now"] in (None, 0), choice
        assert len(handlers.show(choice, SOMEBODY)) == 5, choice


def test_a_study_without_a_judgement_says_why_everywhere(engine: Engine, annotators: dict[str, str]) -> None:
    handlers = AgreementHandlers(Store(engine))
    _, page, layers = handlers.load(SOMEBODY)
    assert "Too early to say: go on labelling." in page
    assert "Undefined: no judgement yet." in layers
    for key in (*PARTS, "planner"):
        _, part = handlers.part({"chosen": "six"}, {"part": key, "half_width": 0.05}, SOMEBODY)
        assert 'role="status"' in part


def test_without_a_study_the_page_says_how_to_make_one(engine: Engine) -> None:
    choice, page, _ = AgreementHandlers(Store(engine)).load(SOMEBODY)
    assert choice["studies"] == []
    assert "clinicnum study create" in page
