"""Names of vital signs. A long name with one typing error is accepted if only one vital is possible."""

import re

PRESSURES = "blood_pressure"
"""Stands for both pressures: `BP 120/80`."""

SPOKEN = {
    "temperature_c": ("temperature", "body temperature", "temp", "T"),
    "heart_rate_bpm": ("heart rate", "pulse rate", "pulse", "HR"),
    "resp_rate_bpm": ("respiratory rate", "respiration rate", "respirations", "resp rate", "RR"),
    "spo2_pct": ("oxygen saturation", "O2 saturation", "SpO2", "O2 sat", "O2 sats", "sats"),
    "sbp_mmhg": ("systolic blood pressure", "systolic pressure", "systolic BP", "SBP"),
    "dbp_mmhg": ("diastolic blood pressure", "diastolic pressure", "diastolic BP", "DBP"),
    "pain": ("pain", "pain score"),
    PRESSURES: ("blood pressure", "BP"),
}

DERIVED = frozenset(
    {
        *("p", "r", "pr", "sat", "sao2", "bpm", "tmax", "tmin", "map", "nibp", "abp", "ibp"),
        *("mean arterial pressure", "mean pressure", "pulse pressure", "shock index"),
        *("systolic", "diastolic", "saturation", "pulse ox", "pulse oximetry", "core temperature"),
    }
)
"""Possible names of vital signs, and quantities computed from them: read neither as a vital nor otherwise."""

MIN_LETTERS_OF_A_TYPO = 8

_EXACT = {name.lower(): vital for vital, names in SPOKEN.items() for name in names if name != "T"}


def _slips(name: str) -> set[str]:
    """All forms of a name with two neighbouring letters swapped, or a letter dropped or doubled."""
    found = set()
    for i, letter in enumerate(name):
        if not letter.isalpha():
            continue
        found |= {name[:i] + name[i + 1 :], name[:i] + letter + name[i:]}
        if name[i + 1 : i + 2].isalpha():
            found.add(name[:i] + name[i + 1] + letter + name[i + 2 :])
    return found


def _slipped() -> dict[str, str]:
    meant: dict[str, set[str]] = {}
    for name, vital in _EXACT.items():
        if sum(map(str.isalpha, name)) >= MIN_LETTERS_OF_A_TYPO:
            for slip in _slips(name):
                meant.setdefault(slip, set()).add(vital)
    return {
        slip: vitals.pop()
        for slip, vitals in sorted(meant.items())
        if len(vitals) == 1 and slip not in _EXACT and slip not in DERIVED
    }


_SLIPPED = _slipped()
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def vital_of(name: str) -> str | None:
    """The vital sign with this name in any case (`T` only as a capital); None if there is none."""
    if name == "T":
        return "temperature_c"
    lower = name.lower()
    return _EXACT.get(lower) or _SLIPPED.get(lower)


def name_within(text: str) -> str | None:
    """The first name of a vital or derived quantity in `text`, the longest at that position; None if
    there is none.
    """
    words = _WORD.findall(text)
    for start in range(len(words)):
        for size in (3, 2, 1):
            name = " ".join(words[start : start + size])
            if vital_of(name) is not None or name.lower() in DERIVED:
                return name
    return None
