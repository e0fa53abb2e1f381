"""The meaning of a wording: parsed by the grammar, then expressed in the terms used for rules."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from clinicnum.templates.proof.clinical_score_tables import NEWS2
from clinicnum.templates.proof.grammar import Grammar, Meaning, TooManyReadings, grammar_of, parse
from clinicnum.templates.proof.grammar_readers import READERS
from clinicnum.templates.proof.normal_form import ContradictionError
from clinicnum.templates.proof.tokenize_wording import words_of

FILES = ("quantities.txt", "questions.txt", "courses.txt", "scores.txt", "dosing.txt")
MOST_WORDS, MOST_BRACKETS = 200, 20
"""Most words and brackets of a wording that is parsed."""
UNITS = {
    "temperature_c": "°C",
    "heart_rate_bpm": "bpm",
    "resp_rate_bpm": "breaths/min",
    "spo2_pct": "%",
    "sbp_mmhg": "mmHg",
    "dbp_mmhg": "mmHg",
}


def _any_scores(points: Meaning, least: Meaning) -> Meaning:
    return ("any", *(("at_least", part, least) for part in _parts(points)))


def _parts(points: Meaning) -> list[Meaning]:
    return [one for part in points[1:] for one in _parts(part)] if points[0] == "+" else [points]


def _all_news2(spo2: Meaning, *givens: Meaning) -> Meaning:
    vitals = (("news2", ("vital", name)) for name in NEWS2 if name != "spo2_pct")
    return ("+", spo2, *vitals, *(("news2_given", given) for given in givens))


SHORT: dict[str, Callable[..., Meaning]] = {
    "wait": lambda: ("minutes", ("time", "each"), ("time", "next")),
    "span": lambda: ("minutes", ("time", "earliest"), ("time", "latest")),
    "yes": lambda given: ("option_points", given[1], (("no", 0), ("yes", 1))),
    "any_scores": _any_scores,
    "all_news2": _all_news2,
}
"""Abbreviated meanings of the grammar, with what they stand for."""


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar of all questions."""
    return grammar_of([Path(__file__).parent / name for name in FILES], READERS)


@lru_cache(maxsize=4_096)
def meanings(wording: str, labels: tuple[str, ...]) -> tuple[Meaning, ...]:
    """Every possible meaning of a wording; () if the grammar cannot read it."""
    words = words_of(wording, labels)
    while words and words[-1] in (".", "?", ","):
        words = words[:-1]
    if len(words) > MOST_WORDS or words.count("(") > MOST_BRACKETS:
        return ()
    try:
        return tuple(dict.fromkeys(parse(grammar(), "question", words)))
    except TooManyReadings:
        return ()


def expanded(meaning: Meaning) -> Meaning:
    """The meaning with every limit on a number turned into a comparison.

    Raises ContradictionError if the limit has another unit than the number.
    """
    if not isinstance(meaning, tuple):
        return meaning
    if meaning[0] == "holds":
        return _held(expanded(meaning[1]), meaning[2])
    if meaning[0] == "over_some":
        _, how, of, some = meaning
        return ("over", how, expanded(of), some[1], some[2])
    if meaning[0] == "slope_some":
        _, of, some = meaning
        return ("slope", expanded(of), some[1], some[2])
    if meaning[0] in SHORT:
        return SHORT[meaning[0]](*map(expanded, meaning[1:]))
    if meaning[0] == "given":
        return ("given", meaning[1].replace("_", " "))
    return tuple(expanded(part) for part in meaning)


def _held(number: Meaning, limit: Meaning) -> Meaning:
    if limit[0] == "either":
        return ("any", *(_held(number, one) for one in limit[1:]))
    _, comparator, value, unit = limit
    expected = _unit(number)
    if unit and expected and unit.lower() != expected.lower():
        raise ContradictionError(f"it compares a number in {expected} with one in {unit}")
    return (comparator, number, value)


def _unit(number: Meaning) -> str | None:
    """The unit of a number made of vital signs of one unit; None if it is not that simple."""
    if not isinstance(number, tuple):
        return None
    if number[0] == "vital":
        return UNITS[number[1]]
    if number[0] in ("+", "-", "same"):
        units = {_unit(part) for part in number[1:]}
        return units.pop() if len(units) == 1 else None
    if number[0] == "/" and isinstance(number[2], Fraction):
        return _unit(number[1])
    if number[0] == "*" and isinstance(number[1], Fraction):
        return _unit(number[2])
    return None
