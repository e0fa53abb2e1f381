"""Names and units of the vitals; `note_phrases` has further names for notes.

Columns are those of `record_text.VITALS`: temperature, heart rate, respiratory rate, SpO2, systolic and
diastolic pressure, pain.
"""

from clinicnum.records.vitals import VITAL_SIGNS

FULL = tuple(sign.label for sign in VITAL_SIGNS.values())
ABBREVIATED = ("T", "HR", "RR", "O2 sat", "SBP", "DBP", "pain score")
UNITS = tuple(sign.unit for sign in VITAL_SIGNS.values())
GAPS = (" ", " ", " ", " ", " ", " ", "")
"""Text between a value and its unit: pain is `3/10`."""
SUFFIXES = tuple(gap + unit for gap, unit in zip(GAPS, UNITS, strict=True))
"""Text after a value, with its unit."""
TIGHT = ("°C", " bpm", " breaths/min", "%", " mmHg", " mmHg", "/10")
"""As SUFFIXES, with signs close to the value."""
BARE = ("",) * len(UNITS)
"""As SUFFIXES, for values without units."""
