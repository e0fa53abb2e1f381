"""Recognise units as models write them, and convert between units of the same quantity.

Source of the factors: the millimetre of mercury is 133.322387415 Pa and the centimetre of water 98.0665 Pa
by convention; a pound is 0.45359237 kg. A bare "/min" is read as the asked rate, and "K" as kelvin where it
is upper case and separated from the number ("5K" is five thousand). A known unit followed by a slash and an
unknown one ("mg/dL" when only "mg" is known) is unknown as a whole; a number before an unknown unit has
none.
"""

import re
from fractions import Fraction
from typing import Literal, NamedTuple

_SPELLINGS: dict[str, tuple[str, ...]] = {
    "bpm/mmHg": ("bpm/mmhg", "bpm per mmhg"),
    "breaths/min": ("breaths per minute", "breaths/minute", "breaths per min", "breaths/min", "breaths"),
    "bpm": ("beats per minute", "beats/minute", "beats per min", "beats/min", "bpm"),
    "drops/min": ("drops per minute", "drops/minute", "drops/min", "gtt/min", "drops"),
    "/min": ("per minute", "/minute", "per min", "/min"),
    "mmHg": ("millimeters of mercury", "millimetres of mercury", "mm hg", "mm/hg", "mmhg", "torr"),
    "kPa": ("kilopascals", "kpa"),
    "cmH2O": ("cm h2o", "cmh2o"),
    "°C": ("degrees celsius", "degree celsius", "degrees c", "deg c", "°c", "° c", "celsius", "c"),
    "°F": ("degrees fahrenheit", "degree fahrenheit", "degrees f", "deg f", "°f", "° f", "fahrenheit", "f"),
    "K": ("kelvins", "kelvin"),
    "%": ("percentage", "percent", "per cent", "pct", "%"),
    "fraction": ("as a fraction", "as a ratio", "as a proportion", "as a decimal"),
    "kg": ("kilograms", "kilogram", "kgs", "kg"),
    "g": ("grams", "gram", "g"),
    "mg": ("milligrams", "milligram", "mg"),
    "mcg": ("micrograms", "microgram", "mcg", "μg", "ug"),
    "lb": ("pounds", "pound", "lbs", "lb"),
    "mL": ("milliliters", "millilitres", "milliliter", "millilitre", "ml", "cc"),
    "L": ("liters", "litres", "liter", "litre", "l"),
    "mL/h": ("ml per hour", "ml/hour", "ml/hr", "ml/h"),
    "mL/min": ("ml per minute", "ml/minute", "ml/min"),
    "L/h": ("l/hour", "l/hr", "l/h"),
    "L/min": ("l per minute", "l/minute", "l/min"),
    "mcg/kg/min": ("mcg/kg/minute", "mcg/kg/min", "μg/kg/min", "ug/kg/min"),
    "mcg/kg/h": ("mcg/kg/hr", "mcg/kg/h", "μg/kg/h"),
    "mg/kg/min": ("mg/kg/min",),
    "mg/kg/h": ("mg/kg/hr", "mg/kg/h"),
    "mg/kg": ("mg per kg", "mg/kg"),
    "bpm/h": ("bpm per hour", "bpm/hour", "bpm/hr", "bpm/h"),
    "mmHg/h": ("mmhg per hour", "mm hg/h", "mmhg/hour", "mmhg/hr", "mmhg/h"),
    "seconds": ("seconds", "second", "secs", "sec"),
    "minutes": ("minutes", "minute", "mins", "min"),
    "hours": ("hours", "hour", "hrs", "hr", "h"),
    "days": ("days", "day"),
    "years": ("years old", "years", "year", "yrs"),
    "points": ("points", "pts"),
    "cells/μL": ("cells per microliter", "cells/mm3", "cells/μl", "cells/ul"),
}
"""Canonical name -> spellings, in lower case and as normalised by `parse_result.cleaned`."""
_CANONICAL = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings}
_CANONICAL |= {unit.lower(): unit for unit in _SPELLINGS if len(unit) > 1} | {"k": "K"}
_UNIT = re.compile(
    r"\s?("
    + "|".join(re.escape(s) for s in sorted(_CANONICAL, key=len, reverse=True))
    + r"|(?<=\s)(?-i:K))(?![a-z]|/[a-z])",
    re.IGNORECASE,
)
_BEGINS = frozenset(" \t\n\u00a0").union(*({s[0], s[0].upper()} for s in _CANONICAL))
_RATES = ("bpm", "breaths/min", "drops/min")

_PASCALS_PER_MMHG = Fraction("133.322387415")


class _Scale(NamedTuple):
    """A unit as `factor * value + offset` in the base unit of its quantity."""

    quantity: str
    factor: Fraction
    offset: Fraction = Fraction(0)


