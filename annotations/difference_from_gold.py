"""The difference of a parsed answer from the gold, as an annotator reads it."""

from datetime import datetime
from decimal import Decimal

from clinicnum.parsing.units import compare_units
from clinicnum.scoring import read_generated
from clinicnum.translatable_text import Translatable
from clinicnum.types import Generation, Instance, Score

MINUTES_A_DAY = 24 * 60
DAYS_A_YEAR = 365.25


def answer_difference(instance: Instance, generation: Generation, score: Score) -> Translatable | None:
    """The parsed answer minus the gold, with unit; for a time in words, such as `2 h too late`.

    None if nothing was parsed, if there is no gold, and if the two are equal or cannot be subtracted, as an
    answer in °F from a gold in °C.
    """
    if score.parsed is None or instance.answer is None:
        return None
    if instance.answer_type == "datetime":
        return _in_time(score.parsed, instance.answer)
    try:
        difference = Decimal(score.parsed) - Decimal(instance.answer)
    except ArithmeticError:
        return None
    if not difference.is_finite() or difference == 0 or _on_another_scale(instance, generation):
        return None
    return Translatable(f"{difference.normalize():+f} {instance.unit or ''}".rstrip().replace("-", "−"))


def _on_another_scale(instance: Instance, generation: Generation) -> bool:
    read = read_generated(generation.text, instance, cut_off=generation.finish_reason == "length")
    found = read.found if read else None
    return found is not None and compare_units(instance.unit, found.unit) == "other_scale"


def _in_time(read: str, gold: str) -> Translatable | None:
    try:
        minutes = (datetime.fromisoformat(read) - datetime.fromisoformat(gold)).total_seconds() / 60
    except (ValueError, TypeError):  # no time, or one of them with an offset
        return None
    if minutes == 0:
        return None
    how_much = _how_long(round(abs(minutes)))
    if minutes > 0:
        return Translatable("{time} too late", time=how_much)
    return Translatable("{time} too early", time=how_much)


def _how_long(minutes: int) -> str:
    """A duration in days, hours and minutes, such as `1 d 2 h`; of a year and more, in years."""
    days, rest = divmod(minutes, MINUTES_A_DAY)
    if days >= DAYS_A_YEAR - 1:
        years = f"{minutes / MINUTES_A_DAY / DAYS_A_YEAR:.1f}".removesuffix(".0")
        return Translatable("about 1 year") if years == "1" else Translatable("about {n} years", n=years)
    parts = ((days, "d"), (rest // 60, "h"), (rest % 60, "min"))
    said = " ".join(f"{number} {unit}" for number, unit in parts if number)
    return said or Translatable("less than 1 min")
