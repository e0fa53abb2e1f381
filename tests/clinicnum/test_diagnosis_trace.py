"""Written equations, comparisons, readings and numbers, one table each; ids are what is shown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.diagnosis import measure_steps, suggest
from clinicnum.diagnosis.comparisons_in_text import comparisons_in
from clinicnum.diagnosis.equations_in_text import equations_in
from clinicnum.diagnosis.instance_facts import Facts
from clinicnum.diagnosis.numbers_in_text import fold_case, half_unit, moments_in, numbers_in, without_times
from clinicnum.diagnosis.reasoning_trace_check import Trace, is_derivable
from clinicnum.scoring import score
from tests.clinicnum.answering import cpu_seconds, generation, instance, records
from tests.clinicnum.diagnosing import HR, NO_RATES, PRESSURE, causes

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
    low = fold_case(text)
    plain = without_times(low, moments_in(low))
    assert [e.holds for e in equations_in(plain, _as_written)] == holds


COMPARISONS: tuple[tuple[str, str, list[bool]], ...] = (
    ("so", "104 > 100", [True]),
    ("not so", "37.4 > 37.5", [False]),
    ("said not to be so", "98.3 > 100: no", [True]),
    ("said wrongly not to be so", "104 > 100: no", [False]),
    ("in words", "88 is above 100", [False]),
    ("denied in words", "88 is not above 100", [True]),
    ("denied wrongly in words", "104 is not above 100: yes", [False]),
    ("denied, and the verdict repeats it", "88 is not above 100: no", [True]),
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
    assert [(m.date, m.clock) for m in moments_in(fold_case(text))] == found


def test_numbers_stand_alone() -> None:
    text = "SpO2 95, the 2nd of 1,200; .5 and 36.8°C, v2"
    assert [n.value for n in numbers_in(fold_case(text))] == [95, 1200, 0.5, 36.8]


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
    assert cpu_seconds(lambda: causes(PRESSURE, text)) < 3


def test_records_without_a_place_in_the_text_are_no_evidence() -> None:
    bare = instance(
        records=(), evidence=(), context="A note.", operation="external", representation="external"
    )
    assert causes(bare, 'Take 57 and 80: 57 + 80 = 138. {"answer": 138}') == [
        ("causal_reasoning.arithmetic_slip", "57 + 80 is 137, not 138.")
    ]
    assert len(records()) == 3
