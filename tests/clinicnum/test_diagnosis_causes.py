"""Causes of failures, one table: the text, the first cause and its sentence; ids are what is shown."""

import pytest

from clinicnum.diagnosis.distractor_matches import matched
from clinicnum.taxonomy_codes import OTHER_QUESTION
from clinicnum.types import Instance
from tests.clinicnum.answering import instance
from tests.clinicnum.diagnosing import (
    FABRICATED,
    HR,
    PRESSURE,
    TIME,
    UNCHANGED,
    WRONG_RECORD,
    WRONG_VITAL,
    causes,
)

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
    *(
        (
            f"the question's time, {number}",
            HR,
            text,
            OTHER_QUESTION,
            f"{shown} is a time that the question names; a number was asked for.",
        )
        for number, (text, shown) in enumerate(
            (
                ("2180-05-10 09:12:30", "2180-05-10 09:12:30"),
                ("The answer is 09:12.", "09:12"),
                ('{"answer": "2180-05-10 09:12:30"}', "2180-05-10 09:12:30"),
            )
        )
    ),
    (
        "a time of no record where a number was asked",
        HR,
        '{"answer": "09:13"}',
        "hallucination.fabricated_time",
        "09:13 is the time of no record.",
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
    (
        "the time without its date",
        TIME,
        "It was highest at 09:12:30.",
        "omission.partial_answer",
        "The time is right, and the date that was asked for is not given.",
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
    (
        "a time invented behind the answer",
        PRESSURE,
        'It is 57. {"answer": 57, "time": "2022-02-20 15:15:00"}',
    ),
    ("a mean that is no reading", PRESSURE, 'The mean heart rate is 97. {"answer": 57}'),
)


@pytest.mark.parametrize(("gold", "text"), [r[1:] for r in SILENT], ids=[r[0] for r in SILENT])
def test_silence_without_evidence(gold: Instance, text: str) -> None:
    assert causes(gold, text) == []


def _counted(sign: str, holds: tuple[bool, ...]) -> Instance:
    """How often the heart rate (88, 110, 50) is in a relation to 90."""
    said = ("yes" if one else "no" for one in holds)
    return instance(
        question="In how many records is the heart rate as asked, compared with 90 bpm?",
        operation="aggregation",
        answer=str(sum(holds)),
        answer_exact=str(sum(holds)),
        answer_type="count",
        unit=None,
        worked=tuple(f"{rate} {sign} 90: {word}." for rate, word in zip((88, 110, 50), said, strict=True)),
    )


NOT_BELOW, NOT_ABOVE = _counted(">=", (False, True, False)), _counted("<=", (True, False, True))
ABOVE, BELOW = _counted(">", (False, True, False)), _counted("<", (True, False, True))
DENIED: tuple[tuple[str, Instance, str, list[str]], ...] = (
    ("at least: not below", NOT_BELOW, "110 is not below 90: yes.", []),
    ("at most: not above", NOT_ABOVE, "88 is not above 90: yes.", []),
    ("above, denied", ABOVE, "88 is not above 90: no. 110 is above 90: yes.", []),
    ("above, denied only", ABOVE, "88 is not above 90: no.", []),
    ("below: not above", BELOW, "88 is not above 90: yes.", ["88 is compared by <=; asked is <."]),
    ("above: not below", ABOVE, "110 is not below 90: yes.", ["110 is compared by >=; asked is >."]),
    ("denied wrongly", ABOVE, "110 is not above 90: yes.", ['"110 is not above 90: yes" is not so.']),
)


@pytest.mark.parametrize(("gold", "text", "sentences"), [r[1:] for r in DENIED], ids=[r[0] for r in DENIED])
def test_a_denied_comparison(gold: Instance, text: str, sentences: list[str]) -> None:
    found = causes(gold, f"{text} The answer is 3.")
    assert [said for code, said in found if code.endswith("wrong_comparator")] == sentences


CUT_OFF: tuple[tuple[str, str, list[str]], ...] = (
    ("nothing wrong so far", "At 09:12:30 the heart rate", ["unanswered.truncated"]),
    (
        "another record's value before the cut",
        "At 2180-05-10 09:12:30 the heart rate was 88 bpm, and the blood pressure",
        ["contextual_inconsistency.wrong_record"],
    ),
    (
        "the asked value as a step, before the cut",
        "At 2180-05-10 09:12:30 the heart rate was 110 bpm, and the blood pressure",
        ["unanswered.truncated"],
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
    ("a short loop", "It was 36." + "999" * 9, ["output_error.repetition"]),
    ("a time within a loop", "It is 2022-02-13 13:57:00, " * 5, ["output_error.repetition"]),
    (
        "a list that goes on",
        "1. It is 88 bpm first\n2. it rises to 110 bpm\n3. the",
        ["unanswered.truncated"],
    ),
    ("another reading of the asked vital sign", "The heart rate is 88 bpm at first\n2. it rises to", []),
    ("an answer of another kind", "The answer is: 09:12:30\n\nThe reason is", []),
)


@pytest.mark.parametrize(("text", "codes"), [r[1:] for r in CUT_OFF], ids=[r[0] for r in CUT_OFF])
def test_what_had_failed_before_a_cut_comes_first(text: str, codes: list[str]) -> None:
    assert [code for code, _ in causes(HR, text, finish="length")] == codes


def test_a_request_that_failed_is_no_failure_of_the_model() -> None:
    assert causes(HR, "", finish="error") == []


def test_a_tiny_number_is_not_the_0_that_a_mistake_gives() -> None:
    assert set(matched(UNCHANGED, 0.0, "0.00")) == {WRONG_VITAL}
    assert not matched(UNCHANGED, 1e-17, "0.00000000000000001")
