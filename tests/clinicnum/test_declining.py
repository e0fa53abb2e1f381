"""The linear model that tells whether an answer to an unanswerable question declines."""

import json
from pathlib import Path

import pytest

from clinicnum.parsing.abstention_classifier import declining, phrases_of
from clinicnum.scripts.dev.train_abstention_classifier import ANSWERS, WEIGHTS, train


def test_the_shipped_weights_are_those_of_the_answers() -> None:
    rows = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
    fitted = train([row["text"] for row in rows], [row["verdict"] == "abstains" for row in rows])
    shipped = json.loads(Path(WEIGHTS).read_text("utf-8"))
    both = set(fitted["weights"]) | set(shipped["weights"])
    apart = {
        one for one in both if abs(fitted["weights"].get(one, 0) - shipped["weights"].get(one, 0)) > 0.011
    }
    assert not apart
    assert fitted["intercept"] == pytest.approx(shipped["intercept"], abs=0.011)


def test_numbers_are_one_phrase_and_last_words_are_marked() -> None:
    assert phrases_of("MAP 89.3 on 2140-11-11") >= {"map", "#", "map #", "# on", "END #", "END # $"}
    middle = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz") * 20
    assert "END first" not in phrases_of(f"first {middle}")


@pytest.mark.parametrize(
    ("text", "declines"),
    [
        (
            "There is simply no way of telling what the MAP was, so I would rather not put a figure on it.",
            True,
        ),
        ("Carrying forward the 120 mmHg from before, I get a MAP of 93.3 mmHg.", False),
    ],
)
def test_the_probability_and_what_it_rests_on(text: str, declines: bool) -> None:
    judged = declining(text)
    assert (judged.probability > 0.5) is declines
    assert len(judged.phrases) == 3
    assert set(judged.phrases) <= {phrase.removeprefix("END ") for phrase in phrases_of(text)}


@pytest.mark.parametrize(
    "text", ["No consta, pero vale noventa.", "未记录，约90。", "zzyzx", "Sistolični tlak nije zabilježen."]
)
def test_texts_of_unknown_words_are_left_to_the_rules(text: str) -> None:
    assert declining(text).probability == 0.5
