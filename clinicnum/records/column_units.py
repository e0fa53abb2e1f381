"""Units as tables write them, in a header or in their own column, and which units are accepted for
which vital.
"""

import re
from typing import Literal

from clinicnum.errors import InputError
from clinicnum.types import Vital

TemperatureUnit = Literal["°C", "°F"]

SPELLINGS: dict[str, tuple[str, ...]] = {
    "°C": ("°c", "c", "degc", "deg c", "celsius", "degrees celsius", "℃", "ºc"),
    "°F": ("°f", "f", "degf", "deg f", "fahrenheit", "degrees fahrenheit", "℉", "ºf"),
    "K": ("k", "kelvin"),
    "bpm": ("bpm", "beats/min", "beats per minute", "beats/minute"),
    "breaths/min": ("breaths/min", "breaths per minute", "breaths/minute", "brpm"),
    "/min": ("/min", "1/min", "per min", "per minute", "/minute", "min-1"),
    "Hz": ("hz", "/s", "1/s"),
    "%": ("%", "pct", "percent"),
    "fraction": ("fraction", "ratio", "0-1"),
    "mmHg": ("mmhg", "mm hg"),
    "kPa": ("kpa",),
    "hPa": ("hpa", "mbar"),
    "cmH2O": ("cmh2o", "cm h2o"),
    "psi": ("psi",),
    "/10": ("/10", "0-10", "nrs"),
    "/100": ("/100",),
}
"""Each unit and how it is written, in lower case."""
READ_IN: dict[Vital, tuple[str, ...]] = {
    "temperature_c": ("°C", "°F"),
    "heart_rate_bpm": ("bpm", "/min"),
    "resp_rate_bpm": ("breaths/min", "/min", "bpm"),
    "spo2_pct": ("%",),
    "sbp_mmhg": ("mmHg",),
    "dbp_mmhg": ("mmHg",),
    "pain": ("/10",),
}
"""The units that a vital's column may name; the first is the usual one."""

_UNITS = {spelling: unit for unit, spellings in SPELLINGS.items() for spelling in spellings}
_TEMPERATURE: dict[str, TemperatureUnit] = {"°C": "°C", "°F": "°F"}
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]\s*$")
_LAST_WORD = re.compile(r"[_\s]([^_\s]+)$")


def header_unit(name: str, vital: Vital) -> str | None:
    """The unit at the end of a column's name, in brackets (`Temp (°F)`) or as its last word (`hr_bpm`), if
    any.

    A bracket or word that is no unit (`Temp (oral)`) says nothing. A last word of one letter counts for
    temperature only.
    """
    if bracketed := _BRACKETED.search(name):
        return _UNITS.get(bracketed[1].strip().lower())
    word = _LAST_WORD.search(name)
    if word is None or (len(word[1]) == 1 and vital != "temperature_c"):
        return None
    return _UNITS.get(word[1].lower())


def check_header(where: str, name: str, vital: Vital) -> TemperatureUnit | None:
    """The temperature unit that a column's name states; None if it states none, or the vital is another.

    Raises InputError for a unit in which the vital is not accepted.
    """
    unit = header_unit(name, vital)
    if unit is not None and unit not in READ_IN[vital]:
        raise InputError(
            f"{where}: column {name!r} is in {unit}; {vital} is read in {' or '.join(READ_IN[vital])}; "
            "convert the column and rename it, or map another"
        )
    return _TEMPERATURE.get(unit or "")


def cell_unit(text: str, where: str, name: str) -> TemperatureUnit | None:
    """The unit in a cell of a temperature unit column, None if blank. Raises InputError for other text."""
    unit = _TEMPERATURE.get(_UNITS.get(text.strip().lower(), ""))
    if unit is None and text.strip():
        raise InputError(
            f"{where}: {name} is {text.strip()[:40]!r}; expected C, F or an empty cell; correct the cell"
        )
    return unit
