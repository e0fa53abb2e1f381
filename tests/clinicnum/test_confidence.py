"""The probability of an answer's tokens and of a text's, on tokens made by hand."""

import math
import sys

import pytest

from clinicnum.inference.client_interface import Completion, Token
from clinicnum.inference.confidence import confidences
from clinicnum.parsing import parse_answer
from tests.clinicnum.answering import START, instance

SPANS = {
    '{"answer": 83}': "83",
    '{"answer": "83"}': "83",
    '{"answer": 83, "unit": "bpm"}': "83",
    'So 12, then {"answer": 80}. No: {"answer": 83}': "83",
    '{"reasoning": "the \\"answer\\": 5 is wrong", "answer": 83.50}': "83.50",
    '{"result": {"final_answer": "83 bpm"}}': "83 bpm",
    '{"answer": {"value": 83, "unit": "bpm"}}': '{"value": 83, "unit": "bpm"}',
    "{'answer': '83 '": "83",
    '{"answer": 83': "83",
    "Thus \\boxed{83} bpm": "83",
    "The answer is 83.": "83",
    "the answer is **83** bpm": "83** bpm",
    "83": "83",
    "It was 83 bpm at that time.": "83",
    '{"answer": "not documented"}': "not documented",
    '{"answer": null}': "null",
}


@pytest.mark.parametrize("text", SPANS)
@pytest.mark.parametrize("before", ["", "x" * 60_000 + "\n"], ids=["short", "long"])
def test_where_the_answer_stands(text: str, before: str) -> None:
    reading = parse_answer(before + text, kind="number")
    if before and reading.kind == "unparsable":
        assert text.startswith(("83", "It was"))  # an unmarked value counts in a short text only
        return
    assert reading.span is not None
    start, stop = reading.span
    assert (before + text)[start:stop] == SPANS[text]


@pytest.mark.parametrize("text", ["", "I cannot tell.", "between 80 and 90", '{"answer": [1, 2]}', "eighty"])
def test_no_place_where_none_can_be_told(text: str) -> None:
    reading = parse_answer(text, kind="number")
    assert reading.span is None or reading.kind == "unparsable"


def test_a_time_written_in_another_form_has_no_place_when_unmarked() -> None:
    reading = parse_answer("May 10, 2180, 6:27 AM", kind="datetime", times=[START])
    assert reading.found is not None
    assert reading.span is None


def completion(text: str, cuts: list[str], chances: list[float]) -> Completion:
    """Tokens with these texts and probabilities; an empty text is the end token."""
    assert "".join(cuts) == text
    ends = [len("".join(cuts[: i + 1])) for i in range(len(cuts))]
    tokens = tuple(Token(end, math.log(p)) for end, p in zip(ends, chances, strict=True))
    return Completion("i0", text, "stop", 10, len(tokens), 0.1, tokens=tokens)


def test_the_answer_is_as_likely_as_the_tokens_that_cover_it() -> None:
    made = completion('{"answer": 110}', ['{"', 'answer"', ":", " 1", "1", "0", "}", ""], [0.5] * 8)
    # " 1", "1" and "0" spell 110: 0.5³; all eight: 0.5⁸.
    assert confidences(made, instance()) == (pytest.approx(0.125), pytest.approx(0.5**8))


def test_a_token_that_covers_more_than_the_answer_counts_whole() -> None:
    made = completion('{"answer": 110}', ['{"answer":', ' 110}', ""], [0.9, 0.2, 0.5])  # fmt: skip
    assert confidences(made, instance()) == (pytest.approx(0.2), pytest.approx(0.09))


def test_no_answer_no_tokens_and_errors_have_no_confidence() -> None:
    made = completion("No idea at all", ["No idea", " at all"], [0.5, 0.5])
    assert confidences(made, instance()).answer is None
    assert confidences(made, instance()).text == pytest.approx(0.25)
    without = Completion("i0", '{"answer": 110}', "stop", 10, 3, 0.1)
    assert confidences(without, instance()) == (None, None)
    failed = Completion("i0", "", "error", 10, 0, None, tokens=(), error="too long")
    assert confidences(failed, instance()) == (None, None)
    undefined = Completion("i0", "1", "stop", 10, 1, 0.1, tokens=(Token(1, math.nan),))
    assert confidences(undefined, instance()) == (None, None)


def test_a_very_unlikely_text_is_not_impossible() -> None:
    tokens = tuple(Token(1, -5.0) for _ in range(200))  # e⁻¹⁰⁰⁰ is below what a float can be
    assert confidences(Completion("i0", "1", "stop", 1, 200, 0.1, tokens=tokens), instance()).text == (
        sys.float_info.min
    )


def test_a_letter_has_a_confidence() -> None:
    choice = instance(answer_type="choice", answer="110 bpm", options=("110 bpm", "50 bpm"), scoring="choice")
    parts = ['{"answer": "', "A", '"}']
    found = confidences(completion("".join(parts), parts, [0.5, 0.25, 1.0]), choice)
    assert found == (pytest.approx(0.25), pytest.approx(0.125))


def test_kinds_that_are_not_read_have_a_confidence_of_the_text_only() -> None:
    points = instance(answer_type="points", points=({"id": "1", "text": "110"},), scoring="points")
    assert confidences(completion("A", ["A"], [0.5]), points) == (None, pytest.approx(0.5))
