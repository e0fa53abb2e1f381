"""Readings of instances, and scores from readings: what all kinds of answer have in common."""

from clinicnum.parsing import TIMED, Reading, ValueKind, parse_answer
from clinicnum.types import Generation, Instance, Score


def read_as(kind: ValueKind, instance: Instance, text: str, cut_off: bool) -> Reading:
    """The answer of that kind as read out of a text, with what the reader must know of the instance."""
    return parse_answer(
        text,
        kind=kind,
        times=[record.charttime for record in instance.records] if kind in TIMED else (),
        asked=instance.question,
        options=instance.options,
        cut_off=cut_off,
    )


def with_value(
    generation: Generation, reading: Reading, *, lenient: bool, asked_form: bool, reason: str
) -> Score:
    """Score of a text in which a value was found; `asked_form` counts only beside a right value in JSON."""
    assert reading.found is not None
    return Score(
        generation_id=generation.generation_id,
        parsed=reading.found.written,
        form=reading.form,
        status="correct" if lenient else "incorrect",
        strict=lenient and asked_form and reading.form == "json",
        lenient=lenient,
        reason=reason,
    )


def without_value(instance: Instance, generation: Generation, reading: Reading) -> Score:
    """Score of a text in which no value was found: right only if there is none to be found."""
    right = reading.kind == "abstention" and instance.answer is None
    status = "abstained" if reading.kind == "abstention" else reading.kind
    reason = reading.why
    if generation.finish_reason == "error" and reading.kind == "empty":
        reason = "the prompt could not be run"
    return Score(
        generation_id=generation.generation_id,
        parsed=None,
        form=reading.form,
        status="correct" if right else status,
        strict=right and reading.form == "json",
        lenient=right,
        reason=reason,
    )
