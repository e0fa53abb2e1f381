"""Exact numbers, and distractors and workings derived by hand."""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.questions.ask_question import PreparedTemplate, Question, RenderedRecords, ask
from clinicnum.templates.bank import load_bank
from clinicnum.templates.evaluate_tree import evidence
from clinicnum.templates.exact_numbers import equals_text, exact_text, is_tie, rounded_text
from clinicnum.templates.worked_solution import worked_solution
from clinicnum.types import Record

BANK = {template.id: template for template in load_bank()}


@given(st.decimals(-9999, 9999, places=4), st.integers(0, 3))
def test_rounding_agrees_with_decimals_half_up(value: Decimal, decimals: int) -> None:
    expected = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    if expected == 0:
        expected = abs(expected)
    assert rounded_text(Fraction(value), decimals) == f"{expected:f}"


@given(st.fractions(-1000, 1000, max_denominator=5000), st.integers(0, 3))
def test_rounding_is_within_half_a_digit_and_ties_are_known(value: Fraction, decimals: int) -> None:
    off = abs(Fraction(rounded_text(value, decimals)) - value) * 10**decimals
    assert off <= Fraction(1, 2)
    assert is_tie(value, decimals) == (off == Fraction(1, 2))


@given(st.fractions(max_denominator=10**6))
def test_exact_text_loses_nothing(value: Fraction) -> None:
    assert Fraction(exact_text(value)) == value


def test_what_an_equation_shows() -> None:
    assert equals_text((10, 16)) == "= 0.625"
    assert equals_text((32, 3)) == "≈ 10.666667"


def series(**values: list[int]) -> list[Record]:
    size = len(next(iter(values.values())))
    return [
        Record(
            subject_id="a",
            stay_id="b",
            charttime=datetime(2150, 1, 1) + timedelta(hours=i),
            source="t",
            **{vital: column[i] for vital, column in values.items()},
        )
        for i in range(size)
    ]


def asked(template_id: str, filling: dict[str, int | str], **values: list[int]) -> Question:
    return ask(PreparedTemplate.of(BANK[template_id]), RenderedRecords.of(series(**values), 0), filling)


def mistakes(question: Question) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for item in question.mistakes.items:
        found.setdefault(item.code, set()).add(item.value)
    return found


def test_mistakes_of_a_mean_arterial_pressure() -> None:
    question = asked("arithmetic.map", {"time": 1}, sbp_mmhg=[110, 125, 140], dbp_mmhg=[60, 75, 90])
    assert question.gold.text == "91.7"  # (125 - 75) / 3 + 75 = 91.67
    assert mistakes(question) == {
        # (110 - 60) / 3 + 60 = 76.67 and (140 - 90) / 3 + 90 = 106.67
        "contextual_inconsistency.wrong_record": {"76.7", "106.7"},
        # (125 + 75) / 2; 125 - 50 / 3 = 108.33; (50 + 75) / 3 = 41.67
        "causal_reasoning.wrong_formula": {"100.0", "108.3", "41.7"},
        # + 75 left out: 16.67; / 3 left out: 125; - 75 left out: 125 / 3 + 75 = 116.67; only the last: 75
        "omission.missed_step": {"16.7", "75.0", "125.0", "116.7"},
    }
    assert question.flags == ()


def test_mistakes_of_a_first_crossing() -> None:
    rates = [100, 90, 101, 95, 130]
    question = asked("comparison.first_above.heart_rate", {}, heart_rate_bpm=rates)
    assert question.gold.text == "2150-01-01 02:00:00"
    assert mistakes(question) == {
        "omission.missed_record": {"2150-01-01 04:00:00"},
        "contextual_inconsistency.wrong_record": {"2150-01-01 04:00:00"},
        "causal_reasoning.wrong_comparator": {"2150-01-01 00:00:00", "2150-01-01 01:00:00"},
    }


def test_premature_rounding_before_a_threshold() -> None:
    # 74 / 100 = 0.74 counts; rounded to 0.7 it would not. 71 / 100 likewise; 90 / 100 counts either way.
    rates, pressures = [74, 71, 90, 50], [100] * 4
    question = asked("aggregation.shock_index_above_0_7", {}, heart_rate_bpm=rates, sbp_mmhg=pressures)
    assert question.gold.text == "3"
    assert "1" in mistakes(question)["causal_reasoning.premature_rounding"]
    assert mistakes(question)["omission.missed_record"] == {"2"}


def test_a_question_that_a_misreading_answers_too_is_flagged() -> None:
    assert asked("retrieval.heart_rate", {"time": 0}, heart_rate_bpm=[80, 80]).flags == (
        "distractor_equals_gold",
    )
    assert asked("retrieval.heart_rate", {"time": 0}, heart_rate_bpm=[80, 81]).flags == ()


FLAGGED = {
    "crossing_at_first_record": ("comparison.first_above.heart_rate", [120, 90, 110]),
    "count_zero": ("aggregation.tachycardia", [90, 90]),
    "count_all_records": ("aggregation.tachycardia", [110, 110]),
}


@pytest.mark.parametrize(("flag", "case"), FLAGGED.items())
def test_what_does_not_discriminate(flag: str, case: tuple[str, list[int]]) -> None:
    assert flag in asked(case[0], {}, heart_rate_bpm=case[1]).flags


def cells(question: Question) -> list[tuple[int, str]]:
    found = evidence(question.asked.template.tree, question.case, question.gold)
    return [(cell.record, cell.vital) for cell in found]


def test_evidence_is_what_the_answer_rests_on() -> None:
    pressures = {"sbp_mmhg": [110, 125], "dbp_mmhg": [60, 75]}
    assert cells(asked("arithmetic.map", {"time": 1}, **pressures)) == [(1, "sbp_mmhg"), (1, "dbp_mmhg")]
    rates = {"heart_rate_bpm": [90, 101, 120]}
    first = asked("comparison.first_above.heart_rate", {}, **rates)
    assert cells(first) == [(0, "heart_rate_bpm"), (1, "heart_rate_bpm")]
    assert len(cells(asked("comparison.highest.heart_rate", {}, **rates))) == 3
    breaths = asked("arithmetic.mean_resp_rate", {"which": "latest"}, resp_rate_bpm=[12, 14, 19])
    assert (breaths.gold.text, cells(breaths)) == ("16.5", [(1, "resp_rate_bpm"), (2, "resp_rate_bpm")])


def test_a_working_in_words() -> None:
    question = asked("arithmetic.hr_change", {"earlier": 0, "later": 1}, heart_rate_bpm=[76, 62])
    assert worked_solution(question.asked.template.tree, question.case, question.gold) == (
        "At 2150-01-01 01:00:00: heart rate 62 bpm.",
        "At 2150-01-01 00:00:00: heart rate 76 bpm.",
        "62 - 76 = -14.",
        "(-14) / 76 ≈ -0.184211.",
        "(-0.184211) x 100 ≈ -18.421053.",
        "With 2 decimals: -18.42.",
    )


def test_a_line_with_a_rounded_operand_is_not_an_equation() -> None:
    # (-3)/128 = -0.0234375 is shown as -0.023438, and -0.023438 x 100 is not -2.34375
    rounded = (-3, 128)
    assert equals_text((-300, 128), operands=(rounded, (100, 1))) == "≈ -2.34375"
    assert equals_text((40, 1), operands=((106, 1), (66, 1))) == "= 40"
