"""Score numbers, counts, dates and times, and unanswerable questions.

A number is right (`lenient`) if it equals `answer`, or, written with more digits than asked, if it equals
`answer_exact` rounded to its own digits; where that rounding is a tie, both neighbours are right. There is no
tolerance: fewer digits than asked must still equal `answer`. A date and time must be the asked one to the
second. Where a question cannot be answered, declining is right and any value is wrong.

`strict` also wants the asked form: a JSON object with `answer`, plain writing, the asked number of decimals,
no unit or the asked one, `YYYY-MM-DD HH:MM:SS`.

Units: a wrong name (bpm for mmHg) costs `strict`. A unit in which the number is another value (°F for °C, kPa
for mmHg, a percentage for a ratio) costs `strict` too, and the value is converted (factors in
`parsing.units`). It is right if it is exactly the gold; else its last digit must be worth at most twice the
asked one, so that it tells the gold from its neighbours ("11.9 kPa" does not tell 89.3 mmHg), and it must,
converted and rounded to the asked decimals, equal `answer`, unless it claims a whole digit more than was
asked; or equal `answer_exact`, converted and rounded to its own digits. This rule is ours. An imported item
without a unit is taken to ask for per cent if its question mentions per cent.

Not accepted: what `clinicnum.parsing` refuses; a magnitude with its direction in words ("10.61% decrease" for
-10.61), as the question asks for the sign. `lower` and `upper` are not used: they belong to `medcalc`.
"""

import re
from datetime import datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

from clinicnum.parsing import Found, Reading, ValueKind
from clinicnum.parsing.numbers import MAX_DIGITS
from clinicnum.parsing.units import compare_units, conversion, rounds_to
from clinicnum.scoring.shared_scoring_steps import Verdict, judged, read_as
from clinicnum.types import Generation, Instance, Score

_KINDS: dict[str, ValueKind] = {
    "number": "number",
    "count": "count",
    "datetime": "datetime",
    "unanswerable": "any",
}
LENGTH_OF_A_TIME = len("2180-05-10 06:27:00")
_EXACT = re.compile(r"-?[0-9]+(?:\.[0-9]+|/[0-9]*[1-9][0-9]*)?")
_PER_CENT = re.compile(r"%|\bper\s?cent", re.IGNORECASE)


def fault(instance: Instance) -> str | None:
    """What is wrong with the gold; None if nothing is."""
    return _fault(instance.answer_type, instance.answer, instance.answer_exact)


@lru_cache(maxsize=10_000)
def _fault(answer_type: str, answer: str | None, exact: str | None) -> str | None:
    if answer_type not in _KINDS:
        return (
            f"scoring 'numeric' of answer type {answer_type!r} is not available; expected one of "
            f"{', '.join(_KINDS)}; correct the answer type or the scoring"
        )
    if (answer is None) != (answer_type == "unanswerable"):
        return (
            f"answer is {answer!r} but answer_type is {answer_type!r}; only the "
            "unanswerable have no answer; correct one of them"
        )
    if answer is None:
        return None
    if answer_type == "datetime":
        if _time(answer) is None:
            return f"answer is {answer!r}; expected a time as YYYY-MM-DD HH:MM:SS; correct it"
        return None
    if finite_number(answer) is None:
        return f"answer is {answer!r}; expected a number in digits; correct it"
    if exact is not None and not _EXACT.fullmatch(exact):
        return f"answer_exact is {exact!r}; expected a decimal or a fraction; correct it"
    return None


def read(instance: Instance, text: str, cut_off: bool) -> Reading:
    """The answer read from a text, which may be `cut_off`."""
    return read_as(_KINDS[instance.answer_type], instance, text, cut_off)


def judge(instance: Instance, generation: Generation) -> Score:
    """The score of a generation."""
    return judged(_KINDS[instance.answer_type], instance, generation, lambda found: _verdict(found, instance))


