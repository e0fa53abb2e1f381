"""The names of vital signs in ClinicNumRobBench's contexts; `pressure` is a systolic over a diastolic value.

The names are those of its templates and ablations (`hh` is its abbreviation of heart rate) and, for notes,
the commonest of the phrases that its notebook counts.
"""

from collections.abc import Mapping
from typing import Literal

from clinicnum.types import Vital

Told = Vital | Literal["pressure"]

_CALLED: Mapping[Told, tuple[str, ...]] = {
    "temperature_c": ("body temperature", "temperature max", "temperature", "temp", "tmax", "tm", "T"),
    "heart_rate_bpm": ("heart rate", "pulse rate", "pulse", "hr", "hh", "pr", "P"),
    "resp_rate_bpm": (
        "respiratory rate",
        "respiration rate",
        "respirations",
        "respiration",
        "resp rate",
        "resp",
        "rr",
        "R",
    ),
    "spo2_pct": (
        "peripheral oxygen saturation",
        "pulse oximetry saturation",
        "pulse oximetry",
        "oxygen saturation",
        "O2 saturation",
        "saturation",
        "saturating",
        "O2 sat",
        "o2sat",
        "SpO2",
        "SaO2",
        "sats",
        "sat",
        "O2",
    ),
    "sbp_mmhg": ("systolic blood pressure", "systolic bp", "sbp"),
    "dbp_mmhg": ("diastolic blood pressure", "diastolic bp", "dbp"),
    "pressure": ("blood pressure", "bp"),
}

VITAL_OF: Mapping[str, Told] = {name.lower(): told for told, names in _CALLED.items() for name in names}
NAMES: tuple[str, ...] = tuple(sorted(VITAL_OF, key=lambda name: (-len(name), name)))
"""All names, longest first, in lower case."""


def vital_of_name(name: str) -> Told | None:
    """The vital that a name means; None for a lower-case single letter (`p 0.05`)."""
    if len(name) == 1 and not name.isupper():
        return None
    return VITAL_OF[name.lower()]
