"""What is read out of a text, in which form; what counts as right is in test_scoring."""

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.parsing import ValueKind, abstention, parse_answer
from clinicnum.parsing.abstention import abstains
from clinicnum.parsing.missing_value_remarks import before_remark, without_remarks
from clinicnum.parsing.number_words import read_number_words
from clinicnum.parsing.numbers import numbers_in
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.units import compare_units, conversion, unit_at
from tests.clinicnum.answers import choices, counting, declining, hostile, marked, medcalc, numbers, texts


@pytest.mark.parametrize(
    ("text", "kind", "value", "form"),
    [
        ('{"answer": 50}', "number", "50", "json"),
        ("{'answer': 50}", "number", "50", "json_loose"),
        (r"\boxed{1,200}", "number", "1200", "boxed:thousands"),
        ("The answer is fifty.", "number", "50", "the_answer_is:number_words"),
        ("50 bpm", "number", "50", "lone_number"),
        ("5 x 80 = 400 micrograms per minute", "number", "400", "lone_number"),
        ("2.10 + 0.02 x 10 = 2.30 mmol/L.", "number", "2.30", "lone_number"),
        ("2180-05-10 06:27", "datetime", "2180-05-10 06:27:00", "lone_time"),
        ("Answer: May 10, 2180, 6:27 PM", "datetime", "2180-05-10 18:27:00", "the_answer_is:month_name"),
    ],
)
def test_value_and_form(text: str, kind: ValueKind, value: str, form: str) -> None:
    reading = parse_answer(text, kind=kind)
    assert reading.found is not None
    assert (reading.found.written, reading.form) == (value, form)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("zero", 0),
        ("nineteen", 19),
        ("ninety-nine", 99),
        ("a hundred", 100),
        ("one hundred and ten", 110),
        ("two hundred forty-one", 241),
        ("one thousand two hundred", 1200),
        ("minus two", -2),
        ("thirty-seven point zero five", Decimal("37.05")),
    ],
)
def test_number_words(words: str, value: Decimal | int) -> None:
    found = read_number_words(words, count=False)
    assert isinstance(found, Found)
    assert found.value == Decimal(value)


@pytest.mark.parametrize(
    "words",
    [
        "five ninety",
        "twenty twenty",
        "one two",
        "hundred hundred zero",
        "three or four",
        "one line",
        "one third",
    ],
)
def test_words_that_make_no_one_number(words: str) -> None:
    assert isinstance(read_number_words(words, count=False), Refused)


def test_a_partial_time_takes_its_date_from_the_only_record_that_fits() -> None:
    times = [datetime(2180, 5, 10, 6, 27), datetime(2180, 5, 11, 9, 12, 30)]
    found = parse_answer("9:12 AM", kind="datetime", times=times).found
    assert found is not None
    assert found.value == times[1]


@pytest.mark.parametrize(
    ("asked", "written", "outcome"),
    [
        ("mmHg", None, "none"),
        ("mmHg", "mmHg", "asked"),
        ("mmHg", "bpm", "other"),
        ("mmHg", "kPa", "other_scale"),
        ("°C", "°F", "other_scale"),
        (None, "%", "other_scale"),
        ("%", "%", "asked"),
        ("mg/dL", "bpm", "other"),
    ],
)
def test_units(asked: str | None, written: str | None, outcome: str) -> None:
    assert compare_units(asked, written) == outcome


def test_the_longest_unit_is_taken() -> None:
    assert unit_at("12 breaths per minute", 2) == ("breaths/min", 21)
    assert unit_at("37 cats", 2) == (None, 2)


@pytest.mark.parametrize(
    "text",
    [
        "not documented",
        "This was never recorded.",
        "I am unable to determine the value.",
        "It cannot be calculated.",
        "The records do not contain that.",
        "There is no information on it.",
        "insufficient data",
        "(unknown)",
    ],
)
def test_phrases_that_decline(text: str) -> None:
    assert abstains(text)


