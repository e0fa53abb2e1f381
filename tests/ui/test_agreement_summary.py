"""What the agreement page says in sentences: how far annotators agree, and whether that is precise enough."""

from dataclasses import replace

import pytest

from clinicnum.annotations.agreement import CoefficientValue, Rating, agreement
from clinicnum.annotations.agreement.annotation_selection import KNOWN
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.agreement.types import Exclusion
from clinicnum.annotations.reliability.need_for_more_labels import PrecisionOutlook
from clinicnum.annotations.report.plots import draw
from clinicnum.db.work.studies.labels_for_agreement import StudyState
from clinicnum.ui.pages.agreement import view
from clinicnum.ui.pages.agreement.summary_sentences import agreement_heading, in_words, precision_verdict


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
    response, primary = layer_of("response_judgement", "xx yy"), layer_of("primary", half)
    assert agreement_heading([response, primary, layer_of("item_judgement", "xy yx")]) == (
        "Annotators agree on “response_judgement” in 100 % of pairs of labels (mean over 2 items), on "
        "“primary” in 50 % (mean over 4 items)."
    ), "blind judgements can be of fewer items than the classes, and the heading says so"
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
