"""Read an answer and score it: the steps that all kinds of answer share."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from clinicnum.parsing import OFFERS, TIMED, Found, Reading, ValueKind, parse_answer, parse_flexibly
from clinicnum.parsing.abstention import refuses_advice
from clinicnum.parsing.abstention_classifier import SURE, declining
from clinicnum.parsing.thinking import split_thinking
from clinicnum.types import Generation, Instance, Score


class Verdict(NamedTuple):
    """How a value compares with the gold, and why."""

    right: bool
    reason: str
    asked_form: bool = False
    """Whether the value is written as the question asked."""


def read_as(kind: ValueKind, instance: Instance, text: str, cut_off: bool) -> Reading:
    """Read the answer of the given kind from a text, which may be `cut_off`, with the context that the parser
    needs from the instance.
    """
    return parse_answer(
        text,
        kind=kind,
        times=_times(kind, instance),
        asked=instance.question,
        options=instance.options,
        cut_off=cut_off,
    )


def judged(
    kind: ValueKind, instance: Instance, generation: Generation, compare: Callable[[Found], Verdict]
) -> Score:
    """Score a text: strict, lenient and flexible verdicts; `compare` compares a value with the gold."""
    reading = read_as(kind, instance, generation.text, generation.finish_reason == "length")
    if instance.answer is None:
        reading = _with_model(reading, generation.text)
    if reading.found is not None:
        return _with_value(generation, reading, compare(reading.found))
    if reading.kind != "unparsable":
        return without_value(instance, generation, reading)
    found = parse_flexibly(
        generation.text,
        reading,
        kind=kind,
        times=_times(kind, instance),
        asked=instance.question,
        options=instance.options,
    ).found
    return without_value(
        instance,
        generation,
        reading,
        flexible=found is not None and compare(found).right,
        flexible_parsed=found.written if found else None,
    )


GUESS_SURE = 0.9
"""Probability from which the abstention model overrides a value that the rules find despite an abstention."""


def _with_model(reading: Reading, text: str) -> Reading:
    """The reading of an answer to an unanswerable question, corrected where the abstention classifier is
    confident.

    JSON, a text without an answer, a truncated one and a refusal to give advice are returned unchanged.
    """
    if reading.form == "json" or reading.kind in ("empty", "truncated"):
        return reading
    answer = split_thinking(text)[0].strip()
    if not answer or refuses_advice(answer):
        return reading
    judged = declining(answer)
    because = ", ".join(f'"{phrase}"' for phrase in judged.phrases)
    offers = (reading.form or "").startswith("guess") or reading.why == OFFERS
    sure = GUESS_SURE if offers else SURE
    if judged.probability >= sure and reading.kind != "abstention":
        return Reading("abstention", "prose", f"declines by its words, above all {because}")
    if judged.probability <= 1 - SURE and reading.kind == "abstention":
        return Reading("unparsable", reading.form, f"does not decline by its words, above all {because}")
    return reading


def _times(kind: ValueKind, instance: Instance) -> list[datetime]:
    return [record.charttime for record in instance.records] if kind in TIMED else []


def _with_value(generation: Generation, reading: Reading, verdict: Verdict) -> Score:
    """The score of a text with a value; the requested form counts only if the value is right and in JSON."""
    assert reading.found is not None
    return Score(
        generation_id=generation.generation_id,
        parsed=reading.found.written,
        form=reading.form,
        status="correct" if verdict.right else "incorrect",
        strict=verdict.right and verdict.asked_form and reading.form == "json",
        lenient=verdict.right,
        flexible=verdict.right,
        reason=verdict.reason,
    )


def without_value(
    instance: Instance,
    generation: Generation,
    reading: Reading,
    *,
    flexible: bool = False,
    flexible_parsed: str | None = None,
) -> Score:
    """The score of a text without a marked value: right only if it abstains and no answer exists.

    `flexible` and `flexible_parsed` are the verdict on it, and the value, as a careful reader would read it.
    """
    right = reading.kind == "abstention" and instance.answer is None
    status = "abstained" if reading.kind == "abstention" else reading.kind
    return Score(
        generation_id=generation.generation_id,
        parsed=None,
        form=reading.form,
        status="correct" if right else status,
        strict=right and reading.form == "json",
        lenient=right,
        flexible=right or flexible,
        flexible_parsed=flexible_parsed,
        reason=reading.why,
    )


def failed(generation: Generation) -> Score:
    """The score of a sample that holds an error in place of an answer: reported separately, neither right
    nor wrong.
    """
    return Score(
        generation_id=generation.generation_id,
        parsed=None,
        form=None,
        status="error",
        strict=False,
        lenient=False,
        flexible=False,
        reason=f"an error in place of an answer: {generation.error or 'the sample failed'}",
    )
