"""Recall over answer points: what is found, what is missed, and the mean over items."""
# ruff: noqa: E501 -- a row of a table is one line, a quotation is whole

import pytest

from clinicnum.scoring.answer_point_recall import PointRecall, macro_recall, recall_of
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.answers import texts

CHECKLIST = instance(
    points=(
        {"id": "values", "text": "State each value.", "value": "2180-05-10 09:12:30: heart rate 110"},
        {"id": "working", "text": "Show each step.", "value": "(120 - 80)/3 = 13.333, 13.333 + 80 = 93.333"},
        {"id": "answer", "text": "Give the answer.", "value": "93.3"},
    )
)


@pytest.mark.parametrize(
    ("gold", "text", "found", "recall"),
    [
        (texts.SHOCK, "1.5", ("index",), 0.25),
        (texts.SHOCK, "1.5 and noradrenaline", ("index", "drug"), 0.5),
        (texts.SHOCK, "", (), 0.0),
        (CHECKLIST, "At 09:12 it was 110.", ("values",), 1 / 3),
        (CHECKLIST, "It was 110.", (), 0.0),
        (CHECKLIST, "(120 - 80)/3 = 13.33 and 13.33 + 80 = 93.33", ("working", "answer"), 2 / 3),
        (CHECKLIST, "1. 110 at 09:12\n2. (120 - 80)/3 + 80 = 13.3 + 80\n3. 93.3", ("values", "working", "answer"), 1.0),
    ],
)  # fmt: skip
def test_recall(gold: Instance, text: str, found: tuple[str, ...], recall: float) -> None:
    result = recall_of(gold, generation(text, of=gold))
    assert result.found == found
    assert set(result.missed) == {point.id for point in gold.points} - set(found)
    assert result.recall == pytest.approx(recall)


def test_a_point_that_is_looked_for_by_its_words_is_named() -> None:
    assert recall_of(texts.SHOCK, generation("x", of=texts.SHOCK)).by_words == ("meaning",)
    assert recall_of(CHECKLIST, generation("x", of=CHECKLIST)).by_words == ()


def test_without_points_recall_is_undefined_and_says_so() -> None:
    result = recall_of(instance(), generation("110"))
    assert (result.recall, result.undefined) == (None, "the item has no answer points")


def test_macro_recall_counts_each_item_once() -> None:
    """Items of 1, 0.5 and 0: mean 0.5, one of three complete; the item without points is left out."""
    of_four = PointRecall(("a", "b", "c", "d"), (), (), 1.0)
    half = PointRecall(("a",), ("b",), (), 0.5)
    none = PointRecall((), ("a",), (), 0.0)
    undefined = PointRecall((), (), (), None, "the item has no answer points")
    found = macro_recall([(instance(i), one) for i, one in enumerate((of_four, half, none, undefined))])
    assert (found.n, found.n_undefined, found.recall) == (3, 1, pytest.approx(0.5))
    assert found.complete == pytest.approx(1 / 3)
    assert found.interval is not None
    assert found.interval.undefined == "3 subjects; an interval needs at least 5"


def test_macro_recall_has_an_interval_by_subject() -> None:
    """12 items of 6 subjects (i % 6), 1 where i % 6 is below 3: subject means 1, 1, 1, 0, 0, 0.

    The jackknife of a mean of 6 equal clusters has SE s / sqrt(6), s the deviation of the subject means with
    n - 1: s = sqrt(6 x 0.25 / 5) = 0.5477, SE 0.2236; t(5) = 2.5706: 0.5 +- 0.5748, clipped to 0 and 1.
    """
    full, none = PointRecall(("a",), (), (), 1.0), PointRecall((), ("a",), (), 0.0)
    found = macro_recall([(instance(i), full if i % 6 < 3 else none) for i in range(12)])
    assert found.interval is not None
    assert found.interval.se == pytest.approx(0.2236, abs=1e-4)
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


def test_macro_recall_of_nothing_is_undefined() -> None:
    assert macro_recall([]).recall is None
