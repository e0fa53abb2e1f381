"""Check the words around values: they must not imply a vital's state (V8) or assign a value to another time.

A negated word counts as well: "not tachycardic" and "no fever" tell as much as "tachycardic" and "fever".
`hypertension` alone may stand: it is a diagnosis, not the pressure at a time.
"""

import re

from clinicnum.validity.reading.reading_result import UnreadableError
from clinicnum.validity.reading.vital_names import name_within

# One word that names a state.
_TEMPERATURE = (
    r"(?:a|sub|non-?)?febrile|fever(?:s|ish|ed)?|(?:hyper|a)?pyrexi\w*|(?:hypo|hyper|normo|eu)-?therm\w*"
    r"|(?:evaporative|active|surface) cooling|feel(?:s|ing)? (?:warm|hot|cold)"
)
_HEART = (
    r"(?:tachy|brady|normo)-?card\w*|(?:tachy|brady)(?:arr?hythmi\w*)?|asystol\w*|pulseless|cardiac arrest"
)
_BREATH = (
    r"(?:tachy|brady|eu|hyper|hypo)-?pn\w+|(?<!sleep )apn\w+|(?:hyper|hypo)-?ventilat\w*"
    r"|(?:hyp|norm|hyper|an)-?ox\w+|desat\w*|saturating|cyano\w+"
)
_PRESSURE = (
    r"(?:hypo|normo)-?tens\w+|(?<!anti-)hypertensive"
    r"|(?:in|septic|cardiogenic|hypovol\w+|ha?emorrhagic|distributive|obstructive|anaphylactic) shock"
)
_ALL = r"a?vss|unstable|stable(?! angina)"
_WORD = rf"(?<!\w)(?:{_TEMPERATURE}|{_HEART}|{_BREATH}|{_PRESSURE}|{_ALL})(?!\w)"

# A vital sign, or all of them, with what level it has, in either order.
_VITAL = (
    r"(?:temp(?:erature)?|heart[- ]rate|hr|pulse(?: rate)?|resp(?:iratory|iration)? rate|respirations?|rr"
    r"|breathing|blood pressures?|bps?|systolic|diastolic|sbp|dbp|spo2|sats?|(?:oxygen |o2 )?saturations?)"
)
_LEVEL = (
    r"(?:high|higher|low|lower|elevated|raised|normal|abnormal|fast|rapid|rapidly|slow|slowly|increased"
    r"|decreased|reduced|up|down|rising|falling|dropped|dropping|improv\w+|worse\w*|better|good|fine|poor|within"
    r"|unremarkable|controlled|uncontrolled|labile|soft|thready|weak|bounding|unrecordable|undetectable)"
)
_BETWEEN = (
    r"(?:\s+(?:is|was|are|were|has|have|been|be|remains?|remained|now|still|not|very|too|somewhat|slightly"
    r"|mildly|a|bit|well|all|both|and|then|at|the|time)\b|[:,]){0,4}"
)
_OVERALL = r"(?:vitals?(?: signs?)?|obs(?:ervations)?|ha?emodynamics|ha?emodynamically)"
_LEVELLED = (
    rf"\b{_VITAL}\b{_BETWEEN}\s+{_LEVEL}\b|\b{_LEVEL}(?:\s+\w+)?\s+{_VITAL}\b"
    rf"|\b{_OVERALL}\b[^.;\n]{{0,30}}\b(?:{_LEVEL}|wnl|ok|okay|reassuring|deteriorat\w*|compromised)\b"
    rf"|\b(?:normal|reassuring|deranged)\s+{_OVERALL}\b"
)

_PAIN = (
    r"\bpain[- ]?free\b|\b(?:no|denie[sd]|denying|without|nil|not in)(?: any)? pain\b"
    r"(?! (?:score )?(?:documented|recorded|medic|relief))"
    r"|\b(?:mild|moderate|severe|worst|excruciating|intense|minimal|slight|some) pain\b|\bin pain\b"
    r"|\bpain (?:is |was |has |now )*(?:mild|moderate|severe|controlled|resolved|gone|absent|eased)\b"
)
_STATE = re.compile(f"{_WORD}|{_LEVELLED}|{_PAIN}", re.IGNORECASE)

_SITE = re.compile(
    r"\b(?:chest|abdominal|belly|back|neck|head|face|facial|jaw|ear|eye|throat|tooth|shoulder|arm|elbow|wrist|hand"
    r"|finger|leg|hip|knee|ankle|foot|toe|calf|thigh|flank|pelvic|groin|epigastric|loin|rib|joint|muscle|bone"
    r"|testicular|rectal|breast|pleuritic) pain\b",
    re.IGNORECASE,
)
"""Pain as a symptom of a body site, in contrast to the pain score."""

_TIMES = (
    r"minutes?|mins?|hours?|hrs?|days?|weeks?|noon|midnight|am|pm|a\.m|p\.m|utc|yesterday|tomorrow|tonight"
    r"|morning|afternoon|evening|(?:over)?night|shifts?|at triage|on arrival"
)
_UNITS = r"kpa|mm ?hg|bpm|fahrenheit|celsius"
_ORDER = (
    r"later|earlier|ago|afterwards?|previous(?:ly)?|prior|preceding|last|initial(?:ly)?|formerly|subsequent(?:ly)?"
    r"|next|then|thereafter|repeat(?:ed)?|re-?check(?:ed)?"
)
_USUAL = r"baseline|usual(?:ly)?|normally|target|goals?|aim(?:ing)?|expected|predicted|if|unless|should"
_OTHERS = r"mother'?s?|father'?s?|twin|neonate|newborn|f(?:o?e)tal|(?:an)?other patient"
_DOUBT = (
    r"error|erroneous|wrong|incorrect|mistaken|disregard|ignore|corrected|unreliable|inaccurate|approx\w*|roughly"
    r"|estimated?|probably|possibly|uncertain|unsure|art[ei]facts?"
)
_TAKEN_BACK = (
    r"^\W*(?:not?|nil|none|never|yes|or)\W*$"
    r"|^(?:\w+ )?(?:not|un)\s?(?:recorded|documented|measured|taken|done|available|certain|confirmed)\W*$"
)
_UNSURE = re.compile(
    rf"\b(?:{_TIMES}|{_ORDER}|{_USUAL}|{_OTHERS}|{_DOUBT}|{_UNITS})\b|{_TAKEN_BACK}", re.IGNORECASE
)


def state_word(text: str) -> str | None:
    """The first word or phrase that implies a vital's state, negated or not; None if there is none."""
    match = _STATE.search(text)
    return None if match is None else match[0]


def check_words(text: str) -> None:
    """Check text that may hold only words, such as a remark. Raises UnreadableError for a number, and for
    words about vitals.
    """
    if any(map(str.isnumeric, text)):
        raise UnreadableError(f"a number without a meaning: {text!r}")
    state = state_word(text)
    if state is not None:
        raise UnreadableError(f"a word that implies a vital's state: {state!r}", "V8.state_word")
    name = name_within(_SITE.sub(" ", text))
    if name is not None:
        raise UnreadableError(f"{name!r} without a value: {text!r}")
    unsure = _UNSURE.search(text)
    if unsure is not None:
        raise UnreadableError(f"{unsure[0]!r} leaves open when, whose or how sure a value is: {text!r}")