def _verdict(found: Found, instance: Instance) -> Verdict:
    if instance.answer is None:
        return Verdict(False, f"{found.written} is given, but the records do not document it")
    if instance.answer_type == "datetime":
        right, reason = _compare_times(found, instance.answer)
    else:
        right, reason = compare_numbers(found, instance, instance.answer)
    return Verdict(right, reason, right and _asked_form(found, instance))


def _compare_times(found: Found, answer: str) -> tuple[bool, str]:
    if found.value is None:
        return False, f"{found.written} is the time of no record"
    if found.value == _time(answer):
        return True, f"{found.written} is the time asked for"
    return False, f"{found.written} is not {answer}"


def compare_numbers(found: Found, instance: Instance, answer: str) -> tuple[bool, str]:
    """Whether a number equals the gold of a numeric instance, and why."""
    assert isinstance(found.value, Decimal)
    asked_unit = _asked_unit(instance)
    if compare_units(asked_unit, found.unit) == "other_scale":
        return _compare_converted(found, instance, asked_unit, answer)
    if found.value == Decimal(answer):
        return True, f"{found.written} equals {answer}"
    digits = _decimals(found)
    exact = instance.answer_exact if digits > _asked_decimals(instance) else None
    if exact is not None and rounds_to(Fraction(exact), Fraction(found.value), digits):
        return True, f"{found.written} is {exact} rounded to {digits} decimals"
    return False, f"{found.written} is not {answer}"


def _compare_converted(
    found: Found, instance: Instance, asked_unit: str | None, answer: str
) -> tuple[bool, str]:
    """As `compare_numbers`, for a number whose unit must first be converted to the asked unit (°F to °C)."""
    assert isinstance(found.value, Decimal)
    assert found.unit is not None
    said, wanted = f"{found.written} {found.unit}", f"{answer} {asked_unit or ''}".rstrip()
    change = conversion(asked=asked_unit, written=found.unit)
    if change is None:
        return False, f"{said} is not a value in {asked_unit or 'no unit'}"
    written, decimals, digits = Fraction(found.value), _asked_decimals(instance), _decimals(found)
    asked_step, step = Fraction(1, 10**decimals), abs(change.factor) / 10**digits
    exact = Fraction(instance.answer_exact or answer)
    if change.forward(written) in (exact, Fraction(answer)):
        return True, f"{said} is {wanted}"
    if step > 2 * asked_step:
        return False, f"{said} is too coarse to tell {wanted}"
    if 10 * step > asked_step and rounds_to(change.forward(written), Fraction(answer), decimals):
        return True, f"{said} is {wanted}"
    if rounds_to(change.back(exact), written, digits):
        return True, f"{said} is {wanted} rounded to {digits} decimals"
    return False, f"{said} is not {wanted}"


def _asked_form(found: Found, instance: Instance) -> bool:
    if not found.plain:
        return False
    if isinstance(found.value, datetime):
        return True
    named = compare_units(_asked_unit(instance), found.unit) in ("none", "asked")
    return named and _decimals(found) == _asked_decimals(instance)


def _asked_unit(instance: Instance) -> str | None:
    return "%" if instance.unit is None and asks_per_cent(instance) else instance.unit


def asks_per_cent(instance: Instance) -> bool:
    """Whether an imported item without a unit asks for per cent."""
    return instance.operation == "external" and _PER_CENT.search(instance.question) is not None


def _asked_decimals(instance: Instance) -> int:
    if instance.decimals is not None:
        return instance.decimals
    return len((instance.answer or "").partition(".")[2])


def _decimals(found: Found) -> int:
    return len(found.written.partition(".")[2])


def _time(text: str) -> datetime | None:
    if len(text) != LENGTH_OF_A_TIME or text[10] != " ":
        return None
    try:
        return datetime.fromisoformat(text)  # a tenth of the time that strptime takes
    except ValueError:
        return None


def finite_number(text: str) -> Decimal | None:
    """A finite number from digits; None for anything else."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) <= MAX_DIGITS else None
