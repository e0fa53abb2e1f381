"""Find the one passage of a free-text note, in whole sentences, that states vital signs.

The patterns know the usual ways ("temperature of 38.2 C (100.8 F)", "BP 120/80 mmHg", "pulse 88/min",
"respirations are 18/min", "O2 saturation 98% on room air"). They are wide on purpose: a note that may say
more of a vital than its passage does is not used, as a frame must not contradict the records put into it.
"""

import re

_GAP = r"[^\d\n;]{0,40}?"
_BEFORE_NUMBER = r"\b\s*[:=]?\s*"
# Single letters and short forms are read in capitals, or right before a number: "hr" is an hour too.
_VALUE = re.compile(
    "|".join(
        (
            rf"\b(?:temperature|temp|tmax)\b{_GAP}\b\d{{2,3}}",
            r"\b\d{2,3}(?:[.,]\d+)?\s*(?:(?:°|º|deg(?:rees)?\b)\s*[CF]?|(?-i:[CF]\b))",
            rf"\b(?:blood\s+pressures?|BPs?|SBP|DBP|systolic|diastolic)\b{_GAP}\b\d{{2,3}}",
            r"\b\d{2,3}\s*mm\s*Hg\b",
            rf"(?:\b(?:heart\s+rate|pulse)|(?-i:\bHR))\b{_GAP}\b\d{{2,3}}",
            r"\b\d{1,3}\s*(?:/\s*min(?:ute)?\b|per\s+minute\b|bpm\b|beats\b|breaths\b)",
            rf"(?:\b(?:respirations?|respiratory\s+rate|resp(?:\s+rate)?)|(?-i:\bRR))\b{_GAP}\b\d{{1,2}}",
            rf"\b(?:SpO2|SaO2|sats?|saturat\w+|pulse\s+ox\w*)\b{_GAP}\b\d{{2,3}}",
            r"\b\d{2,3}\s*%\s*(?:on\s+)?(?:(?-i:RA)\b|room\s+air|\d+\s*L)",
            rf"\b(?:O2|hr|rr){_BEFORE_NUMBER}\d{{2,3}}\b",
            rf"(?-i:\b[TPR]){_BEFORE_NUMBER}\d{{2,3}}\b",
            rf"\bpain\b{_GAP}\b\d{{1,2}}\s*(?:/|out\s+of|on\s+a)",
            r"\b\d{1,2}(?:\.\d)?\s*(?:/|out\s+of)\s*10\b",
        )
    ),
    re.IGNORECASE,
)
"""A vital's value."""

_SPOKEN_OF = re.compile(
    "|".join(
        (
            r"\bvitals?\b",
            r"\b(?:temperatures?|tmax)\b",
            r"\b(?:blood\s+pressures?|BPs?|SBP|DBP|(?:systolic|diastolic)\s+pressures?)\b",
            r"\b(?:heart\s+rates?|pulse)\b|(?-i:\b(?:HR|RR)\b)",
            r"\b(?:respirations?|respiratory\s+rates?)\b",
            r"\b(?:oxygen\s+sat|O2\s+sat|SpO2|SaO2|sats\b|pulse\s+ox)",
            r"\bpain\s+(?:score|level|scale|rating)|\bpain\s*(?:[:=]|of|is|was|at)?\s*\d",
        )
    ),
    re.IGNORECASE,
)
"""A vital's name, or what could be read as its value."""

_DEGREES = (
    "some|slight|mild|moderate|severe|intense|worst|excruciating|exquisite|minimal|significant|extreme"
    "|unbearable"
)
_STATE = re.compile(
    "|".join(
        (
            r"febrile|fever|pyrexi|(?:hypo|hyper|normo)therm",
            r"\bcooling\b|\bfeel(?:s|ing)?\s+(?:warm|hot|cold)\b",
            r"(?:tachy|brady|normo)card|\b(?:rapid|racing)\s+heart|heart\s+(?:is\s+)?racing|rapid\s+ventricular",
            r"asystol|cardiac\s+arrest|pulseless",
            r"(?:tachy|brady|eu)pn|(?<!sleep )apn(?:o?ea|eic)|(?:hyper|hypo)ventilat",
            r"\brespiratory\s+(?:distress|failure|arrest|depression)",
            r"(?:rapid|shallow|slow|fast|labou?red|agonal)\s+(?:breath|respirat)",
            r"(?:hyp|an|norm)ox(?:i|ae?mi)|desat|cyano",
            r"(?:hypo|normo)tensi|hypertensive|orthostatic|\bshock\b|ha?emodynamic",
            r"\b(?:clinically|currently|is|are|was|were|remains?|remained|in)\s+stable\b|\bunstable\b|\bin\s+pain\b",
            rf"\b(?:no|not|denies|denied|without|free\s+of|{_DEGREES})\s+(?:[\w-]+,?\s+){{0,4}}pain",
            rf"\bpain(?:\s*-?\s*free|less)|\bpain\s+(?:has|(?:is|was)\s+(?:\w+\s+)?(?:{_DEGREES}|gone))\b",
        )
    ),
    re.IGNORECASE,
)
"""What implies a vital's state (V8). A diagnosis such as hypertension does not: it is treated or not."""

