"""Judges a generation against its instance: what is right, and what is right in the asked form.

A number is right (`lenient`) if it equals `answer`, or, written with more digits than asked, if it equals
`answer_exact` rounded to its own digits; where that rounding is a tie, both neighbours are right. Tolerance
is none: fewer digits than asked must still equal `answer`. A date and time must be the asked one to the
second. Where a question cannot be answered, declining is right and any value is wrong.

`strict` also wants the asked form: a JSON object with `answer`, plain writing, the asked number of decimals,
no unit or the asked one, `YYYY-MM-DD HH:MM:SS`. Status follows `lenient`.

Units: a wrong name (bpm for mmHg) costs `strict`. A unit that makes the number another value (°F for °C, kPa
for mmHg, a percentage for a ratio) makes it wrong; nothing is converted here.

Not accepted: what `clinicnum.parsing` refuses; a magnitude with its direction in words ("10.61% decrease" for
-10.61), as the question asks for the sign. `lower` and `upper` are not used: they belong to `medcalc`.
"""

from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from clinicnum.errors import InputError
from clinicnum.parsing import Found, Reading, ValueKind, parse_answer
from clinicnum.parsing.units import compare_units
from clinicnum.types import TIME_FORMAT, Generation, Instance, Score

_KINDS: dict[str, ValueKind] = {
    "number": "number",
    "count": "count",
    "datetime": "datetime",
    "unanswerable": "any",
}
_PRECISION = 100


def check_scorable(instance: Instance) -> None:
    """Raise InputError for an instance whose kind of answer has no scorer."""
    if instance.scoring != "numeric" or instance.answer_type not in _KINDS:
        raise InputError(
            f"instance {instance.instance_id}: scoring {instance.scoring!r} of answer type "
            f"{instance.answer_type!r} is not available; expected scoring 'numeric' of "
            f"{', '.join(_KINDS)}; leave such instances out"
        )
    if (instance.answer is None) != (instance.answer_type == "unanswerable"):
        raise InputError(
            f"instance {instance.instance_id}: answer is {instance.answer!r} but answer_type is "
            f"{instance.answer_type!r}; only the unanswerable have no answer"
        )


def score(*, instance: Instance, generation: Generation) -> Score:
    """Judge one generation. No text raises; an instance that has no scorer does (see `check_scorable`)."""
    check_scorable(instance)
    reading = _read(generation.text, instance, cut_off=generation.finish_reason == "length")
    if reading.found is None:
        return _without_value(instance, generation, reading)
    if instance.answer is None:
        lenient, reason = False, f"{reading.found.written} is given, but the records do not document it"
    elif instance.answer_type == "datetime":
        lenient, reason = _compare_times(reading.found, instance.answer)
    else:
        lenient, reason = _compare_numbers(reading.found, instance)
    return Score(
        generation_id=generation.generation_id,
        parsed=reading.found.written,
        form=reading.form,
        status="correct" if lenient else "incorrect",
        strict=lenient and reading.form == "json" and _asked_form(reading.found, instance),
        lenient=lenient,
        reason=reason,
    )


def read_generated(text: str, instance: Instance, *, cut_off: bool) -> Reading | None:
    """The answer to an instance as read out of a text; None for a kind of answer that is not read so."""
    return _read(text, instance, cut_off=cut_off) if instance.answer_type in _KINDS else None


def _read(text: str, instance: Instance, *, cut_off: bool) -> Reading:
    return parse_answer(
        text,
        kind=_KINDS[instance.answer_type],
        times=[record.charttime for record in instance.records],
        asked=instance.question,
        cut_off=cut_off,
    )


def _without_value(instance: Instance, generation: Generation, reading: Reading) -> Score:
    """Status of a text in which no value was found."""
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


def _compare_times(found: Found, answer: str) -> tuple[bool, str]:
    if found.value is None:
        return False, f"{found.written} is the time of no record"
    if found.value == datetime.strptime(answer, TIME_FORMAT):
        return True, f"{found.written} is the time asked for"
    return False, f"{found.written} is not {answer}"


def _compare_numbers(found: Found, instance: Instance) -> tuple[bool, str]:
    assert isinstance(found.value, Decimal)
    assert instance.answer is not None
    if compare_units(instance.unit, found.unit) == "other_scale":
        return False, f"{found.written} {found.unit} is not a value in {instance.unit or 'no unit'}"
    if found.value == Decimal(instance.answer):
        return True, f"{found.written} equals {instance.answer}"
    digits = _decimals(found)
    if instance.answer_exact is not None and digits > _asked_decimals(instance):
        off = abs(Fraction(found.value) - Fraction(instance.answer_exact))
        if 2 * off * 10**digits <= 1:  # half a unit of its last digit: what rounding may change
            return True, f"{found.written} is {instance.answer_exact} rounded to {digits} decimals"
    return False, f"{found.written} is not {instance.answer}"


def _asked_form(found: Found, instance: Instance) -> bool:
    if not found.plain:
        return False
    if isinstance(found.value, datetime):
        return True
    named = compare_units(instance.unit, found.unit) in ("none", "asked")
    return named and _decimals(found) == _asked_decimals(instance)


def _asked_decimals(instance: Instance) -> int:
    if instance.decimals is not None:
        return instance.decimals
    return len((instance.answer or "").partition(".")[2])


def _decimals(found: Found) -> int:
    return len(found.written.partition(".")[2])