_SCALES: dict[str | None, _Scale] = {
    "°C": _Scale("temperature", Fraction(1)),
    "°F": _Scale("temperature", Fraction(5, 9), Fraction(-160, 9)),
    "K": _Scale("temperature", Fraction(1), Fraction("-273.15")),
    "mmHg": _Scale("pressure", Fraction(1)),
    "kPa": _Scale("pressure", 1000 / _PASCALS_PER_MMHG),
    "cmH2O": _Scale("pressure", Fraction("98.0665") / _PASCALS_PER_MMHG),
    None: _Scale("ratio", Fraction(1)),
    "fraction": _Scale("ratio", Fraction(1)),
    "bpm/mmHg": _Scale("ratio", Fraction(1)),
    "%": _Scale("ratio", Fraction(1, 100)),
    "kg": _Scale("mass", Fraction(1_000_000)),
    "g": _Scale("mass", Fraction(1000)),
    "mg": _Scale("mass", Fraction(1)),
    "mcg": _Scale("mass", Fraction(1, 1000)),
    "lb": _Scale("mass", Fraction("453592.37")),
    "mL": _Scale("volume", Fraction(1)),
    "L": _Scale("volume", Fraction(1000)),
    "mL/h": _Scale("flow", Fraction(1)),
    "mL/min": _Scale("flow", Fraction(60)),
    "L/h": _Scale("flow", Fraction(1000)),
    "L/min": _Scale("flow", Fraction(60_000)),
    "mcg/kg/min": _Scale("dose rate", Fraction(1)),
    "mcg/kg/h": _Scale("dose rate", Fraction(1, 60)),
    "mg/kg/min": _Scale("dose rate", Fraction(1000)),
    "mg/kg/h": _Scale("dose rate", Fraction(1000, 60)),
    "seconds": _Scale("time", Fraction(1, 60)),
    "minutes": _Scale("time", Fraction(1)),
    "hours": _Scale("time", Fraction(60)),
    "days": _Scale("time", Fraction(1440)),
}

UnitCheck = Literal["none", "asked", "other", "other_scale"]


def unit_at(text: str, start: int) -> tuple[str | None, int]:
    """The canonical unit that begins at `start` (or one blank later), None if none does; and the offset of
    its end.
    """
    if text[start : start + 1] not in _BEGINS:
        return None, start
    match = _UNIT.match(text, start)
    return (_CANONICAL[match[1].lower()], match.end()) if match else (None, start)


def compare_units(asked: str | None, written: str | None) -> UnitCheck:
    """How a written unit compares with the asked one: `none` (nothing written), `asked`, `other_scale` or
    `other`.

    `other_scale`: the same number in this unit is a different value (°F for °C, kPa for mmHg, a percentage
    for a ratio). `other`: only the name is wrong (bpm for mmHg). Unknown asked units are compared as text.
    """
    if written is None:
        return "none"
    wanted = _canonical(asked)
    if written == wanted or (written == "/min" and wanted in _RATES):
        return "asked"
    if wanted is None and written == "fraction":
        return "other"
    if wanted == "%" or _scales(wanted, written):
        return "other_scale"
    return "other"


class Conversion(NamedTuple):
    """A linear conversion from the written to the asked unit: `factor * value + offset`."""

    factor: Fraction
    offset: Fraction

    def forward(self, value: Fraction) -> Fraction:
        """Convert a value from the written to the asked unit."""
        return self.factor * value + self.offset

    def back(self, value: Fraction) -> Fraction:
        """Convert a value from the asked to the written unit."""
        return (value - self.offset) / self.factor


def conversion(*, asked: str | None, written: str) -> Conversion | None:
    """The conversion between two units; None if they measure different quantities."""
    scales = _scales(_canonical(asked), written)
    if scales is None:
        return None
    to, of = scales
    return Conversion(of.factor / to.factor, (of.offset - to.offset) / to.factor)


def rounds_to(value: Fraction, rounded: Fraction, digits: int) -> bool:
    """Whether `value` rounds to `rounded` at this number of decimals; a tie rounds both ways."""
    scale: int = 10**digits
    return 2 * abs(value - rounded) * scale <= 1


def _canonical(asked: str | None) -> str | None:
    return _CANONICAL.get(asked.lower().replace("\u00b5", "μ"), asked) if asked else None


def _scales(asked: str | None, written: str) -> tuple[_Scale, _Scale] | None:
    """The scales of two units of the same quantity; None if they measure different ones."""
    to, of = _SCALES.get(asked), _SCALES.get(written)
    return (to, of) if to and of and to.quantity == of.quantity else None
