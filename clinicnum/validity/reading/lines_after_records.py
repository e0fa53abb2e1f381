"""Read lines after the records: givens, labs, doses, who the patient is, findings without numbers; values of
an earlier visit, of a superseded entry, of another patient.
"""

import re
from decimal import Decimal
from functools import lru_cache

from clinicnum.validity.reading.forbidden_words import check_words, state_word
from clinicnum.validity.reading.reading_result import Draft, Row, UnreadableError
from clinicnum.validity.reading.times import at_start
from clinicnum.validity.reading.units import FOREIGN, NUMBER, SPELLINGS
from clinicnum.validity.reading.value_phrase import enter_vitals, phrases
from clinicnum.validity.reading.vital_names import DERIVED, name_within, vital_of

GIVENS = ("Throughout these records: ", "Throughout: ", "Also charted: ", "Background: ")
OTHERS = ("Labs: ", "Lab results: ", "Medication given: ", "Medications given: ")
EARLIER = ("Earlier visit (not this one), ", "Previous visit (not this one), ")
SUPERSEDED = ("Superseded entry (replaced by the record), ",)
OTHER_PATIENT = ("Another patient (not this one), ",)
PATIENT = ("Patient: ",)
SET_APART = (*EARLIER, *SUPERSEDED, *OTHER_PATIENT)
"""Openings of lines with times and values that are not the records'."""
_OPENINGS = (*GIVENS, *OTHERS, *SET_APART, *PATIENT)

UNITLESS = frozenset({"ph", "inr"})
"""Other quantities that are numbers without a unit."""

_VITAL_UNITS = {*FOREIGN, *(unit for units in SPELLINGS.values() for unit in units)} - {"%", "kPa"}
_PATIENT = re.compile(r"Patient: (?:(?P<sex>woman|man)|(?P<age>[1-9][0-9]{1,2}) years old)\.")
_LABEL = re.compile(r"[A-Za-z][^0-9:;|]*")
_GIVEN_NUMBER = re.compile(rf"({NUMBER}) ([^0-9 ].*)")
_OTHER = re.compile(
    rf"(?P<name>[A-Za-z][A-Za-z0-9+-]*(?: [A-Za-z][A-Za-z0-9+-]*)*)(?:: | = | ){NUMBER}"
    r"(?: ?(?P<unit>%|(?:x ?)?10\^?[0-9]{1,2}/[A-Za-zµ]+|[A-Za-zµ°/][A-Za-zµ°/]*(?:/mm3|/1\.73 m2)?))?"
    r"(?P<words>(?: [A-Za-z]+)*)(?: (?:over|every) [0-9]{1,3} (?:min|minutes|h|hours))?"
)


def read_line_below(line: str, draft: Draft) -> bool:
    """Read a line below the records into `draft`; False if it does not begin as such lines do.

    Raises UnreadableError if it begins so, but cannot be read.
    """
    if not line.startswith(_OPENINGS):
        return False
    if line.startswith(GIVENS):
        givens(line.partition(": ")[2].removesuffix(".").split("; "), draft)
    elif line.startswith(OTHERS):
        _others(line.partition(": ")[2].removesuffix("."), draft)
    elif line.startswith(PATIENT):
        _patient(line, draft)
    else:
        rows = draft.earlier
        if line.startswith((*SUPERSEDED, *OTHER_PATIENT)):
            rows = draft.superseded if line.startswith(SUPERSEDED) else draft.other_patients
        rows.append(_set_apart(line, draft))
    return True


def givens(items: list[str], draft: Draft) -> None:
    """Read givens, each `label: value [unit]`, into `draft`.

    Raises UnreadableError for one without a value, and as `given` does.
    """
    for item in items:
        label, mark, value = item.partition(": ")
        if not mark:
            raise UnreadableError(f"a given without a value: {item!r}")
        given(label, value, draft)


def given(label: str, value: str, draft: Draft) -> None:
    """Add a given to the draft.

    Raises UnreadableError for a repeated label, the name of a vital, or a word that implies a vital's state.
    """
    if not _LABEL.fullmatch(label) or not value:
        raise UnreadableError(f"a given that is none: {label!r}, {value!r}")
    if name_within(label) is not None:
        raise UnreadableError(f"a second value of a vital: {label}: {value}", "V8.other_value")
    if any(label == known for known, _, _ in draft.givens):
        raise UnreadableError(f"{label} twice")
    state = state_word(f"{label}: {value}")
    if state is not None:
        raise UnreadableError(f"a word that implies a vital's state: {state!r}", "V8.state_word")
    match = _GIVEN_NUMBER.fullmatch(value)
    draft.givens.append((label, match[1], match[2]) if match else (label, value, None))


def _others(text: str, draft: Draft) -> None:
    for item in text.replace("; ", ", ").split(", "):
        match = _OTHER.fullmatch(item)
        if match is None:
            raise UnreadableError(f"a quantity that is not understood: {item!r}")
        name, unit = match["name"], match["unit"] or ""
        if vital_of(name) is not None or name.lower() in DERIVED or unit in _VITAL_UNITS:
            raise UnreadableError(f"another value of a vital: {item!r}", "V8.other_value")
        if not unit and name.lower() not in UNITLESS:
            raise UnreadableError(f"a number without a unit: {item!r}")
        check_words(match["words"])
        draft.others.append(name)


def _set_apart(line: str, draft: Draft) -> Row:
    timed = at_start(line.partition("), ")[2])
    if timed is None or timed[2] or not timed[3]:
        raise UnreadableError(f"values that are not the records' without their time: {line!r}")
    time, _, _, _, rest = timed
    values: dict[str, Decimal | None] = {}
    enter_vitals(phrases(rest), values, draft)
    return time, values


def _patient(line: str, draft: Draft) -> None:
    match = _PATIENT.fullmatch(line)
    if match is None:
        raise UnreadableError(f"a patient who is not understood: {line!r}")
    if match["sex"]:
        draft.patient.append(("gender", "F" if match["sex"] == "woman" else "M"))
    else:
        draft.patient.append(("age_years", match["age"]))


@lru_cache(maxsize=1024)
def words_only(line: str) -> None:
    """Check a line of words alone. Raises UnreadableError if it speaks of vitals."""
    check_words(line)
