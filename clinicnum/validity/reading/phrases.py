"""One phrase of prose: `HR 88 bpm`, `BP: 120/80 mmHg`, `no pain score documented`, or words without a value.

A phrase is read whole or not at all, so every character is accounted for. Phrases recur, so each is worked
out once and remembered (bounded).
"""

import re
from decimal import Decimal

from clinicnum.validity.reading.memo import Memo
from clinicnum.validity.reading.names import PRESSURES, vital_of
from clinicnum.validity.reading.result import Draft, UnreadableError
from clinicnum.validity.reading.units import FOREIGN, NUMBER, SPELLINGS, measured
from clinicnum.validity.reading.words import check_words

Said = tuple[str, Decimal | None, str]
"""vital, value (None: said to be undocumented), `vital unit` (the unit empty if bare; "" without a value)."""

_ALL_UNITS = sorted(
    {*FOREIGN, *(unit for units in SPELLINGS.values() for unit in units)}, key=len, reverse=True
)
_UNIT = "|".join(map(re.escape, _ALL_UNITS))
_NAME = "[A-Za-z][A-Za-z0-9 ]*?"
_JOIN = "(?: was | is | of |: | = | |:|=)"
_VALUE = re.compile(rf"({_NAME}){_JOIN}({NUMBER})(?:/({NUMBER}))?(?: ?({_UNIT}))?")
_ABSENT = re.compile(
    rf"(?:(?P<first>{_NAME})(?: was | is |: | = | |:|=)not|[Nn]o (?P<second>{_NAME})) (?:documented|recorded)"
)


def _phrase(text: str) -> tuple[Said, ...]:
    """What a phrase says of vital signs; nothing if it is words only. Raises UnreadableError if unsure."""
    match = _VALUE.fullmatch(text)
    if match is not None:
        return _value(match)
    match = _ABSENT.fullmatch(text)
    if match is not None:
        vital = _vital(match["first"] or match["second"], text)
        return tuple((v, None, "") for v in _both(vital))
    check_words(text)
    return ()


def _both(vital: str) -> tuple[str, ...]:
    return ("sbp_mmhg", "dbp_mmhg") if vital == PRESSURES else (vital,)


def _vital(name: str, text: str) -> str:
    vital = vital_of(name)
    if vital is None:
        raise UnreadableError(f"an unknown name: {text!r}")
    return vital


def _value(match: re.Match[str]) -> tuple[Said, ...]:
    name, first, second, unit = match.groups(default="")
    vital = _vital(name, match[0])
    if vital == PRESSURES and second:
        sbp, dbp = _both(vital)
        # A pair has one unit: a systolic value that is certain without one makes the diastolic certain.
        diastolic = measured(dbp, unit or "mmHg")[second]
        return _said(sbp, first, unit), (dbp, diastolic, f"{dbp} {unit}")
    if vital == "pain" and second == "10" and not unit:
        second, unit = "", "/10"
    if vital == PRESSURES or second:
        raise UnreadableError(f"one number for both pressures, or two for another vital: {match[0]!r}")
    return (_said(vital, first, unit),)


def _said(vital: str, text: str, unit: str) -> Said:
    return vital, measured(vital, unit)[text], f"{vital} {unit}"


PHRASES = Memo(_phrase, 16384)
"""What phrases say; `PHRASES[text]` raises UnreadableError where that is unsure."""


def phrases(text: str) -> list[str]:
    """Prose cut into phrases at its separators; the last full stop is dropped."""
    if text.endswith("."):
        text = text[:-1]
    return (
        text.replace(", and ", ", ")
        .replace("; ", ", ")
        .replace(" / ", ", ")
        .replace(" | ", ", ")
        .replace(" - ", ", ")
        .replace(". ", ", ")
        .replace(" and ", ", ")
        .split(", ")
    )


def say(texts: list[str], row: dict[str, Decimal | None], draft: Draft) -> None:
    """Enter what phrases say into a row. Raises UnreadableError where one is unsure or repeats a vital."""
    known, spoken = PHRASES, draft.spoken
    for text in texts:
        for vital, value, unit in known[text]:
            if vital in row:
                raise UnreadableError(f"{vital} twice at one time")
            row[vital] = value
            spoken.add(unit)
