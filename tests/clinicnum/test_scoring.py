"""What counts as right. The written answers with their expected status and value stand in `answers/`."""

import pytest

from clinicnum.errors import InputError
from clinicnum.scoring import check_scorable, read_generated, score
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.answers import (
    HR,
    ONE,
    TIME,
    Row,
    choices,
    counting,
    declining,
    elsewhere,
    hostile,
    marked,
    medcalc,
    numbers,
    texts,
    times,
    units,
)

FILES = (marked, numbers, units, declining, counting, times, choices, medcalc, texts, hostile)
ROWS = [
    pytest.param(*row[1:], id=f"{file.__name__.rpartition('.')[2]}: {row[0]}")
    for file in FILES
    for row in file.ROWS
]


def test_the_table_is_large_and_names_each_row_once() -> None:
    for file in FILES:
        names = [row[0] for row in file.ROWS]
        assert len(names) == len(set(names)), file
    assert len(ROWS) >= 400
    assert {row[1].scoring for file in FILES for row in file.ROWS} == {
        "numeric",
        "medcalc",
        "choice",
        "medec",
        "points",
    }


@pytest.mark.parametrize(("gold", "text", "status", "value", "strict"), ROWS)
def test_score(gold: Instance, text: str, status: str, value: str | None, strict: bool) -> None:
    result = score(instance=gold, generation=generation(text, of=gold))
    assert (result.status, result.parsed, result.strict) == (status, value, strict), result
    assert result.lenient == (status == "correct")
    assert result.reason


CUT: list[Row] = [
    ("reasoning without a mark", HR, "The record of 09:12:30 says 110", "truncated", None, False),
    ("whole JSON before the cut", HR, '{"answer": 110} because the second rec', "correct", "110", True),
    ("JSON cut within the number", HR, '{"answer": 11', "truncated", None, False),
    ("an answer tag cut within the number", HR, "<answer>11", "truncated", None, False),
    ("a phrase cut after a digit", HR, "The answer is 11", "truncated", None, False),
    ("a phrase with words after the number", HR, "The answer is 110 bpm, since the", "correct", "110", False),
    ("a time cut within its seconds", TIME, "The answer is 2180-05-10 09:12", "truncated", None, False),
    ("declining in prose, then cut", HR, "The pain is not documented, so let us", "truncated", None, False),
    ("cut within the thinking", HR, '<think>{"answer": 110} or is it', "truncated", None, False),
    ("cut before anything was written", HR, "", "truncated", None, False),
    ("a letter that may begin a word", choices.SHOCK, "The answer is B", "truncated", None, False),
    ("a letter in whole JSON", choices.SHOCK, '{"answer": "B"} beca', "correct", "B", True),
    ("points cut off before the last", texts.SHOCK, "The index is 1.5, above", "truncated", None, False),
    ("a review cut off before an id", texts.WRONG, "Let me see which sentence", "truncated", None, False),
    ("a date cut within its year", medcalc.DUE, "The answer is 09/23/2014", "truncated", None, False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "text", "status", "value", "strict"), [r[1:] for r in CUT], ids=[r[0] for r in CUT]
)
def test_score_of_a_text_that_was_cut_off(
    gold: Instance, text: str, status: str, value: str | None, strict: bool
) -> None:
    result = score(instance=gold, generation=generation(text, of=gold, finish="length"))
    assert (result.status, result.parsed, result.strict) == (status, value, strict), result


def test_without_seconds_two_records_in_one_minute_leave_it_open() -> None:
    twins = tuple(
        r.model_copy(update={"charttime": r.charttime.replace(day=10, hour=9, minute=12, second=i)})
        for i, r in enumerate(TIME.records)
    )
    gold = TIME.model_copy(update={"records": twins, "answer": "2180-05-10 09:12:01"})
    result = score(instance=gold, generation=generation("2180-05-10 09:12", of=gold))
    assert (result.status, result.reason) == ("unparsable", "2180-05-10 09:12 fits 3 records")


def test_a_sample_that_failed_is_an_error_and_says_so() -> None:
    result = score(instance=HR, generation=generation("", finish="error"))
    assert (result.status, result.reason) == ("error", "an error in place of an answer: the sample failed")


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        (instance(answer_type="text"), "answer type 'text' is not available"),
        (instance(answer=None), "only the unanswerable have no answer"),
        (instance(answer="about 110"), "answer is 'about 110'; expected a number in digits"),
        (instance(answer="1e999999999"), "expected a number in digits"),
        (instance(answer_exact="1/0"), "answer_exact is '1/0'; expected a decimal or a fraction"),
        (TIME.model_copy(update={"answer": "2180-05-10"}), "expected a time as YYYY-MM-DD HH:MM:SS"),
        (elsewhere(scoring="medcalc"), "lower is None; expected a number in digits"),
        (medcalc.DUE.model_copy(update={"answer": "soon"}), "expected a date as MM/DD/YYYY"),
        (medcalc.AGE.model_copy(update={"answer": "soon"}), "expected weeks and days"),
        (medcalc.SCORE.model_copy(update={"answer": None}), "answer is None; expected a gold"),
        (instance(scoring="choice"), "options are 0; expected 2 to 26"),
        (choices.SHOCK.model_copy(update={"answer": "E"}), "expected the letter of an option"),
        (choices.SHOCK.model_copy(update={"answer": None}), "expected the letter of an option"),
        (texts.WRONG.model_copy(update={"answer": "wrong"}), "expected CORRECT, or an id and the sentence"),
        (elsewhere(scoring="points"), "points is empty; expected at least one answer point"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.scoring,
)
def test_a_gold_that_its_scorer_cannot_use_is_one_error(faulty: Instance, said: str) -> None:
    with pytest.raises(InputError) as raised:
        check_scorable(faulty)
    assert str(raised.value).startswith("instance i0: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError):
        score(instance=faulty, generation=generation("110", of=faulty))


def test_what_is_read_says_where_it_stands() -> None:
    for gold, text, spelt in (
        (HR, 'so {"answer": 110}', "110"),
        (choices.SHOCK, 'so {"answer": "B"}', "B"),
        (medcalc.DUE, 'so {"answer": "09/23/2014"}', "09/23/2014"),
        (HR, "<think>88</think>110", "110"),
        (HR, "so <answer>110</answer>", "110"),
        (ONE, "At 11:01 in 1 record, of 11", "1"),
        (choices.SHOCK, "BP 80: B, as BP 80 is low", "B"),
    ):
        reading = read_generated(text, gold, cut_off=False)
        assert reading is not None
        assert reading.span is not None
        assert text[slice(*reading.span)] == spelt
    assert read_generated("1.5", texts.SHOCK, cut_off=False) is None
