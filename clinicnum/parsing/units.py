"""Units as models write them. Conversion between units is not done here."""

import re
from typing import Literal

_SPELLINGS: dict[str, tuple[str, ...]] = {
    "bpm/mmHg": ("bpm/mmhg", "bpm per mmhg"),
    "breaths/min": ("breaths per minute", "breaths/minute", "breaths per min", "breaths/min", "breaths"),
    "bpm": ("beats per minute", "beats/minute", "beats per min", "beats/min", "bpm"),
    "mmHg": ("millimeters of mercury", "millimetres of mercury", "mm hg", "mm/hg", "mmhg"),
    "kPa": ("kilopascals", "kpa"),
    "°C": ("degrees celsius", "degrees c", "deg c", "°c", "° c", "celsius", "c"),
    "°F": ("degrees fahrenheit", "degrees f", "deg f", "°f", "° f", "fahrenheit", "f"),
    "%": ("percent", "per cent", "pct", "%"),
}
_CANONICAL = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings}
_UNIT = re.compile(
    r"\s?(" + "|".join(re.escape(s) for s in sorted(_CANONICAL, key=len, reverse=True)) + r")(?![a-z])",
    re.IGNORECASE,
)
_QUANTITY = {"°C": "temperature", "°F": "temperature", "mmHg": "pressure", "kPa": "pressure"}

UnitCheck = Literal["none", "asked", "other", "other_scale"]


def unit_at(text: str, start: int) -> tuple[str | None, int]:
    """The canonical unit that begins at `start` (perhaps after one blank), and where it ends."""
    match = _UNIT.match(text, start)
    return (_CANONICAL[match[1].lower()], match.end()) if match else (None, start)


def compare_units(asked: str | None, written: str | None) -> UnitCheck:
    """How a written unit stands to the asked one.

    `other_scale`: the same number in this unit is another value (°F for °C, kPa for mmHg, a percentage for a
    ratio). `other`: merely the wrong name (bpm for mmHg). Unknown asked units are compared as text.
    """
    if written is None:
        return "none"
    wanted = _CANONICAL.get(asked.lower(), asked) if asked else None
    if written == wanted:
        return "asked"
    if "%" in (written, wanted) and wanted in (None, "%", "bpm/mmHg"):
        return "other_scale"
    same_quantity = wanted in _QUANTITY and _QUANTITY.get(written) == _QUANTITY[wanted]
    return "other_scale" if same_quantity else "other"
