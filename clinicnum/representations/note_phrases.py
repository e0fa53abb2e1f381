"""Filler phrases of the `note` representation.

They contain no number and no hint of a vital sign's state ("afebrile"), so that only the records decide the
answer. A vital sign or another input of the question is named only in the phrase that states its value.
"""

# Columns: temperature, heart rate, respiratory rate, SpO2, systolic, diastolic, pain, both pressures.
# The two pressures stand alike in each tuple, so that one draw names both.
FULL_NAMES = (
    ("temperature",),
    ("heart rate",),
    ("respiratory rate",),
    ("oxygen saturation", "SpO2"),
    ("systolic pressure", "systolic blood pressure"),
    ("diastolic pressure", "diastolic blood pressure"),
    ("pain",),
    ("blood pressure",),
)
ABBREVIATED_NAMES = (
    ("T", "Temp"),
    ("HR",),
    ("RR", "resp rate"),
    ("O2 sat", "sats"),
    ("SBP",),
    ("DBP",),
    ("pain score",),
    ("BP",),
)
SHORT_NAMES = (
    ("T", "Temp"),
    ("HR", "pulse"),
    ("RR", "resp rate"),
    ("SpO2", "O2 sat", "sats"),
    ("SBP",),
    ("DBP",),
    ("pain", "pain score"),
    ("BP",),
)
MIXED_NAMES = (
    ("temperature", "Temp", "T"),
    ("heart rate", "HR", "pulse"),
    ("respiratory rate", "RR", "resp rate"),
    ("SpO2", "oxygen saturation", "O2 sat", "sats"),
    ("systolic pressure", "SBP"),
    ("diastolic pressure", "DBP"),
    ("pain", "pain score"),
    ("BP", "blood pressure"),
)
REGISTERS = (
    (FULL_NAMES, (" ", ": ", " of ", " was ", " = ")),
    (SHORT_NAMES, (" ", " ", ": ", " = ", "=", ":")),
    (SHORT_NAMES, (" ", " ", ": ", " = ", "=", ":")),
    (MIXED_NAMES, (" ", " ", ": ", " = ")),
)
"""Pairs of names and of joins to their values. Abbreviations are what notes use most."""

SEPARATORS = (", ", "; ", " / ", " | ", " - ")
ABSENT = ("%s not documented", "%s not recorded", "no %s documented")
"""Phrases for a missing value."""

OPENINGS = (
    "{time} -",
    "{time}:",
    "[{time}]",
    "({time})",
    "{At} {time}:",
    "{At} {time} -",
    "Vitals {at} {time}:",
    "Vital signs {at} {time}:",
    "Obs {at} {time}:",
    "Set of obs {at} {time}:",
    "Charted {at} {time}:",
    "Rounds {at} {time}:",
    "{time} obs:",
    "{time} vitals -",
)
"""Openings of an entry; `{at}` is the preposition that the form of the time takes."""

CONTINUATIONS = ("", "Same set. ", "Same entry. ", "Continued. ", "Entry continued. ")
"""Openings of an entry's second line, which has no time of its own."""

HEADS = (
    "ED nursing notes.",
    "Nursing flow sheet, free text.",
    "Obs as charted.",
    "Nursing progress notes, emergency department.",
    "Observations, copied from the bedside chart.",
    "ED course, nursing.",
    "Serial vital signs as charted.",
    "Triage and observation notes.",
    "Bedside notes.",
    "Nurse's log.",
)
FRAME_HEADS = (
    "Vital signs as charted:",
    "Vitals on record:",
    "Vital signs during this visit:",
    "Charted observations:",
    "Vital signs were charted as follows.",
)
"""Headings of the vital signs inside a user's note."""

REMARKS = (
    "Resting in bed.",
    "Family at bedside.",
    "Awaiting review by the team.",
    "Call bell within reach.",
    "Pt moved to another bay.",
    "Blood sent to the lab.",
    "No new orders.",
    "Seen by the physician.",
    "Plan discussed with the family.",
    "Side rails up.",
    "Awaiting lab results.",
    "Pt to imaging and back.",
    "Handover given to the oncoming nurse.",
    "MD aware.",
    "Line checked.",
    "Transport called.",
    "Blanket given.",
    "Belongings at bedside.",
    "Interpreter present.",
    "Name band checked.",
    "Chart updated.",
    "Repositioned.",
    "Head of bed raised.",
    "Curtain drawn.",
    "Urine sample collected.",
    "Allergies reviewed.",
    "Dressing dry and intact.",
    "Waiting for a ward bed.",
    "Spouse updated by phone.",
    "Bed lowered.",
    "Consult called.",
    "Monitor leads reapplied.",
    "Cuff changed to the other arm.",
    "Lights dimmed.",
    "Skin intact.",
    "Will reassess.",
)
"""Filler remarks. None implies how alert the patient is, as a given may say."""
