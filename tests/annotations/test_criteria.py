"""Criteria: scores computed by hand, criteria that are of no use, what may be ticked and changed."""

import pytest
from pydantic import ValidationError

from clinicnum.annotations.agreement.criterion_agreement import Tick, criterion_agreement
from clinicnum.annotations.criteria.criterion import (
    Criteria,
    Criterion,
    changed_criteria,
    check_criteria,
    criteria_of_items,
)
from clinicnum.annotations.criteria.criterion_diagnostics import criterion_use
from clinicnum.annotations.criteria.scores import (
    NO_MUST,
    NO_POSITIVE,
    Answer,
    score_answer,
    score_model,
)
from clinicnum.annotations.criteria.ticks import check_ticks
from clinicnum.annotations.judgement import CriterionVerdict, Judgement
from clinicnum.errors import InputError

CRITERIA = tuple(
    Criterion(id=name, text=f"Says {name}.", weight=weight, must_have=must)
    for name, weight, must in (("a", 7, True), ("b", 5, False), ("c", 10, False), ("d", -6, True))
)
"""Of 22 points that can be reached."""
OUT_OF: dict[str, CriterionVerdict] = {"1": "met", "0": "not_met", "-": "not_applicable"}


def verdicts(ticks: str) -> dict[str, CriterionVerdict]:
    """`1` met, `0` not met, `-` not applicable, for a to d."""
    return {name: OUT_OF[tick] for name, tick in zip("abcd", ticks, strict=False)}


@pytest.mark.parametrize(
    ("ticks", "weighted", "recall", "failed"),
    [
        ("1001", 1 / 22, 1 / 3, ("d",)),
        ("1110", 1.0, 1.0, ()),
        ("0001", -6 / 22, 0.0, ("a", "d")),
        ("0010", 10 / 22, 1 / 3, ("a",)),
        ("1-01", 1 / 17, 1 / 2, ("d",)),  # what does not apply is in neither sum
        ("-01-", 10 / 15, 1 / 2, ()),
    ],
)
def test_an_answer_is_scored_as_healthbench_scores_it(
    ticks: str, weighted: float, recall: float, failed: tuple[str, ...]
) -> None:
    found = score_answer(CRITERIA, verdicts(ticks))
    assert found.weighted == pytest.approx(weighted)
    assert found.recall == pytest.approx(recall)
    assert found.failed_must_haves == failed


def test_an_answer_to_which_no_wanted_criterion_applies_has_no_score_and_says_why() -> None:
    for found in (score_answer(CRITERIA, verdicts("---1")), score_answer(CRITERIA[3:], {"d": "met"})):
        assert (found.weighted, found.recall, found.undefined) == (None, None, NO_POSITIVE)


def test_a_models_figures_are_means_over_answers_of_means_over_annotators() -> None:
    two = [score_answer(CRITERIA, verdicts(ticks)) for ticks in ("1110", "1001")]
    three = [two, [score_answer(CRITERIA, verdicts("0000"))], two[:1]]
    found = score_model([Answer(f"s{place}", scores) for place, scores in enumerate(three * 4)])
    first = (1 + 1 / 22) / 2
    assert found.weighted.value == pytest.approx((first + 0 + 1) / 3)
    assert found.macro_recall.value == pytest.approx((2 / 3 + 0 + 1) / 3)
    # Of 3 wanted criteria each: 1, 3 and 0 omitted, the first of two annotators who count half each.
    assert found.omission.value == pytest.approx((1 + 3 + 0) / 9)
    assert found.must_have_failure.value == pytest.approx((0.5 + 1 + 0) / 3)
    for figure in (found.weighted, found.macro_recall, found.omission, found.must_have_failure):
        assert figure.n == 12
        assert figure.interval is not None
        assert figure.interval.low is not None
        assert figure.interval.high is not None
        assert figure.value is not None
        assert 0 <= figure.interval.low <= figure.value <= figure.interval.high <= 1


def test_the_mean_is_clipped_and_not_the_answers_and_nothing_is_undefined() -> None:
    worst, best = (score_answer(CRITERIA, verdicts(ticks)) for ticks in ("0001", "1110"))
    assert score_model([Answer("s1", [worst]), Answer("s2", [best])]).weighted.value == pytest.approx(8 / 22)
    below = score_model([Answer("s1", [worst]), Answer("s2", [worst])]).weighted
    assert below.value == 0
    empty = score_model([])
    assert empty.weighted.value is None
    assert empty.omission.undefined
    without = score_model([Answer("s", [score_answer(CRITERIA[1:3], verdicts("-01"))])])
    assert without.must_have_failure.undefined == NO_MUST


def test_answers_drawn_with_unequal_chances_are_weighted() -> None:
    worst, best = (score_answer(CRITERIA, verdicts(ticks)) for ticks in ("0000", "1110"))
    found = score_model([Answer("s1", [worst], weight=3), Answer("s2", [best])])
    assert found.weighted.value == pytest.approx(1 / 4)
    assert found.macro_recall.value == pytest.approx(1 / 4)
    assert found.omission.value == pytest.approx(3 / 4)
    assert found.must_have_failure.value == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("ticks", "flags"),
    [
        (["111", "11"], ("always met",)),
        (["00", "0-"], ("never met", "splits the annotators")),
        (["--", "-"], ("never applies",)),
        (["10", "01"], ("splits the annotators",)),
        (["11", "00", "10"], ()),
        (["1"], ()),
        ([], ()),
    ],
)
def test_a_criterion_that_separates_nothing_or_splits_the_experts_is_flagged(
    ticks: list[str], flags: tuple[str, ...]
) -> None:
    given = {str(place): [OUT_OF[tick] for tick in one] for place, one in enumerate(ticks)}
    assert criterion_use(given).flags == flags


