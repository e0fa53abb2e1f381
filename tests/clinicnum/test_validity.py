"""V1 to V6 and V8 as rules: the reader recovers what any renderer wrote, and a rule names what is wrong."""

from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.representations import Style, render_context
from clinicnum.templates.evaluate_tree import Answer
from clinicnum.types import REPRESENTATIONS, Given, Record, RepresentationName
from clinicnum.validity.instance_rules import (
    check_answer,
    check_context,
    check_instance_text,
    check_question,
    check_records,
)

AMBIGUOUS_DBP = Decimal("26.6644")
"""A diastolic pressure up to this, without unit, could be in kPa."""


def whole(low: int, high: int) -> st.SearchStrategy[Decimal | None]:
    return st.none() | st.integers(low, high).map(Decimal)


@st.composite
def tables(draw: st.DrawFn) -> list[Record]:
    time = draw(st.datetimes(datetime(1990, 1, 1), datetime(2300, 1, 1))).replace(microsecond=0)
    records = []
    for _ in range(draw(st.integers(1, 6))):
        sbp = draw(whole(40, 300))
        dbp = draw(whole(15, 200))
        if sbp is not None and dbp is not None and dbp >= sbp:
            dbp = None
        records.append(
            Record(
                subject_id="a",
                stay_id="b",
                charttime=time,
                temperature_c=draw(st.none() | st.decimals(30, 43, places=1)),
                heart_rate_bpm=draw(whole(20, 250)),
                resp_rate_bpm=draw(st.none() | st.decimals(4, 70, places=1).map(lambda v: v.normalize())),
                spo2_pct=draw(whole(50, 100)),
                sbp_mmhg=sbp,
                dbp_mmhg=dbp,
                pain=draw(whole(0, 10)),
                source="t",
            )
        )
        time += timedelta(seconds=draw(st.integers(1, 10**7)))
    return records


STYLES = st.builds(
    Style,
    abbreviated=st.sampled_from([None, True]),
    units=st.sampled_from([None, False]),
    shuffled=st.booleans(),
    separators=st.booleans(),
)
FACTS = st.sampled_from(
    [
        (),
        (Given(name="body weight", value="72.5", unit="kg"),),
        (Given(name="supplemental oxygen", value="no"), Given(name="age", value="67", unit="years")),
    ]
)


@settings(deadline=None, max_examples=200)
@given(tables(), FACTS, st.integers(0, 10**6), st.sampled_from(REPRESENTATIONS), STYLES)
def test_the_reader_recovers_every_table(
    records: list[Record], facts: tuple[Given, ...], seed: int, name: RepresentationName, style: Style
) -> None:
    text = render_context(records, facts, name, str(seed), style)
    rule = check_context(records, facts, name, text)
    unsure = any(r.dbp_mmhg is not None and r.dbp_mmhg < AMBIGUOUS_DBP for r in records)
    assert rule is None or (rule == f"V5.unit.{name}" and unsure), text
    assert check_records(records) is None


@settings(deadline=None, max_examples=200)
@given(tables(), FACTS, st.sampled_from(REPRESENTATIONS), STYLES, st.data())
def test_a_changed_digit_never_passes(
    records: list[Record],
    facts: tuple[Given, ...],
    name: RepresentationName,
    style: Style,
    data: st.DataObject,
) -> None:
    text = render_context(records, facts, name, "0", style)
    # A digit in "SpO2", "O2 sat" or the scale "/10" is a name's or a unit's; the others are times and values.
    spots = [
        i
        for i, c in enumerate(text)
        if c.isdigit() and text[i - 1] != "O" and "/1" not in text[max(0, i - 2) : i + 2]
    ]
    spot = data.draw(st.sampled_from(spots))
    digit = str((int(text[spot]) + 1) % 10)
    assert check_context(records, facts, name, text[:spot] + digit + text[spot + 1 :]) is not None