@pytest.mark.parametrize(
    "text",
    ["The heart rate is high.", "It is not above 100.", "I know: it is 88.", "There were no such peaks."],
)
def test_phrases_that_do_not_decline(text: str) -> None:
    assert not abstains(text)


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("What was the temperature?", "It was 36.5 °C"),
        ("How strong was the pain?", "It was 36.5 °C, pain was not documented"),
        ("", "It was 36.5 °C, pain was not documented"),
    ],
)
def test_only_what_declines_another_quantity_is_a_remark(asked: str, left: str) -> None:
    assert without_remarks("It was 36.5 °C, pain was not documented", asked=asked).strip() == left


def test_a_marked_answer_is_read_up_to_its_remark() -> None:
    assert before_remark("SBP 103 mmHg, not given directly", asked="the systolic one") == "SBP 103 mmHg"
    assert before_remark("SBP in 3 is not given", asked="the systolic one") == ""


def test_without_the_question_a_refusal_in_prose_stays_one() -> None:
    assert parse_answer("It was 110. Pain is not documented.", kind="number").kind == "abstention"


_SAID = [
    row[2]
    for file in (choices, counting, declining, hostile, marked, medcalc, numbers, texts)
    for row in file.ROWS
]
_WORDS = st.sampled_from(
    (
        "isn't", "isnt", "wasnt", "arent", "werent", "hasnt", "been", "havent", "never", "cannot", "cant",
        "couldnt", "unable", "impossible", "to", "tell", "know", "dont", "doesnt", "didn't", "no", "record",
        "of", "missing", "lacks", "data", "undocumented", "unspecified", "undeterminable", "the", "value",
    )
)  # fmt: skip


def test_the_hints_of_declining_leave_nothing_out() -> None:
    for text in _SAID:
        _same_without_hints(text)


@given(words=st.lists(_WORDS, max_size=6))
def test_the_hints_leave_out_no_combination_of_words(words: list[str]) -> None:
    _same_without_hints(" ".join(words))


def _same_without_hints(text: str) -> None:
    plain = " ".join(text.replace("’", "'").split())
    slowly = abstention._PHRASES.search(plain) or abstention._WHOLE.fullmatch(plain)
    assert abstains(text) == bool(slowly)


@pytest.mark.parametrize(
    ("value", "written", "asked", "converted"),
    [
        ("99.5", "°F", "°C", Fraction("37.5")),  # (99.5 - 32) x 5/9
        ("310.65", "K", "°C", Fraction("37.5")),  # less 273.15
        ("1", "kPa", "mmHg", 1000 / Fraction("133.322387415")),
        ("57.1", "%", None, Fraction("0.571")),
        ("154", "lb", "kg", Fraction("69.85322498")),  # x 0.45359237
        ("1.5", "hours", "minutes", Fraction(90)),
        ("1", "mL/min", "mL/h", Fraction(60)),
        ("6", "mcg/kg/h", "mcg/kg/min", Fraction("0.1")),
    ],
)
def test_conversions(value: str, written: str, asked: str | None, converted: Fraction) -> None:
    change = conversion(asked=asked, written=written)
    assert change is not None
    assert change.forward(Fraction(value)) == converted
    assert change.back(converted) == Fraction(value)


@pytest.mark.parametrize(
    ("asked", "written"), [("mmHg", "bpm"), ("points", "%"), ("bpm", "°F"), (None, "mmHg")]
)
def test_units_that_measure_different_things_do_not_convert(asked: str | None, written: str) -> None:
    assert conversion(asked=asked, written=written) is None


def test_numbers_in_a_text_are_those_that_say_something() -> None:
    text = "1. At 2180-05-10 06:27:00, step 2: 37.5 °C, not 38, 110-120 bpm, (120 - 80)/3 = 13.3 mmHg"
    found = [(str(amount.value), amount.unit) for amount in numbers_in(text)]
    assert found == [("37.5", "°C"), ("120", None), ("80", None), ("3", None), ("13.3", "mmHg")]
    assert [text[slice(*amount.span)] for amount in numbers_in(text)] == [value for value, _ in found]