_OTHERS = re.compile(r"f(?:o?etal|o?etus)|mother|maternal|\batrial|ventricular|intraocular", re.IGNORECASE)
"""Whose or what the passage speaks of, where it is not the patient's own vital signs."""

_SUMMARY = re.compile(r"\bvital\s+signs?\b|\bvitals\b|^\W*(?-i:VS)\b", re.IGNORECASE)
"""Vital signs as a whole: a heading, or "vital signs are within normal limits" in place of values."""

_DATED = re.compile(r"\d{4}-\d{2}-\d{2}|\b\d{1,2}:\d{2}\b.{0,12}\b\d{4}\b|\b\d{4}\b.{0,12}\b\d{1,2}:\d{2}\b")
_LIKE_OURS = re.compile(r"^(?:Also charted|Background|Throughout):", re.MULTILINE)

# A border is a line's end, or a sentence's end that is not an abbreviation's.
_BORDER = re.compile(
    r"\n+|[.!?]+(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\bvs\.)(?<!\bNo\.)(?<!\b[Tt]emp\.)"
    r"(?<!\b[Rr]esp\.)(?<!\bsat\.)[\"')\]”]*\s+"
)

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FILLING = frozenset(
    re.findall(
        r"\w+",
        """the his her their its patient patients and are was were with has have had vital vitals sign signs
        include includes including following follows initial shows show showed demonstrate exam room air pulse
        oximetry oxygen saturation temperature degrees fahrenheit celsius min minute per beats breaths rate
        heart respiratory respirations blood pressure resp temp stable regular normal bpm mmhg about""",
    )
)
MOST_OTHER_WORDS = 4
"""Maximum number of other words in a sentence of vital signs: more say something that would be lost."""


class UnsuitableError(Exception):
    """The note cannot be a frame; the message is the reason, one word or several joined by underscores."""


def vital_span(text: str) -> tuple[int, int]:
    """Start and end of the only passage of a note that states vital signs.

    Raises UnsuitableError: `no_vital_signs`, `several_passages`, `not_the_patients_own`, `mixed_sentence`,
    `nothing_left`, `vital_elsewhere`, `state_word`, `dated`, `like_our_own_lines`.
    """
    sentences = _sentences(text)
    giving = [i for i, (start, end) in enumerate(sentences) if _gives(text[start:end])]
    if not giving:
        raise UnsuitableError("no_vital_signs")
    first, last = giving[0], giving[-1]
    if last - first + 1 != len(giving):
        raise UnsuitableError("several_passages")
    start, end = sentences[first][0], sentences[last][1]
    if _OTHERS.search(text, start, end):
        raise UnsuitableError("not_the_patients_own")
    if any(
        _other_words(text[slice(*sentence)]) > MOST_OTHER_WORDS for sentence in sentences[first : last + 1]
    ):
        raise UnsuitableError("mixed_sentence")
    _check_rest(text[:start], text[end:])
    return start, end


def _sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, including its delimiter."""
    ends = [border.end() for border in _BORDER.finditer(text)]
    return [pair for pair in zip([0, *ends], [*ends, len(text)], strict=True) if pair[0] < pair[1]]


def _gives(sentence: str) -> bool:
    if _DIGIT.search(sentence) and _VALUE.search(sentence):
        return True
    return bool(_SUMMARY.search(sentence)) and _other_words(sentence) <= MOST_OTHER_WORDS


def _other_words(sentence: str) -> int:
    words = _WORD.findall(_VALUE.sub(" ", sentence))
    return sum(word.lower() not in _FILLING for word in words)


def _check_rest(before: str, after: str) -> None:
    rest = f"{before}\n{after}"
    if not rest.strip():
        raise UnsuitableError("nothing_left")
    checks = (
        ("vital_elsewhere", _SPOKEN_OF),
        ("state_word", _STATE),
        ("dated", _DATED),
        ("like_our_own_lines", _LIKE_OURS),
    )
    for reason, pattern in checks:
        if pattern.search(rest):
            raise UnsuitableError(reason)