PUT_IN = (
    "7",
    " 7",
    "7 ",
    " 7/8 ",
    ", HR 77, ",
    "\nHR 77 bpm.\n",
    "T: 37.7\n",
    "\n2150-01-01 10:00:00: HR 77 bpm.\n",
)


@settings(deadline=None, max_examples=300)
@given(tables(), st.sampled_from(REPRESENTATIONS), STYLES, st.sampled_from(PUT_IN), st.data())
def test_a_number_put_in_anywhere_never_passes(
    records: list[Record], name: RepresentationName, style: Style, more: str, data: st.DataObject
) -> None:
    text = render_context(records, (), name, "0", style)
    spot = data.draw(st.integers(0, len(text)))
    assert check_context(records, (), name, text[:spot] + more + text[spot:]) is not None


def record(**values: object) -> Record:
    return Record.model_validate(
        {"subject_id": "a", "stay_id": "b", "charttime": datetime(2150, 1, 1, 10), "source": "t", **values}
    )


AT = "At 2150-01-01 10:00:00: "
ABSENT = " ".join(f"no {name} documented." for name in ("T", "RR", "SpO2", "BP", "pain"))
WEIGHT = Given(name="body weight", value="72", unit="kg")
CONTEXTS: dict[str, tuple[str, tuple[Given, ...], str | None]] = {
    "the unit": ("HR 80 bpm.", (), None),
    "no unit where one only is plausible": ("HR 80.", (), None),
    "another unit": ("HR 80 mmHg.", (), "V5.unit.note"),
    "a wrong value": ("HR 81 bpm.", (), "V1.differs.note"),
    "said to be absent": ("HR not recorded.", (), "V1.differs.note"),
    "nothing said": ("", (), "V1.differs.note"),
    "a second record": ("HR 80 bpm.\nAt 2150-01-02 10:00:00: HR 80 bpm.", (), "V1.differs.note"),
    "the given": ("HR 80 bpm.\nThroughout: body weight: 72 kg.", (WEIGHT,), None),
    "a given missing": ("HR 80 bpm.", (WEIGHT,), "V1.differs.note"),
    "a given too many": ("HR 80 bpm.\nThroughout: body weight: 72 kg.", (), "V1.differs.note"),
    "another given": ("HR 80 bpm.\nThroughout: body weight: 73 kg.", (WEIGHT,), "V1.differs.note"),
    "a given in another unit": ("HR 80 bpm.\nThroughout: body weight: 72 lb.", (WEIGHT,), "V1.differs.note"),
    "a state": ("HR 80 bpm. Afebrile.", (), "V8.state_word"),
    "an unknown number": ("HR 80 bpm. Bed 4.", (), "V1.unreadable.note"),
    "a time twice": (f"HR 80 bpm.\n{AT}HR 80 bpm.", (), "V2.time_not_unique"),
    "a lab value that is a vital": ("HR 80 bpm.\nLabs: SpO2 95 %.", (), "V8.other_value"),
    "an earlier visit": (
        "HR 80 bpm.\nEarlier visit (not this one), 2149-01-01 10:00:00: HR 9 bpm.",
        (),
        None,
    ),
}


@pytest.mark.parametrize(("text", "facts", "rule"), CONTEXTS.values(), ids=CONTEXTS.keys())
def test_the_rule_that_a_context_breaks(text: str, facts: tuple[Given, ...], rule: str | None) -> None:
    records = [record(heart_rate_bpm=80)]
    assert check_context(records, facts, "note", f"{AT}{ABSENT} {text}") == rule
    faults = check_instance_text(records, facts, "note", f"{AT}{ABSENT} {text}", "The highest, this visit?")
    assert [fault.rule for fault in faults] == ([] if rule is None else [rule])
    assert all(fault.reason for fault in faults)


