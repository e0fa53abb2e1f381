"""Classify whether an answer to an unanswerable question abstains: a linear model that supplements the
rules.

The rules of `abstention` and `guess_despite_abstention` misjudge about one answer in twenty that is worded
in a new way. The model is a logistic regression (Hastie, Tibshirani and Friedman, The Elements of
Statistical Learning, 2009, section 4.4) on single words and pairs of adjacent words, trained by
`scripts/dev/train_abstention_classifier.py` on the answers in
`tests/clinicnum/read_texts/unanswerable.jsonl`.
Where it is confident, it overrides the rules.
"""

import json
import math
import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

SURE = 0.7
"""Probability from which the model overrides the rules."""
_NUMBER = re.compile(r"\d+(?:[.:,/-]\d+)*")
_WORD = re.compile(r"[a-z']+|#|[^\w\s]")
_OTHER_LETTERS = re.compile("[\u0400-\u052f\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_LEAST_KNOWN = 0.5
"""Minimum share of a text's words that the model must know to judge it."""
_BEGIN, _END = 400, 600
_LAST_WORDS = 30
_NAMED = 3
"""Number of phrases that an explanation names."""


class Declining(NamedTuple):
    """The classifier's verdict on a text: the probability of an abstention, and the phrases that speak most
    for the likelier side.
    """

    probability: float
    """Probability, from 0 to 1, that the text abstains."""
    phrases: tuple[str, ...]
    """The phrases with the largest weights for the more probable side, largest first."""


def phrases_of(text: str) -> frozenset[str]:
    """The features of a text: words and word pairs of its beginning and end, each number as `#`; those among
    the last 30 words also with the prefix `END`.
    """
    shortened = text if len(text) <= _BEGIN + _END else f"{text[:_BEGIN]} {text[-_END:]}"
    words = _WORD.findall(_NUMBER.sub("#", shortened.lower().replace("’", "'")))
    last = [*words[-_LAST_WORDS:], "$"]
    return frozenset((*_pairs(words), *(f"END {phrase}" for phrase in _pairs(last))))


def declining(text: str) -> Declining:
    """The probability that an answer to an unanswerable question abstains; 0.5 if not in English."""
    weights, intercept = _model()
    found = phrases_of(text)
    scale = 1 / math.sqrt(len(found))
    known = {phrase: weights[phrase] for phrase in found if phrase in weights}
    if not _in_its_language(text, found, known):
        return Declining(0.5, ())
    total = intercept + scale * sum(known.values())
    side = 1 if total > 0 else -1
    heavy = sorted(known, key=lambda phrase: (-side * known[phrase], phrase))
    named = dict.fromkeys(phrase.removeprefix("END ") for phrase in heavy)
    return Declining(1 / (1 + math.exp(-total)), tuple(named)[:_NAMED])


def _in_its_language(text: str, found: frozenset[str], known: Collection[str]) -> bool:
    """Whether a text is in English, the language of the training data: most of its words are known."""
    if _OTHER_LETTERS.search(text):
        return False
    said = {phrase for phrase in found if phrase.isalpha()}
    return not said or sum(word in known for word in said) / len(said) >= _LEAST_KNOWN


def _pairs(words: list[str]) -> list[str]:
    return words + [f"{one} {two}" for one, two in pairwise(words)]


@cache
def _model() -> tuple[dict[str, float], float]:
    stored = json.loads(files("clinicnum.parsing").joinpath("abstention_model.json").read_text("utf-8"))
    return stored["weights"], stored["intercept"]
