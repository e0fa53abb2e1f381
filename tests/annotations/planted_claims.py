"""Verdicts on sentences with known true shares.

Subjects are easy or hard for both models, hard ones get longer answers, and the annotators of an answer see
the same errors.
"""

from collections.abc import Callable, Mapping
from math import exp

import numpy as np

from clinicnum.annotations.claims.verdict_shares import CheckedAnswer

EASE = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of a subject; each as likely as another."""
HARD = {"apt": (0.68, 0.12, 0.20), "bold": (0.50, 0.22, 0.28)}
EASY = {"apt": (0.92, 0.03, 0.05), "bold": (0.84, 0.07, 0.09)}
"""Chances of a sentence to be supported, contradicted and not addressed, by model."""
OMITTED = {"apt": (0.35, 0.10), "bold": (0.45, 0.15)}
"""Chance of a sentence of the reference to be omitted, of hard and of easy subjects."""
LEAST, HARD_MORE, REFERENCE = 3, 5.0, 4
"""Sentences of every answer; how many more the hardest subjects have on average; those of a reference."""
MAJOR = 0.12
"""Chance of a faulty sentence to be majorly harmful."""
ITEMS = 2
"""Of each subject."""
_SAID = ("supported", "contradicted", "not_addressed")
Judged = dict[str, list[CheckedAnswer]]


def chances(model: str, ease: float) -> tuple[float, ...]:
    return tuple(ease * one + (1 - ease) * other for one, other in zip(EASY[model], HARD[model], strict=True))


def omission(model: str, ease: float) -> float:
    hard, easy = OMITTED[model]
    return ease * easy + (1 - ease) * hard


def more(ease: float) -> float:
    return HARD_MORE * (1 - ease)


def _mean(of: Callable[[float], float]) -> float:
    return float(np.mean([of(ease) for ease in EASE]))


def _any_major(model: str, ease: float) -> float:
    """Sentences above the least are Poisson, so the chance of none is their generating function."""
    faulty = MAJOR * (1 - chances(model, ease)[0])
    spared = (1 - faulty) ** LEAST * exp(-more(ease) * faulty)
    return 1 - spared * (1 - MAJOR * omission(model, ease)) ** REFERENCE


def truth(model: str) -> Mapping[str, float]:
    """The true figures of a model."""
    length = _mean(lambda ease: LEAST + more(ease))
    of_claims = {
        name: _mean(lambda ease, at=at: chances(model, ease)[at] * (LEAST + more(ease))) / length  # type: ignore[misc]
        for at, name in enumerate(_SAID)
    }
    return {
        **of_claims,
        "omitted": _mean(lambda ease: omission(model, ease)),
        "major_harm": _mean(lambda ease: _any_major(model, ease)),
        "claims": length,
    }


def planted(rng: np.random.Generator, *, subjects: int = 40, annotators: int = 3) -> Judged:
    """Answers of both models to the same items, each judged by all annotators."""
    found: Judged = {"apt": [], "bold": []}
    for subject in range(subjects):
        ease = float(rng.choice(EASE))
        for item in range(ITEMS):
            for model, answers in found.items():
                drawn = _answer(rng, model, ease, annotators)
                answers.append(CheckedAnswer(f"i{subject}-{item}", f"s{subject}", drawn))
    return found


def _answer(rng: np.random.Generator, model: str, ease: float, annotators: int) -> list[dict[str, str]]:
    n = LEAST + int(rng.poisson(more(ease)))
    options = [
        *[(f"a{at}-{at + 1}", _SAID, chances(model, ease)) for at in range(n)],
        *[
            (f"r{at}-{at + 1}", ("stated", "omitted"), (1 - omission(model, ease), omission(model, ease)))
            for at in range(REFERENCE)
        ],
    ]

    def draw(names: tuple[str, ...], chance: tuple[float, ...]) -> str:
        name = names[int(rng.choice(len(names), p=np.array(chance) / sum(chance)))]
        harm = "" if name in ("supported", "stated") else ":major" if rng.random() < MAJOR else ":none"
        return name + harm

    shared = {key: draw(names, chance) for key, names, chance in options}
    return [
        {key: draw(names, chance) if rng.random() < 0.2 else shared[key] for key, names, chance in options}
        for _ in range(annotators)
    ]
