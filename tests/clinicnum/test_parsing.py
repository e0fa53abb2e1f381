"""What is read out of a text, in which form; what counts as right is in test_scoring."""

from datetime import datetime
from decimal import Decimal

import pytest

from clinicnum.parsing import ValueKind, parse_answer
from clinicnum.parsing.abstention import abstains, before_remark, without_remarks
from clinicnum.parsing.number_words import read_number_words
from clinicnum.parsing.reading import Found, Refused
from clinicnum.parsing.units import compare_units, unit_at


@pytest.mark.parametrize(
    ("text", "kind", "value", "form"),
    [
        ('{"answer": 50}', "number", "50", "json"),
        ("{'answer': 50}", "number", "50", "json_loose"),
        (r"\boxed{1,200}", "number", "1200", "boxed:thousands"),
        ("The answer is fifty.", "number", "50", "the_answer_is:number_words"),
        ("50 bpm", "number", "50", "lone_number"),
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
