"""What the agreement page adds to the report: control items, confused labels, and whether to go on."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from clinicnum.annotations.agreement import Rating, agreement
from clinicnum.annotations.agreement.study_agreement import Layer
from clinicnum.annotations.consensus import settle
from clinicnum.annotations.feedback_to_annotator import Outcome, differences, outcome_of
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.reliability.confusion import confusion
from clinicnum.annotations.reliability.control_items import against_references
from clinicnum.annotations.reliability.need_for_more_labels import outlook
from clinicnum.annotations.reliability.sample_size_planner import Plan
from clinicnum.annotations.types import Annotation

FINE = Judgement(item_judgement="valid", response_judgement="acceptable")


def failure(code: str = "omission", severity: str = "2", **more: Any) -> Judgement:
    return Judgement.model_validate(
        {
            "item_judgement": "valid",
            "response_judgement": "failure",
            "labels": [{"code": code, "primary": True}],
            "severity": severity,
            **more,
        }
    )


def annotation(
    judgement: Judgement, *, who: str = "A1", item: str = "g0", revision: int = 1, **more: Any
) -> Annotation:
    return Annotation(
        **judgement.model_dump(),
        annotation_id=f"{who} {item} {revision}",
        study_id="s",
        generation_id=item,
        annotator_id=who,
        annotator_kind="human",
        revision=revision,
        taxonomy_version="1",
        guideline_version="1",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        **more,
    )


# ---------- control items


def test_the_share_right_is_counted_from_the_last_complete_control_judgement() -> None:
    references = {f"g{n}": failure("omission.missed_record") for n in range(12)}
    subjects = {f"g{n}": f"s{n % 6}" for n in range(12)}
    given = [annotation(failure("hallucination"), item=f"g{n}", round="control") for n in range(12)]
    # Nine are corrected to the reference's class; a last one that is incomplete does not count.
    given += [annotation(failure(), item=f"g{n}", revision=2, round="control") for n in range(9)]
    blind = Judgement(item_judgement="valid", response_judgement="failure")
    given += [annotation(blind, item="g0", revision=3, round="control")]
    given += [annotation(FINE, item=f"g{n}", who="A2", round="control") for n in range(3)]
    # Neither another round nor a judgement with a suggestion in sight counts.
    given += [annotation(FINE, item="g1", revision=9, round="main")]
    given += [annotation(FINE, item="g2", revision=9, round="control", suggestion_shown=True)]
    first, second = against_references(given, references, subjects)
    assert (first.annotator, first.response.value, first.primary.value) == ("A1", 1.0, 9 / 12)
    assert first.primary.interval.low is not None
    assert 0 < first.primary.interval.low < 0.75 < (first.primary.interval.high or 0) < 1
    assert first.confusion == {("omission", "omission"): 9, ("omission", "hallucination"): 3}
    assert (second.response.value, second.primary.value, second.response.n) == (0.0, 0.0, 3)
    assert second.confusion == {("omission", "none"): 3}
    assert second.response.interval.undefined == "3 subjects; an interval needs at least 5"


def test_without_a_control_judgement_there_is_no_row() -> None:
    assert against_references([annotation(FINE)], {}, {"g0": "s"}) == ()


# ---------- confused labels


def test_two_annotators_confuse_as_an_independent_confusion_matrix_says() -> None:
    rng = np.random.default_rng(4)
    names = ("a", "b", "c")
    one, other = (rng.choice(names, 200) for _ in range(2))
    found = confusion({f"i{n}": {"X": str(one[n]), "Y": str(other[n])} for n in range(200)})
    directed = confusion_matrix(one, other, labels=names)
    both = directed + directed.T
    for row, a in enumerate(names):
        for column, b in enumerate(names):
            assert found.between(a, b) == (directed[row, row] if a == b else both[row, column])
    assert found.total == 200


def test_three_annotators_of_an_item_make_three_pairs() -> None:
    # a a b: one pair alike, two apart; a single label makes none.
    found = confusion({"i": {"X": "a", "Y": "b", "Z": "a"}, "j": {"X": "c"}})
    assert found.pairs == {("a", "a"): 1, ("a", "b"): 2}
    assert found.most_frequent(5) == (("a", "b", 2),)
    assert found.between("b", "a") == 2
    assert found.between("a", "c") == 0


# ---------- whether to go on


def layer_of(items: int, agree_every: int = 4, *, name: str = "primary") -> Layer:
    ratings = [
        Rating(f"i{n}", who, "xy"[n % 2] if who == "A" or n % agree_every else "xy"[1 - n % 2])
        for n in range(items)
        for who in ("A", "B")
    ]
    result = agreement(ratings, scale="nominal", categories=["x", "y"])
    return Layer(name=name, title="T", conditional=False, result=result)


def test_a_narrow_interval_asks_for_nothing_and_no_plan_is_made() -> None:
    made = outlook(layer_of(4000), plan=lambda: pytest.fail("not needed"))
    assert (made.more, made.why) == (0, None)
    assert made.half_width is not None
    assert made.half_width < 0.05


def test_a_wide_interval_asks_for_what_the_planner_says_or_the_law() -> None:
    layer = layer_of(100)
    planned = Plan(2, 0.05, 0.2, 900, 900, 0.05)
    made = outlook(layer, plan=lambda: planned)
    assert (made.more, made.planned) == (900 - 100, True)
    by_law = outlook(layer)
    assert by_law.half_width is not None
    # Half the width takes four times the items, so three times as many more.
    assert outlook(layer, wanted=by_law.half_width / 2).more in (300, 301)
    without = outlook(layer, plan=lambda: replace(planned, items=None, undefined="out of reach"))
    assert (without.more, without.why) == (None, "out of reach")
    assert outlook(layer, plan=lambda: replace(planned, items=90)).more == 0


def test_too_few_items_say_what_an_interval_needs() -> None:
    made = outlook(layer_of(6))
    assert (made.half_width, made.more) == (None, None)
    assert made.why == "6 items; an interval needs at least 10"


def test_a_layer_without_a_result_says_why() -> None:
    made = outlook(Layer(name="x", title="X", conditional=False, result=None, undefined="no judgement yet"))
    assert (made.figure, made.why) == (None, "no judgement yet")


# ---------- where the decision is another


def three(*judgements: Judgement) -> list[Annotation]:
    return [annotation(one, who=f"A{n}") for n, one in enumerate(judgements)]


def decided_on(group: list[Annotation], decision: Judgement | None) -> Outcome:
    (settled,) = settle({"g0": group})
    return outcome_of(settled, decision)


def test_against_a_majority_only_what_differs_is_named() -> None:
    decided = decided_on(three(failure(), failure(), failure("hallucination")), None)
    (found,) = differences(failure("hallucination"), decided)
    assert (found.what, found.own, found.decided) == ("primary", "hallucination", "omission")
    assert differences(failure("omission.missed_record"), decided) == ()


def test_where_there_is_no_majority_nothing_differs() -> None:
    decided = decided_on(three(failure(), failure("hallucination")), None)
    assert decided.primary is None
    assert differences(failure(), decided) == ()


def test_an_adjudicator_goes_before_the_majority() -> None:
    group = three(failure(), failure(), FINE)
    decided = decided_on(group, FINE)
    assert decided.adjudicated
    whats = [one.what for one in differences(failure(), decided)]
    assert whats == ["response", "primary"]
    assert differences(FINE, decided) == ()


@pytest.mark.parametrize(
    ("own", "decided", "differs"),
    [("2", "3", False), ("1", "3", True), ("not_applicable", "1", True), ("2", "2", False)],
    ids=["by one level", "by two levels", "a level against not applicable", "the same"],
)
def test_severities_differ_from_two_levels_on(own: str, decided: str, differs: bool) -> None:
    came_to = decided_on(three(FINE), failure(severity=decided))
    found = [one.what for one in differences(failure(severity=own), came_to)]
    assert found == (["severity"] if differs else [])