def test_one_unit_throughout_a_context() -> None:
    two = [record(heart_rate_bpm=80), record(heart_rate_bpm=81, charttime=datetime(2150, 1, 1, 11))]
    for second, rule in (("81 bpm", None), ("81", None), ("81 /min", "V5.unit.note")):
        text = f"{AT}{ABSENT} HR 80 bpm.\nAt 2150-01-01 11:00:00: {ABSENT} HR {second}."
        assert check_context(two, (), "note", text) == rule


def test_a_frame_allows_numbers_of_its_own() -> None:
    text = f"Takes metformin 500 mg.\n{AT}{ABSENT} HR 80 bpm.\nHemoglobin 11.3 g/dL."
    assert check_context([record(heart_rate_bpm=80)], (), "note", text, frame=True) is None
    assert check_context([record(heart_rate_bpm=80)], (), "note", text) == "V1.unreadable.note"


def test_every_fault_is_told_with_what_was_found() -> None:
    text = f"{AT}{ABSENT} HR 81 bpm.\nEarlier visit (not this one), 2149-01-01 10:00:00: HR 90 /min."
    faults = check_instance_text([record(heart_rate_bpm=80)], (), "note", text, "What was the highest?")
    assert [fault.rule for fault in faults] == ["V1.differs.note", "V5.unit.note", "V8.earlier_visit"]
    assert faults[0].reason == (
        "heart_rate_bpm at 2150-01-01 10:00:00 is 81 in the context, 80 in the instance"
    )


def test_a_missing_row_is_seen() -> None:
    two = [record(heart_rate_bpm=80), record(heart_rate_bpm=81, charttime=datetime(2150, 1, 1, 11))]
    for name in REPRESENTATIONS:
        text = render_context(two[:1], (), name, "0")
        assert check_context(two, (), name, text) == f"V1.differs.{name}"


QUESTIONS = {
    "When was the heart rate highest during this visit?": None,
    "The question is about this visit only. When was it highest?": None,
    "Not counting any earlier visit, when was it highest?": None,
    "During the present stay, when was it highest?": None,
    "When was the heart rate highest?": "V8.earlier_visit",
    "When was it highest on the earlier visit?": "V8.earlier_visit",
    "How many visits were there?": "V8.earlier_visit",
}


@pytest.mark.parametrize(("question", "rule"), QUESTIONS.items())
def test_a_question_beside_an_earlier_visit(question: str, rule: str | None) -> None:
    assert [fault.rule for fault in check_question(question, {"earlier_visit"})] == ([rule] if rule else [])
    assert check_question(question, set()) == []


ANSWERS = {
    "rounded once": ("0.67", Fraction(2, 3), 2, None),
    "rounded wrongly": ("0.66", Fraction(2, 3), 2, "V3.answer_not_exact"),
    "a tie": ("0.63", Fraction(5, 8), 2, "V4.tie_at_asked_digit"),
    "a negative tie": ("-0.63", Fraction(-5, 8), 2, "V4.tie_at_asked_digit"),
    "exact": ("12.5", Fraction(25, 2), 1, None),
    "a time": ("2150-01-01 10:00:00", None, None, None),
}


@pytest.mark.parametrize(("text", "exact", "decimals", "rule"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers(text: str, exact: Fraction | None, decimals: int | None, rule: str | None) -> None:
    assert check_answer(Answer(text, exact, None), decimals) == rule


RECORDS = {
    "a temperature finer than it is shown": ({"temperature_c": "36.65"}, "V3.temperature_finer_than_shown"),
    "a time finer than it is shown": (
        {"charttime": datetime(2150, 1, 1, 10, microsecond=1)},
        "V2.time_finer_than_a_second",
    ),
    "an impossible saturation": ({"spo2_pct": 101}, "V6.spo2_pct.out_of_range"),
    "an impossible pain": ({"pain": 11}, "V6.pain.out_of_range"),
}


@pytest.mark.parametrize(("values", "rule"), RECORDS.values(), ids=RECORDS.keys())
def test_records(values: dict[str, object], rule: str) -> None:
    assert check_records([record(**values)]) == rule
