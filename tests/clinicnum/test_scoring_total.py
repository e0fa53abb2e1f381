"""Scoring is total: no text raises, and none takes long."""
# ruff: noqa: E501 -- lists of pieces

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.scoring import read_generated, score
from clinicnum.types import Instance
from tests.clinicnum.answering import cpu_seconds, generation
from tests.clinicnum.answers import COUNT, HR, INDEX, NOTHING, SHARE, TEMP, TIME, choices, medcalc, texts

NUMERIC = (HR, TEMP, INDEX, SHARE, COUNT, TIME, NOTHING)
OTHERS = (
    choices.SHOCK,
    choices.UNSURE,
    choices.OWN,
    choices.WHEN,
    medcalc.CLEARANCE,
    medcalc.SODIUM,
    medcalc.SCORE,
    medcalc.DUE,
    medcalc.AGE,
    texts.WRONG,
    texts.FINE,
    texts.SHOCK,
)
ONE_OF_EACH = (HR, COUNT, TIME, NOTHING, choices.SHOCK, medcalc.DUE, medcalc.AGE, texts.WRONG, texts.SHOCK)

PIECES = (
    "9", "{", '{"answer":', "answer is ", "not ", '{"a":{"answer":[', "one hundred ", "1,", "\\boxed{", "09:12:",
    " ", "answer to ", "-", "110 = ", "pain not recorded, ", "heart rate not recorded, ", "no record ",
    '{"answer": "' + " " * 399 + 'x"} ', "in 1 record ", "one record ", "1. ", "<answer>", "<think>", "[",
    "37 °C (99 °F) ", "A or B ", "2 x\n", "4 weeks ", "09/23/2014 ", "1.5 no ", "1\n", "option B ", "**", "\u200b1",
    "sentence 2 ", '"answer": "', "(1 ", "1 (2 °F) ", "10^", "B\n", "May 10 ", "1:", "20140923", "<b>", "1.73 m2/",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: repr(piece[:12]))
def test_a_megabyte_of_anything_is_scored_at_once(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + "x"
    for gold in (HR, COUNT, TIME, choices.SHOCK, medcalc.DUE, texts.WRONG, texts.SHOCK):
        given_text = generation(text, of=gold)
        seconds = cpu_seconds(partial(score, instance=gold, generation=given_text))
        assert seconds < 1, (gold.scoring, gold.answer_type)


_FRAGMENTS = st.sampled_from(
    ['{"answer": ', "}", "{", '"', "'", "\\boxed{", "The answer is ", "110", "-", ",", ".", "9:12", "2180-05-10",
     " ", "\n", "not documented", "hundred", "point", "e9", "%", "°F", "=", "\x00", "�", "½", "٣", "[", "null", "am",
     "B", "A", "(", ")", " or ", "option ", "1.5", "Adrenaline", "CORRECT", "2 ", "sentence ", "weeks", " days",
     "09/23/2014", "/", "<think>", "</think>", "<answer>", "</answer>", "^", "\\frac", "x", ":1", "kPa", "lb", "²",
     "\u200b", "#### ", "1. ", "18. ", "no ", "because ", '"unit": "°F"', "mL/min/1.73 m2"]
)  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(_FRAGMENTS, max_size=30).map("".join))


def _check(gold: Instance, text: str, finish: str) -> None:
    result = score(instance=gold, generation=generation(text, of=gold, finish=finish))
    assert result.lenient == (result.status == "correct")
    assert result.lenient or not result.strict
    assert result.reason
    reading = read_generated(text, gold, cut_off=finish == "length")
    if reading is not None and reading.span is not None:
        start, stop = reading.span
        assert 0 <= start <= stop <= len(text)


@settings(max_examples=150, deadline=None)
@given(text=_TEXTS, finish=st.sampled_from(["stop", "length", "error"]))
def test_no_text_raises(text: str, finish: str) -> None:
    for gold in NUMERIC:
        _check(gold, text, finish)


@settings(max_examples=150, deadline=None)
@given(text=_TEXTS, finish=st.sampled_from(["stop", "length", "error"]))
def test_no_text_raises_for_other_kinds_of_answer(text: str, finish: str) -> None:
    for gold in OTHERS:
        _check(gold, text, finish)


@settings(max_examples=120, deadline=None)
@given(raw=st.binary(max_size=200))
def test_no_bytes_raise(raw: bytes) -> None:
    for gold in ONE_OF_EACH:
        _check(gold, raw.decode("utf-8", "replace"), "stop")
        _check(gold, raw.decode("latin-1"), "stop")
