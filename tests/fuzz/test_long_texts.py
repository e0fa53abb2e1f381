"""Texts made to take long: whatever a model writes is scored, explained and shown within ten seconds."""

import time
from functools import cache

import pytest

from clinicnum.annotations.masked_model_names import mask_model
from clinicnum.diagnosis import rates_for, suggest
from clinicnum.diagnosis.chance_matches import Rates
from clinicnum.scoring import score
from clinicnum.types import Generation, Instance
from clinicnum.ui.components.render_markdown import render_markdown
from tests.db.examples import instance

LENGTH = 50_000
GUIDELINE = 50_000
"""Characters that a guideline may have."""
MOST_S = 10.0
REPEATED = (
    *(
        "1",
        "-",
        "{",
        "}",
        "[[",
        "]",
        "((",
        "(1",
        "**",
        " ",
        "\n",
        "\t",
        "\\",
        '"',
        "'",
        "$1",
        "|1",
        "%",
        "½",
        "é",
    ),
    *(
        '{"answer": ',
        '{"answer": "1"} ',
        '"answer"',
        "\\boxed{",
        "\\frac{1}{",
        "<answer>",
        "<think>",
        "</think>",
    ),
    *(
        "the answer is ",
        "final answer ",
        "Answer:\n",
        "answer: ",
        "not documented ",
        "none of ",
        "no ",
        "I cannot ",
    ),
    *("1/", "1,", "1:", "10:", "0.", "1e", "1.2.3.4 ", "1+1=", "1 - ", "1 × 1 = ", "x = 1 ", "= ", "1 mmHg "),
    *(
        "2180-05-10 ",
        "2180-05-10 06:27:00 ",
        "May 1, ",
        "1st ",
        "120/80 ",
        "sbp 120 at 06:27 ",
        "1 °F ",
        "9" * 300,
    ),
    *(
        "one hundred and ",
        "twenty-",
        "a. ",
        "A) ",
        "(a) ",
        "step 1: ",
        "therefore ",
        "\u2212",
        "\U0001f600",
        "\0",
    ),
)
DATETIME = {"answer": "2180-05-10 06:27:00", "answer_exact": None, "decimals": None, "unit": None}
CHOICE = {
    "answer": "A",
    "answer_exact": None,
    "decimals": None,
    "unit": None,
    "options": ("1", "2", "3", "4"),
}


@cache
def asked() -> tuple[Instance, ...]:
    """The same question in each kind of answer."""
    one = instance(1)
    return (
        one,
        one.model_copy(update={"answer_type": "datetime", **DATETIME}),
        one.model_copy(update={"answer_type": "count", "decimals": 0, "unit": None}),
        one.model_copy(update={"answer_type": "choice", "scoring": "choice", **CHOICE}),
        one.model_copy(update={"answer_type": "unanswerable", "answer": None, "answer_exact": None}),
    )


@cache
def rates() -> Rates:
    return rates_for([instance(number) for number in range(5)])


@pytest.mark.parametrize("piece", REPEATED, ids=lambda piece: repr(piece[:20]))
def test_no_text_takes_long(piece: str) -> None:
    text = (piece * (LENGTH // len(piece) + 1))[:LENGTH] + "x"
    for one in asked():
        given = Generation(
            generation_id="g", run_id="r", instance_id=one.instance_id, text=text, finish_reason="stop"
        )
        began = time.process_time()
        suggest(instance=one, generation=given, score=score(instance=one, generation=given), rates=rates())
        assert time.process_time() - began < MOST_S, one.answer_type
    began = time.process_time()
    mask_model(text, "org/SmolLM2-135M-Instruct")
    render_markdown(text[:GUIDELINE])
    assert time.process_time() - began < MOST_S
