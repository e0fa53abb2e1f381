"""Read one phrase of prose: `HR 88 bpm`, `BP: 120/80 mmHg`, `no pain score documented`, or words without a
value.

A phrase is read whole or not at all, so every character is accounted for. Phrases recur, so each is worked
out once and remembered (bounded).
"""

import re
from decimal import Decimal

from clinicnum.validity.reading.forbidden_words import check_words
from clinicnum.validity.reading.memoize import Memo
from clinicnum.validity.reading.reading_result import Draft, UnreadableError
from clinicnum.validity.reading.units import FOREIGN, SPELLINGS, measured
from clinicnum.validity.reading.vital_names import PRESSURES, vital_of

Said = tuple[str, Decimal | None, str, "Said"] | None
"""vital, value (None: said to be undocumented), `vital unit` (the unit empty if bare; "" without a value) and
what else is said: the diastolic pressure after the systolic. None: nothing of a vital sign."""

SBP, DBP = "sbp_mmhg", "dbp_mmhg"
_UNITS = {*FOREIGN, *(unit for units in SPELLINGS.values() for unit in units)}
_NAME = "[A-Za-z][A-Za-z0-9 ]*?"
_HEAD = re.compile(rf"({_NAME})(?: was | is | of |: | = | |:|=)")
_VALUE = re.compile(r"(.*?[ :=])([0-9][0-9.]*)(?:/([0-9][0-9.]*))?([^0-9]*| ?/10)")
_ABSENT = re.compile(
    rf"(?:(?P<first>{_NAME})(?: was | is |: | = | |:|=)not|[Nn]o (?P<second>{_NAME})) (?:documented|recorded)"
)


def _vital(name: str) -> str:
    vital = vital_of(name)
    if vital is None:
        raise UnreadableError(f"an unknown name: {name!r}")
    return vital


def _head(text: str) -> str:
    match = _HEAD.fullmatch(text)
    if match is None:
        raise UnreadableError(f"not a name before a number: {text!r}")
    return _vital(match[1])


def _unit(text: str) -> str:
    unit = text.removeprefix(" ")
    if unit and unit not in _UNITS:
        raise UnreadableError(f"not a unit: {text!r}")
    return unit


_VITALS = Memo(_head, 1024)
"""The vital named before a number: `heart rate was `."""
_UNIT_OF = Memo(_unit, 1024)
"""The unit named after a number: ` bpm`; empty if there is none."""


def _phrase(text: str) -> Said:
    """The vitals in a phrase; None if it is words only. Raises UnreadableError if it is ambiguous."""
    if text.endswith(".") and not text.endswith(".."):
        return PHRASES[text[:-1]]
    match = _VALUE.fullmatch(text)
    if match is not None:
        head, first, second, tail = match.groups()
        vital, unit = _VITALS[head], _UNIT_OF[tail]
        if second is not None or vital == PRESSURES:
            return _two_numbers(vital, first, second, unit)
        spoken, values = measured(vital, unit)
        return vital, values[first], spoken, None
    match = _ABSENT.fullmatch(text)
    if match is not None:
        vital = _vital(match["first"] or match["second"])
        return (SBP, None, "", (DBP, None, "", None)) if vital == PRESSURES else (vital, None, "", None)
    check_words(text)
    return None


def _two_numbers(vital: str, first: str, second: str | None, unit: str) -> Said:
    if vital == "pain" and second == "10" and not unit:
        spoken, values = measured(vital, "/10")
        return vital, values[first], spoken, None
    if vital != PRESSURES or second is None:
        raise UnreadableError(f"one number for both pressures, or two for {vital}: {first}, {second}")
    systolic, diastolic = measured(SBP, unit), measured(DBP, unit)
    # A pair has one unit: a systolic value that is certain without one makes the diastolic certain.
    _, certain = measured(DBP, unit or "mmHg")
    return SBP, systolic[1][first], systolic[0], (DBP, certain[second], diastolic[0], None)


PHRASES = Memo(_phrase, 16384)
"""Phrase -> its vitals; raises UnreadableError for an ambiguous phrase."""


def normalise_prose(text: str) -> str:
    """Normalise prose: `, ` for every separator; each line keeps its final full stop."""
    # Looking for one character first is quicker than to replace what is not there.
    if ";" in text:
        text = text.replace("; ", ", ")
    if "|" in text:
        text = text.replace(" | ", ", ")
    if "-" in text:
        text = text.replace(" - ", ", ")
    if " / " in text:
        text = text.replace(" / ", ", ")
    if " and " in text:
        text = text.replace(", and ", ", ").replace(" and ", ", ")
    if ". " in text:
        text = text.replace(". ", ", ")
    return text


def phrases(text: str) -> list[str]:
    """Split a line of prose into phrases."""
    return normalise_prose(text).split(", ")


def enter_vitals(texts: list[str], row: dict[str, Decimal | None], draft: Draft) -> None:
    """Enter the vitals of phrases into a row. Raises UnreadableError for an ambiguous phrase or a
    repeated vital.
    """
    known, spoken = PHRASES, draft.spoken
    for text in texts:
        said = known[text]
        while said is not None:
            vital, value, unit, said = said
            if vital in row:
                raise UnreadableError(f"{vital} twice at one time")
            row[vital] = value
            spoken.add(unit)
