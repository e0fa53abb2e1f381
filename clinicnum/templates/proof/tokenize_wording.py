"""Tokenise a wording for the grammar: words and signs, with names of vital signs and units as single
tokens.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

VITALS: tuple[tuple[str, str], ...] = (
    ("spo2_pct", r"(?:blood )?oxygen saturations?(?: \(spo2\))?|spo2(?: values?)?|saturation"),
    ("sbp_mmhg", r"(?:the )?systolic(?: arterial)?(?: blood)?(?: (?:pressures?|bp))?|sbp"),
    ("dbp_mmhg", r"(?:the )?diastolic(?: arterial)?(?: blood)?(?: (?:pressures?|bp))?|dbp"),
    ("heart_rate_bpm", r"heart rates?|pulse rates?|pulse(?! pressure)"),
    ("resp_rate_bpm", r"respiratory rates?|breathing rates?|respiration rates?"),
    ("temperature_c", r"(?:body )?temperatures?(?: in °c)?"),
)
"""Record field -> its names in wordings."""

UNITS: tuple[tuple[str, str], ...] = (
    ("breaths/min", r"breaths?/min|breaths? (?:per|a) minute"),
    ("bpm", r"bpm|beats?/min|beats? (?:per|a) minute"),
    ("mmHg", r"mmhg|mm hg"),
    ("years", r"years?"),
    ("cells/µL", r"cells/µl"),
    ("°F", r"degrees? fahrenheit|°f"),
    ("°C", r"degrees? celsius|°c"),
    ("%", r"%|percentage points?|per ?cent"),
    ("mcg/kg/min", r"mcg/kg/min|mcg per kg per minute"),
    ("mg/kg", r"mg/kg(?: of body weight)?|mg per kg(?: of body weight)?"),
    ("mL/kg", r"ml/kg|ml per kg"),
    ("mg/mL", r"mg/ml|mg per ml"),
    ("mL/h", r"ml/h|ml per hour"),
)

GIVENS: dict[str, tuple[str, ...]] = {
    "arterial carbon dioxide pressure": ("carbon dioxide pressure",),
    "drug in the bag": ("amount of drug", "amount of the drug"),
    "glasgow coma scale": ("gcs",),
    "immature neutrophil forms": ("immature forms",),
    "inspired oxygen fraction": ("fio2",),
    "white cell count": ("white cells",),
}
"""Names of a given in wordings, besides its label."""

_FIXED = {"pulse pressure": "pulse_pressure", "target saturation": "target_saturation"}
"""Terms whose words would otherwise be taken for something else."""

_SAME = {"was": "is", "were": "is", "are": "is", "records": "record", "an": "a", "×": "x", "·": "x"}
_SAME |= {
    "calculate": "compute",
    "calculated": "computed",
    "work": "compute",
    "find": "compute",
    "≥": ">=",
    "≤": "<=",
    "−": "-",
}
_SAME |= dict.fromkeys(("documented", "charted", "measured"), "recorded")
_LEFT_OUT = frozenset({"the", "a", "patient's", "out", "both"})
_TOKEN = re.compile(
    r"\{[^{}]*\}|[$#][^\s$#]+|\d+(?:\.\d+)?|>=|<=|[^\W\d_][\w°'-]*(?:/[^\W\d_]\w*)*|[^\w\s]", re.UNICODE
)
_NAMES = [
    (re.compile(rf"(?<![\w/°-])(?:{pattern})(?![\w-])"), f" {sign}{name} ")
    for sign, table in (("$", VITALS), ("#", UNITS))
    for name, pattern in table
]


@lru_cache(maxsize=16_384)
def words_of(text: str, labels: Sequence[str] = ()) -> tuple[str, ...]:
    """The tokens of a wording. `labels` are those of the template's givens, in lower case; each becomes a
    single token.
    """
    told = re.sub(r"(?<=\d)(?=[%°a-z])", " ", " ".join(text.lower().split()))
    for term, word in _FIXED.items():
        told = told.replace(term, word)
    for label in sorted(labels, key=len, reverse=True):
        names = "|".join(map(re.escape, (label, *GIVENS.get(label, ()))))
        told = re.sub(rf"(?<![\w&-])(?:{names})(?![\w-])", f" $&{label.replace(' ', '_')} ", told)
    for pattern, name in _NAMES:
        told = pattern.sub(name, told)
    words = (_SAME.get(word, word) for word in _TOKEN.findall(told))
    return tuple(word for word in words if word not in _LEFT_OUT)
