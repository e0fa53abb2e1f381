"""Answers to one question in several orders of its options: consistency and robust accuracy."""

import pytest

from clinicnum.robustness import join, robustness
from clinicnum.robustness.option_order import chosen
from clinicnum.types import Generation, Instance, Score
from tests.clinicnum.answering import instance, scored

FOUR = ("110", "88", "50", "111")


def _five(number: int, texts: tuple[str | None, ...]) -> list[tuple[Instance, Generation, Score]]:
    """Five orders of one question (gold 110), answered with these contents as letters; None is unparsed."""
    found = []
    for order, text in enumerate(texts, start=1):
        options = FOUR[order % 4 :] + FOUR[: order % 4]
        one = instance(
            100 * number + order,
            variant=f"options.shuffle.{order}",
            base_id=f"b{number}",
            expected="same",
            options=options,
            answer_type="choice",
            scoring="choice",
            subject_id=f"s{number}",
        )
        letter = None if text is None else "ABCD"[options.index(text)]
        found.append((one, *scored(one, right=text == "110", parsed=letter)))
    return found


def test_consistency_and_robust_accuracy_over_five_orders() -> None:
    questions = [
        _five(1, ("110",) * 5),  # consistent and right
        _five(2, ("88",) * 5),  # consistent and wrong
        _five(3, ("110", "110", "110", "110", "88")),  # neither
        _five(4, ("88", "88", None, "88", "88")),  # unparsed is inconsistent
        _five(5, (None,) * 5),
        _five(6, ("110",) * 4),  # an order is missing
    ]
    asked = {one.instance_id: one for five in questions for one, _, _ in five}
    made = [(g, s) for five in questions for _, g, s in five]
    run = join("m", asked, *zip(*made, strict=True))
    (row,) = robustness([run], rerun=run).models[0].options
    assert (row.kind, row.consistency.n, row.n_incomplete) == ("options.shuffle", 5, 1)
    assert (row.consistency.value, row.robust_accuracy.value) == (0.4, 0.2)
    assert row.accuracy.value == pytest.approx(9 / 25)
    assert row.rerun_consistency.value == pytest.approx(3 / 5)  # what is unparsed is not the same again
    assert sum(row.places) == 19
    assert robustness([run]).models[0].flips == ()


@pytest.mark.parametrize(
    ("parsed", "place"),
    [("B", 1), ("b", 1), (" D ", 3), ("E", None), ("88", 1), ("88.0", 1), ("12", None), (None, None)],
)
def test_an_option_is_chosen_by_letter_or_content(parsed: str | None, place: int | None) -> None:
    assert chosen(instance(options=FOUR), parsed) == place
