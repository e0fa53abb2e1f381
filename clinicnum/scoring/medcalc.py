"""Score MedCalc-Bench: numbers between limits; dates, weeks with days and rule-based scores exactly.

Source: Khandekar et al. 2024 (arXiv 2406.12036) and its `check_correctness`
(github.com/ncbi-nlp/MedCalc-Bench, evaluation/evaluate.py). A decimal is right from `lower` to `upper`, both
included: 5 % to either side of the gold. A whole number is rounded (half to even) and must then be the gold.
A date must be the same day, weeks with days the same length.

How an answer is read is ours (`clinicnum.parsing`), not the source's: that script evaluates what the model
wrote, takes the last number of several and the number of items in a list. Dates are also read with the year
first or a month's name, weeks and days however joined; only the asked form is `strict`: JSON with `answer`
and a bare number, MM/DD/YYYY, or "(4 weeks, 3 days)". A percentage is the number before the sign where the
question asks for per cent, else a hundredth of it, as in the source. Limits already hold the tolerance:
nothing is rounded, and units are not converted, as the instances do not say theirs.
"""

from decimal import Decimal
from typing import Literal

from clinicnum.parsing import Found, Reading
from clinicnum.parsing.dates_and_durations import read_date, read_weeks
from clinicnum.scoring.numeric import asks_per_cent, finite_number
from clinicnum.scoring.shared_scoring_steps import Verdict, judged, read_as
from clinicnum.types import Generation, Instance, Score

OUTPUT_TYPE = "Output Type"
"""The source's column, in `slots`: decimal, integer or date."""


def fault(instance: Instance) -> str | None:
    """What is wrong with the gold of a MedCalc-Bench item or its limits; None if nothing is."""
    if instance.answer is None:
        return "answer is None; expected a gold, as MedCalc-Bench has no unanswerable items; add it"
    kind = _kind(instance)
    if kind == "date":
        if isinstance(read_date(instance.answer), Found):
            return None
        return f"answer is {instance.answer!r}; expected a date as MM/DD/YYYY; correct it"
    if kind == "weeks":
        if isinstance(read_weeks(instance.answer), Found):
            return None
        return f"answer is {instance.answer!r}; expected weeks and days; correct it"
    for name, text in (("answer", instance.answer), ("lower", instance.lower), ("upper", instance.upper)):
        if text is None or finite_number(text) is None:
            return f"{name} is {text!r}; expected a number in digits, as scoring is 'medcalc'; correct it"
    return None


def _kind(instance: Instance) -> Literal["number", "date", "weeks"]:
    if instance.answer_type == "datetime":
        return "date"
    return "weeks" if instance.answer_type == "text" else "number"


def read(instance: Instance, text: str, cut_off: bool) -> Reading:
    """The answer read from a text, which may be `cut_off`."""
    return read_as(_kind(instance), instance, text, cut_off)


def judge(instance: Instance, generation: Generation) -> Score:
    """The score of a generation."""
    return judged(_kind(instance), instance, generation, lambda found: _verdict(found, instance))


def _verdict(found: Found, instance: Instance) -> Verdict:
    assert instance.answer is not None
    if _kind(instance) != "number":
        gold = (read_date if _kind(instance) == "date" else read_weeks)(instance.answer)
        assert isinstance(gold, Found)
        right = found.value == gold.value
        reason = f"{found.written} is {'' if right else 'not '}{gold.written}"
    else:
        right, reason = _compare(found, instance, instance.answer)
    return Verdict(right, reason, found.plain and found.unit is None)


def _compare(found: Found, instance: Instance, answer: str) -> tuple[bool, str]:
    assert isinstance(found.value, Decimal)
    assert instance.lower is not None
    assert instance.upper is not None
    value, said = found.value, found.written
    if found.unit == "%" and not asks_per_cent(instance):
        value, said = value / 100, f"{said} %"
    if instance.slots.get(OUTPUT_TYPE) == "integer":
        lenient = round(value) == Decimal(answer)
        return lenient, f"{said} {'is' if lenient else 'is not'} {answer}"
    lenient = Decimal(instance.lower) <= value <= Decimal(instance.upper)
    return lenient, f"{said} is {'' if lenient else 'not '}between {instance.lower} and {instance.upper}"