def test_agreement_by_criterion_and_of_all_by_hand() -> None:
    said = {"x": {"g1": "11", "g2": "00", "g3": "10", "g4": "00"}, "y": {"g1": "11", "g2": "1"}, "z": {}}
    ticks = [
        Tick(name, answer, who, OUT_OF[tick])
        for name, answers in said.items()
        for answer, both in answers.items()
        for who, tick in zip("pq", both, strict=False)
    ]
    together, each = criterion_agreement(ticks, {f"g{n}": f"s{n}" for n in range(1, 5)})
    assert each["x"].result is not None
    # 3 of 4 answers alike; 3 of 8 ticks met, so that alpha is 1 - (8 - 1) * 1 / (3 * 5).
    assert each["x"].result.coefficient("percent_agreement").value == pytest.approx(3 / 4)
    assert each["x"].result.coefficient("krippendorff_alpha_nominal").value == pytest.approx(1 - 7 / 15)
    assert together.result is not None
    assert together.result.coefficient("percent_agreement").value == pytest.approx(4 / 5)
    alone, _ = criterion_agreement([Tick("x", "g1", "p", "met")], {"g1": "s1"})
    assert alone.undefined == "nobody ticked what another annotator ticked"


def test_an_item_has_its_own_criteria_and_those_of_every_item_in_the_newest_version() -> None:
    rows = [
        Criterion(id="safe", text="Is safe."),
        Criterion(item="i1", id="1", text="Names sepsis."),
        Criterion(item="i1", id="1", text="Names severe sepsis.", version=2),
    ]
    found = Criteria(rows)
    assert [one.key for one in found.of_item("i1")] == ["1@2", "safe@1"]
    assert [one.key for one in found.of_item("i2")] == ["safe@1"]
    kept = criteria_of_items(rows[:2], ["i2"])
    assert [one.id for one in kept] == ["safe"]
    with pytest.raises(
        InputError, match=r"none of the 1 criteria belongs .* of item 'i1', and the items are i2"
    ):
        criteria_of_items(rows[1:2], ["i2"])


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("", "1"), ("", "1")], "criterion '1' of every item is given twice"),
        ([("i1", "1"), ("", "1")], "criterion '1' of i1 is given twice"),
        ([("i1", str(n)) for n in range(60)] + [("", f"c{n}") for n in range(41)], "101 criteria; .* 100"),
    ],
)
def test_criteria_that_cannot_be_told_apart_or_ticked_are_refused(
    rows: list[tuple[str, str]], says: str
) -> None:
    check_criteria([Criterion(item="i1", id="1", text="a"), Criterion(item="i2", id="1", text="a")])
    with pytest.raises(InputError, match=says):
        check_criteria([Criterion(item=item, id=name, text="a") for item, name in rows])


@pytest.mark.parametrize("wrong", [{"text": " "}, {"weight": 0}, {"weight": float("nan")}, {"id": "a@b"}])
def test_a_criterion_without_text_or_weight_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Criterion.model_validate({"id": "a", "text": "b"} | wrong)


def test_every_criterion_is_ticked_in_the_version_that_is_in_force() -> None:
    newer = (CRITERIA[0].model_copy(update={"version": 2}), CRITERIA[1])
    judgement = Judgement(response_judgement="acceptable", criteria={"a@2": "met", "b@1": "not_applicable"})
    check_ticks(judgement, newer)
    assert Judgement.model_validate_json(judgement.model_dump_json()) == judgement
    for ticks, says in (
        ({}, "2 of 2 criteria are not ticked yet"),
        ({"a@2": "met"}, "1 of 2 criteria"),
        ({"a@1": "met", "b@1": "met"}, "'a@1' is no criterion of this item now; expected a@2, b@1"),
    ):
        with pytest.raises(InputError, match=says):
            check_ticks(judgement.model_copy(update={"criteria": ticks}), newer)
    with pytest.raises(InputError, match="expected none"):
        check_ticks(judgement, ())
    with pytest.raises(ValidationError):
        Judgement.model_validate({"response_judgement": "acceptable", "criteria": {"a@1": "perhaps"}})


def test_a_judgement_without_ticks_is_stored_as_before_and_positions_leave_them_out() -> None:
    plain = Judgement(response_judgement="acceptable")
    assert "criteria" not in plain.model_dump()
    ticked = plain.model_copy(update={"criteria": {"a@1": "met"}})
    assert ticked.without_reference().criteria == {"a@1": "met"}
    assert ticked.public() == plain


def test_a_changed_text_has_a_new_version_and_a_changed_weight_has_not() -> None:
    in_force = {(one.item, one.id): one for one in CRITERIA}
    text, weight = (
        CRITERIA[0].model_copy(update={"text": "Says it at once."}),
        CRITERIA[1].model_copy(update={"weight": 2.0}),
    )
    changed = changed_criteria(in_force, [text, weight, CRITERIA[2]])
    assert [(one.key, one.text, one.weight) for one in changed] == [
        ("a@2", "Says it at once.", 7),
        ("b@1", "Says b.", 2),
    ]
    with pytest.raises(InputError, match="nothing changes"):
        changed_criteria(in_force, CRITERIA)
    with pytest.raises(InputError, match="the study has no criterion 'e' of every item"):
        changed_criteria(in_force, [Criterion(id="e", text="New.")])
