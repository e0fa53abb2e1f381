"""The right answer of every variant again, by the solver that knows the templates' published meaning only."""

import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from clinicnum.records.vitals import VITAL_SIGNS
from clinicnum.types import Instance
from clinicnum.validity.context_reader import read
from tests.clinicnum.solver import Row, asked_decimals, rounded, solve
from tests.clinicnum.test_variants import KINDS
from tests.clinicnum.varying import pairs

ANSWERED = [name for name in KINDS if name not in ("missing.masked", "chain.extra_step")]


def line_of(made: Instance) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(made.model_dump_json())
    return loaded


def text_of(line: dict[str, Any], gold: Fraction | int | str) -> str:
    if isinstance(gold, str):
        return gold
    return rounded(
        Fraction(gold), 0 if line["operation"] == "aggregation" else asked_decimals(line["template_id"])
    )


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answer_is_what_the_shown_records_give(name: str) -> None:
    for _, made in pairs(name):
        line = line_of(made)
        assert line["answer"] == text_of(line, solve(line["template_id"], line["records"], line["slots"]))


@pytest.mark.parametrize("name", KINDS)
def test_the_context_shows_the_records_that_are_inlined(name: str) -> None:
    for _, made in pairs(name):
        shown = {time: values for time, values in read(made.context).rows}
        assert list(shown) == [r.charttime.isoformat(sep=" ") for r in made.records]
        for record in made.records:
            values = shown[record.charttime.isoformat(sep=" ")]
            assert {v: values[v] for v in VITAL_SIGNS} == {v: getattr(record, v) for v in VITAL_SIGNS}


def test_a_relevant_change_is_one_needed_cell_and_moves_the_gold_by_a_unit_or_more() -> None:
    for base, made in pairs("numeric.relevant"):
        ((index, vital),) = changed_cells(base, made)
        assert (index, vital) in {(cell.record, cell.vital) for cell in base.evidence}
        if made.answer_type == "datetime":
            assert made.answer != base.answer
        else:
            unit = Fraction(1, 10 ** (made.decimals or 0))
            for before, after in ((base.answer_exact, made.answer_exact), (base.answer, made.answer)):
                assert abs(Fraction(after or "") - Fraction(before or "")) >= unit


def test_an_irrelevant_change_is_one_cell_that_no_evidence_names() -> None:
    for base, made in pairs("numeric.irrelevant"):
        ((index, vital),) = changed_cells(base, made)
        named = {(cell.record, cell.vital) for cell in (*base.evidence, *made.evidence)}
        assert (index, vital) not in named


def changed_cells(base: Instance, made: Instance) -> list[tuple[int, str]]:
    return [
        (i, vital)
        for i, (old, new) in enumerate(zip(base.records, made.records, strict=True))
        for vital in VITAL_SIGNS
        if getattr(old, vital) != getattr(new, vital)
    ]


def completions(line: dict[str, Any], index: int, vital: str) -> Iterator[str]:
    """The answer that every value within the ranges of V6 would give, where it gives one."""
    sign = VITAL_SIGNS[vital]  # type: ignore[index]
    tenths = vital == "temperature_c"
    low, high = (int(bound * 10 if tenths else bound) for bound in (sign.low, sign.high))
    for step in range(low, high + 1):
        value = step / 10 if tenths else step
        rows: list[Row] = [dict(row) for row in line["records"]]
        rows[index][vital] = value
        sbp, dbp = rows[index]["sbp_mmhg"], rows[index]["dbp_mmhg"]
        if sbp is not None and dbp is not None and dbp >= sbp:
            continue
        if line["template_id"] == "arithmetic.hr_over_baseline" and value <= 70:
            continue
        try:
            yield text_of(line, solve(line["template_id"], rows, line["slots"]))
        except (AssertionError, ValueError):  # a tie at the asked digit or of the highest; no crossing
            continue


def test_a_masked_value_leaves_at_least_two_answers() -> None:
    for base, made in pairs("missing.masked"):
        (cell,) = made.evidence
        assert changed_cells(base, made) == [(cell.record, cell.vital)]
        assert cell in base.evidence
        assert getattr(made.records[cell.record], cell.vital) is None
        assert (made.answer, made.answer_exact, made.answer_type) == (None, None, "unanswerable")
        assert "not documented counts as unknown" in made.question
        assert made.flags == ()
    for base, made in pairs("missing.masked")[::7]:
        (cell,) = made.evidence
        answers = set(completions(line_of(made), cell.record, cell.vital))
        assert len(answers) >= 2
        assert base.answer in answers
        told = made.worked[1]
        assert sum(told.count(f" {answer}") > 0 for answer in answers) >= 2


def test_what_an_undocumented_value_tempts_to_is_named() -> None:
    rules = {item.rule: item.code for _, made in pairs("missing.masked") for item in made.distractors}
    assert rules == {
        "carried_forward": "hallucination.unsupported_assumption",
        "carried_back": "hallucination.unsupported_assumption",
        "record_left_out": "omission.missed_record",
    }


STEPS = {
    "into kilopascals (1 mmHg = 0.133322 kPa)": lambda gold, rows: gold * Fraction("0.133322"),
    "beats the unrounded result is in 15 seconds": lambda gold, rows: gold / 4,
    "breaths the unrounded result is in 30 seconds": lambda gold, rows: gold / 2,
    "as a fraction of 1 instead of a percentage": lambda gold, rows: gold / 100,
    "into degrees Fahrenheit (°C x 1.8 + 32)": lambda gold, rows: gold * Fraction("1.8") + 32,
    "count the remaining records": lambda gold, rows: len(rows) - gold,
    "take the minutes from the earliest record": lambda gold, rows: minutes(rows[0]["charttime"], gold),
}


def minutes(start: str, end: str) -> Fraction:
    return Fraction(int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()), 60)


def test_an_extra_step_has_its_own_gold_working_and_mistakes() -> None:
    taken = set()
    for base, made in pairs("chain.extra_step"):
        line = line_of(made)
        (words,) = [words for words in STEPS if words in made.question]
        taken.add(words)
        gold = solve(line["template_id"], line["records"], line["slots"])
        expected = Fraction(STEPS[words](gold, line["records"]))
        assert Fraction(made.answer_exact or "") == expected
        assert made.answer == rounded(expected, made.decimals or 0)
        assert made.steps == base.steps + 1
        assert made.worked[-1].endswith(f" {made.answer}.")
        form = made.question[made.question.index("Answer with") :]
        assert ("whole number" in form) == (made.decimals == 0)
        assert made.unit is None or f" in {made.unit}" in form
        # Of the two steps to °F each is left out by itself.
        if base.operation in ("retrieval", "arithmetic") and made.unit != "°F":
            left_out = [Decimal(item.value) for item in made.distractors]  # another mistake may give it too
            near = Decimal(1).scaleb(-(base.decimals or 0)) / 2
            unmoved = base.answer_exact == made.answer_exact
            assert unmoved or any(abs(Decimal(base.answer or "") - value) <= near for value in left_out)
    assert taken == set(STEPS)
