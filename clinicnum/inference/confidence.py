"""A model's confidence: the probability of the tokens that spell its answer, and of its whole text.

The answer's tokens are those that cover any character of the value that scoring reads; that it ends there
does not count. The conditional probabilities are those at temperature 1 of the tokens that were chosen.
"""

import math
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clinicnum.inference.client_interface import Completion, Token
from clinicnum.scoring import read_generated
from clinicnum.types import Instance

LEAST = sys.float_info.min
"""Replaces a probability that is too small for a float, as it is not 0."""


class Confidence(NamedTuple):
    """The probabilities of the answer's tokens and of the whole text; None if they cannot be computed."""

    answer: float | None
    """Probability of the answer's tokens; None also if no answer was read or its position is uncertain."""
    text: float | None
    """Probability of the whole text, including the end token, without thinking."""


def confidences(completion: Completion, instance: Instance) -> Confidence:
    """A model's confidence in its answer to an instance, from the tokens of the completion; never raises."""
    tokens = completion.tokens
    if not tokens or completion.finish_reason == "error":
        return Confidence(None, None)
    return Confidence(_of_answer(completion, tokens, instance), _probability(t.logprob for t in tokens))


def _of_answer(completion: Completion, tokens: Sequence[Token], instance: Instance) -> float | None:
    reading = read_generated(completion.text, instance, cut_off=completion.finish_reason == "length")
    if reading is None or reading.kind not in ("value", "abstention") or reading.span is None:
        return None
    start, stop = reading.span
    begins = [0, *(token.end for token in tokens[:-1])]
    covering = [
        token.logprob
        for begin, token in zip(begins, tokens, strict=True)
        if token.end > start and begin < stop
    ]
    return _probability(covering) if covering else None


def _probability(logprobs: Iterable[float]) -> float | None:
    total = math.fsum(min(one, 0.0) for one in logprobs)
    return None if math.isnan(total) else max(LEAST, math.exp(total))
