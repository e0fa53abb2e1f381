"""Written equations, comparisons, readings and numbers, one table each; ids are what is shown."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.diagnosis import Rates, measure_steps, suggest
from clinicnum.diagnosis.equations import comparisons_in, equations_in
from clinicnum.diagnosis.facts import Facts
from clinicnum.diagnosis.trace import Trace, is_derivable
from clinicnum.diagnosis.written import folded, half_unit, moments_in, numbers_in, without
from clinicnum.scoring import score
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance, records

NO_RATES = Rates({})

EQUATIONS: tuple[tuple[str, str, list[bool]], ...] = (
    ("a difference", "118 - 76 = 42", [True]),
    ("a slip", "118 - 76 = 44", [False]),
    ("units between", "118 mmHg − 76 mmHg = 42 mmHg", [True]),
    ("a slip between units", "118 mmHg − 76 mmHg = 44 mmHg", [False]),
    ("brackets, and rounded", "(120 - 81) / 3 + 81 = 94.0", [True]),
    ("rounded wrongly", "(120 - 80) / 3 = 13.4", [False]),
    ("cut off instead of rounded", "(118 - 77) / 3 = 13.66", [True]),
    ("a chain", "(120 - 80)/3 + 80 = 13.33 + 80 = 93.33", [True]),  # the middle is as good as the first
    ("a run-on chain", "48 / 3 = 16 + 76 = 92", [True, True]),
    ("a run-on chain with a slip at its end", "48 / 3 = 16 + 76 = 93", [True, False]),
    ("carried on rounded", "61 / 3 ≈ 20.3\n20.3 + 91 = 111.3", [True, True]),
    ("a percentage of a ratio", "4 / 84 = 4.76%", [True]),
    ("LaTeX", r"\frac{120 - 80}{3} + 80 = 93.33", [True]),
    ("LaTeX with a slip", r"\frac{88}{124} = 0.81", [False]),
    ("LaTeX signs and text", r"36.8 \times 1.8 = 66.24 \text{ °F}", [True]),
    ("powers", "2^3 = 8", [True]),
    ("a percent sign in the middle", "(118 - 132) / 132 × 100% = -10.6%", [True]),
    ("an absolute value", "|76 - 118| = 42", [True]),
    ("bold", "120 - 80 = **40**", [True]),
    ("a bullet", "- 120 - 80 = 40", [True]),
    ("a label", "2) 48 / 3 = 16", [True]),
    ("per minute", "104 bpm - 88 beats/min = 16 beats/min", [True]),
    ("a formula in words", "MAP = (SBP - DBP) / 3 + DBP", []),
    ("a formula half in words", "DBP + 40 / 3 = 93.3", []),
    ("a formula that ends in words", "(120 - 80) / 3 + DBP = 93.3", []),
    ("a formula with a unit for a number", "°C × 9/5 + 32 = 98.24", []),
    ("numbers after a formula in words", "DBP + (SBP - DBP)/3 = 80 + 40/3 = 93.3", [True]),
    ("a pressure", "BP = 120/80", []),
    ("equal to itself", "HR = 88, SBP = 120", []),
    ("divided by nothing", "88 / 0 = 0", []),
    ("times are no differences", "2180-05-10 06:27:00 = 5", []),
)


def _as_written(value: float, decimals: int) -> float:
    """Operands with decimals may have been rounded."""
    return half_unit(decimals) if decimals else 0.0


@pytest.mark.parametrize(("text", "holds"), [r[1:] for r in EQUATIONS], ids=[r[0] for r in EQUATIONS])
def test_equations(text: str, holds: list[bool]) -> None:
    low = folded(text)
    plain = without(low, moments_in(low))
    assert [e.holds for e in equations_in(plain, _as_written)] == holds


COMPARISONS: tuple[tuple[str, str, list[bool]], ...] = (
    ("so", "104 > 100", [True]),
    ("not so", "37.4 > 37.5", [False]),
    ("said not to be so", "98.3 > 100: no", [True]),
    ("said wrongly not to be so", "104 > 100: no", [False]),
    ("in words", "88 is above 100", [False]),
    ("denied in words", "88 is not above 100", [True]),
    ("with units", "88 bpm < 100 bpm", [True]),
    ("a negative number", "-3 >= 3: no", [True]),
    ("asked", "is 88 > 100?", []),
    ("a condition", "count it if 104 < 100", []),
    ("equal is not above", "100 > 100: yes", [False]),
    ("at least", "100 ≥ 100", [True]),
)


@pytest.mark.parametrize(("text", "holds"), [r[1:] for r in COMPARISONS], ids=[r[0] for r in COMPARISONS])
def test_comparisons(text: str, holds: list[bool]) -> None:
    assert [c.holds for c in comparisons_in(text)] == holds


MOMENTS: tuple[tuple[str, str, list[tuple[str | None, str | None]]], ...] = (
    ("ISO", "at 2180-05-10 06:27:00: 88", [("2180-05-10", "06:27:00")]),
    ("ISO with T", "2180-05-10T06:27", [("2180-05-10", "06:27")]),
    ("a clock", "at 06:27 it was", [(None, "06:27")]),
    ("a clock of 12 hours", "6:27 pm", [(None, "18:27")]),
    ("a month's name first", "May 10, 2180 at 06:27", [("2180-05-10", "06:27")]),
    ("a month's name after", "10 May 2180 06:27:00", [("2180-05-10", "06:27:00")]),
    ("clock first", "06:27 on 10 May 2180", [("2180-05-10", "06:27")]),
    ("without a year", "on 10 May", [("-----05-10", None)]),
    ("two readings", "05/10/2180", [(None, None)]),
    ("none", "BP 120/80, 36.8 °C", []),
)


@pytest.mark.parametrize(("text", "found"), [r[1:] for r in MOMENTS], ids=[r[0] for r in MOMENTS])
def test_moments(text: str, found: list[tuple[str | None, str | None]]) -> None:
    assert [(m.date, m.clock) for m in moments_in(folded(text))] == found


def test_numbers_stand_alone() -> None:
    text = "SpO2 95, the 2nd of 1,200; .5 and 36.8°C, v2"
    assert [n.value for n in numbers_in(folded(text))] == [95, 1200, 0.5, 36.8]


PRESSURE = instance(
    question="What was the pulse pressure at 2180-05-10 09:12:30?",
    operation="arithmetic",
    answer="40",
    worked=("At 2180-05-10 09:12:30: systolic pressure 120 mmHg.", "120 - 80 = 40."),
    evidence=({"record": 1, "vital": "sbp_mmhg"}, {"record": 1, "vital": "dbp_mmhg"}),
    unit="mmHg",
)
STANDING: tuple[tuple[str, str, list[str]], ...] = (
    ("values of records", "88, 110 and 120", ["grounded"] * 3),
    ("a count of the records", "3 records", ["grounded"]),
    ("minutes between two records: 165.5", "165.5 min", ["grounded"]),
    ("the worked result", "it is 40", ["derivable"]),
    ("one operation on the evidence: 120 + 80", "200", ["derivable"]),
    ("one operation on the evidence: 120 / 80", "1.5", ["derivable"]),
    ("an earlier equation", "110 - 88 = 22, and 22 x 80 = 1760", ["grounded", "grounded", "derivable"] * 2),
    ("neither", "57 and 91.3", ["neither", "neither"]),
)


@pytest.mark.parametrize(("text", "standing"), [r[1:] for r in STANDING], ids=[r[0] for r in STANDING])
def test_what_a_number_rests_on(text: str, standing: list[str]) -> None:
    found = [judged.standing for judged in Trace(Facts(PRESSURE), text).judged]
    assert [s.replace("derivable", "grounded") for s in found] == [
        s.replace("derivable", "grounded") for s in standing
    ]
    if len(standing) == 1:
        assert found == standing


def test_derivable_is_one_operation_on_two_numbers() -> None:
    # 118 - 76 = 42, 118 + 76 = 194, 118 x 76 = 8968, 118 / 76 = 1.5526; (118 - 76) / 3 are two operations.
    for value in (42, 194, 8968, 1.5526, 0.6441):
        assert is_derivable(value, 0.00005, [118, 76])
    assert not is_derivable(14, 0.00005, [118, 76])


def causes(gold: Instance, text: str, finish: str = "stop") -> list[tuple[str, str]]:
    given_text = generation(text, of=gold, finish=finish)
    judged = score(instance=gold, generation=given_text)
    found = suggest(instance=gold, generation=given_text, score=judged, rates=NO_RATES)
    assert [cause.rank for cause in found] == list(range(1, len(found) + 1))
    return [(cause.code, cause.sentence) for cause in found]


HR = instance()
WRONG_RECORD, WRONG_VITAL = "contextual_inconsistency.wrong_record", "contextual_inconsistency.wrong_vital"
FABRICATED = "hallucination.fabricated_value"
CAUSES: tuple[tuple[str, Instance, str, str, str], ...] = (
    (
        "another record's value at the asked time",
        HR,
        "At 2180-05-10 09:12:30 the heart rate was 88 bpm. The answer is 88.",
        WRONG_RECORD,
        "88 is the heart rate at 2180-05-10 06:27, not at 2180-05-10 09:12.",
    ),
    (
        "another vital sign's value",
        HR,
        "At 2180-05-10 09:12:30 the heart rate was 120 bpm. The answer is 120.",
        WRONG_VITAL,
        "120 is the systolic pressure at 2180-05-10 09:12, not the heart rate.",
    ),
    (
        "nobody's value",
        HR,
        "At 2180-05-10 09:12:30 the heart rate was 93 bpm. The answer is 93.",
        FABRICATED,
        "93 is given as a heart rate, and no record holds it.",
    ),
    ("a bare value of nobody", HR, '{"answer": 93}', FABRICATED, "93 is answered, and no record holds it."),
    (
        "a slip",
        PRESSURE,
        '120 - 80 = 44. {"answer": 44}',
        "causal_reasoning.arithmetic_slip",
        "120 - 80 is 40, not 44.",
    ),
    (
        "an operand of nowhere",
        PRESSURE,
        '117 - 80 = 37. {"answer": 37}',
        FABRICATED,
        "117 is used in the calculation, and stands nowhere; nothing gives it.",
    ),
    (
        "another formula",
        PRESSURE,
        '120 + 80 = 200. {"answer": 200}',
        "causal_reasoning.wrong_formula",
        "120 + 80 = 200 holds, but it is no step from the records to what is asked.",
    ),
    (
        "a time of no record",
        HR,
        "At 2180-05-10 07:00:00 it was 88.",
        "hallucination.fabricated_time",
        "2180-05-10 07:00:00 is the time of no record.",
    ),
    ("nothing", HR, "", "unanswered.empty", "Nothing was written."),
    (
        "declined",
        HR,
        "It is not documented.",
        "unanswered.false_abstention",
        "It says that the answer is not documented, and it is.",
    ),
    (
        "the right value in prose",
        HR,
        "The answer is 110.",
        "format_mismatch.not_asked_form",
        "The value is right, and not given in the form asked for.",
    ),
    (
        "too many decimals",
        HR,
        '{"answer": 110.0}',
        "format_mismatch.precision",
        "The value is right, with 1 decimals where 0 were asked.",
    ),
)


@pytest.mark.parametrize(
    ("gold", "text", "code", "sentence"), [r[1:] for r in CAUSES], ids=[r[0] for r in CAUSES]
)
def test_the_first_cause_and_its_sentence(gold: Instance, text: str, code: str, sentence: str) -> None:
    assert (code, sentence) in causes(gold, text)[:1]


SILENT: tuple[tuple[str, Instance, str], ...] = (
    ("the right answer in the asked form", HR, '{"answer": 110}'),
    ("a wrong result of a calculation that is not shown", PRESSURE, '{"answer": 57}'),
    ("a normal range", PRESSURE, 'Normal is 30 to 45. {"answer": 57}'),
    ("a mean that is no reading", PRESSURE, 'The mean heart rate is 97. {"answer": 57}'),
)


@pytest.mark.parametrize(("gold", "text"), [r[1:] for r in SILENT], ids=[r[0] for r in SILENT])
def test_silence_without_evidence(gold: Instance, text: str) -> None:
    assert causes(gold, text) == []


CUT_OFF: tuple[tuple[str, str, list[str]], ...] = (
    ("nothing wrong so far", "At 09:12:30 the heart rate", ["unanswered.truncated"]),
    (
        "another record's value before the cut",
        "At 2180-05-10 09:12:30 the heart rate was 88 bpm, and the blood pressure",
        ["contextual_inconsistency.wrong_record", "unanswered.truncated"],
    ),
    ("a number that the cut may have shortened", "The heart rate was 11", ["unanswered.truncated"]),
    (
        "an invented time before the cut",
        'The time is {"date": "2022-02-13 13:57:00", "data":',
        ["hallucination.fabricated_time", "unanswered.truncated"],
    ),
    (
        "a loop that only blanks change",
        '{"answer":\n {"type": "json", "data": {\n  "type": "json", "data": {\n    "type": "json",',
        ["output_error.repetition"],
    ),
    (
        "a loop that counts",
        "1. the heart rate is high:\n2. the heart rate is high:\n3. the heart",
        ["output_error.repetition"],
    ),
    (
        "a list that goes on",
        "1. the heart rate is 88 bpm at first\n2. it rises to 110 bpm\n3. the",
        ["unanswered.truncated"],
    ),
)


@pytest.mark.parametrize(("text", "codes"), [r[1:] for r in CUT_OFF], ids=[r[0] for r in CUT_OFF])
def test_what_had_failed_before_a_cut_comes_first(text: str, codes: list[str]) -> None:
    assert [code for code, _ in causes(HR, text, finish="length")] == codes


def test_a_request_that_failed_is_no_failure_of_the_model() -> None:
    assert causes(HR, "", finish="error") == []


FRAGMENTS = st.sampled_from(
    ["heart rate", " was ", "88", "110", "1e9", "(", ")", "=", "-", "/", "x", "^", "|", "\\frac{", "}",
     "9:12", "2180-05-10", "\n", " > ", ": yes", "%", "°C", ",", ".", "\x00", "İ", "½", "٣",
     "99999999999999999999999", '{"answer": ', "first", "lowest"]
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(text=st.one_of(st.text(), st.lists(FRAGMENTS, max_size=40).map("".join)), cut=st.booleans())
def test_no_text_raises(text: str, cut: bool) -> None:
    for gold in (HR, PRESSURE):
        given_text = generation(text, of=gold, finish="length" if cut else "stop")
        judged = score(instance=gold, generation=given_text)
        for cause in suggest(instance=gold, generation=given_text, score=judged, rates=NO_RATES):
            assert all(0 <= start < end <= len(text) for start, end in cause.spans)
        measures = measure_steps(instance=gold, generation=given_text)
        assert measures.numbers_grounded <= measures.numbers


def test_an_equation_of_more_digits_than_are_read_is_not_judged() -> None:
    text = "123456789012345.123456789012345 - 1 = 5"
    assert equations_in(text, lambda value, decimals: 0.0) == []
    assert "causal_reasoning.arithmetic_slip" not in dict(causes(PRESSURE, text))


@pytest.mark.parametrize(
    "text",
    ["1 - 1 = 1\n" * 50_000, "(" * 200_000 + "=", "heart rate " * 80_000, "9:12 " * 100_000,
     "1 > 2 " * 100_000, "1+" * 200_000 + "1 = 2", "93 " * 200_000,
     "heart rate was " + "the " * 100_000 + "93", "pulse at 2180-05-10 08:12:00 in " * 400],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_a_megabyte_of_anything_is_traced_at_once(text: str) -> None:
    started = time.process_time()
    causes(PRESSURE, text)
    assert time.process_time() - started < 3


def test_records_without_a_place_in_the_text_are_no_evidence() -> None:
    bare = instance(
        records=(), evidence=(), context="A note.", operation="external", representation="external"
    )
    assert causes(bare, 'Take 57 and 80: 57 + 80 = 138. {"answer": 138}') == [
        ("causal_reasoning.arithmetic_slip", "57 + 80 is 137, not 138.")
    ]
    assert len(records()) == 3
