"""Read generated entries within a user's note (V8): the rest of the note must state no vital and no vital's
state.

Numbers that are not of a vital sign are ignored. Whatever might be a vital's value is taken for one: a false
alarm costs a frame, a missed value makes a wrong gold.
"""

import re
from functools import lru_cache

from clinicnum.validity.reading.forbidden_words import state_word
from clinicnum.validity.reading.lines_after_records import read_line_below
from clinicnum.validity.reading.prose import check_opening
from clinicnum.validity.reading.reading_result import Draft, Row, UnreadableError
from clinicnum.validity.reading.times import Timed, anywhere, check_seconds
from clinicnum.validity.reading.value_phrase import PHRASES, enter_vitals, phrases

_NAMES = (
    r"(?:temp(?:erature)?s?|t[- ]?max|heart[- ]rates?|pulse(?: rate)?|hr|resp(?:iratory|iration)? rates?"
    r"|respirations?|rr|spo2|sao2|o2 sats?|sats?|saturations?|saturating|pulse ox(?:imetry)?"
    r"|blood pressures?|bps?|sbp|dbp|systolic|diastolic|mean arterial pressure|map|shock index|pulse pressure"
    r"|pain (?:score|level|scale|rating))"
)
_TENS = r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
_VALUE = re.compile(
    rf"\b{_NAMES}\b\.?[^.;\n0-9]{{0,60}}?(?:[0-9]|\b(?:{_TENS})\b)"
    rf"|\b{_NAMES}\b[^.;\n0-9]{{0,30}}\bnot (?:documented|recorded|measured|obtained|available)\b"
    rf"|\bno {_NAMES} (?:documented|recorded|measured|obtained|available)\b"
    r"|\b[0-9]{2,3}(?:\.[0-9]+)?\s*(?:°|º|˚|degrees?\b|deg\b|[cf]\b|celsius|fahrenheit)"
    r"|\b[0-9]{2,3}\s*(?:beats|breaths|bpm\b|/\s*min(?:ute)?\b|per min(?:ute)?\b)"
    r"|\b[0-9]{1,3}(?:\.[0-9]+)?\s*(?:mm\s*/?\s*hg\b|kpa\b)"
    r"|\b[0-9]{2,3}\s*%\s*(?:on\b|\(?(?:ra|room air)\b|o2\b|oxygen\b|sat)"
    r"|(?<![0-9/])[0-9]{1,2}\s*(?:/\s*10\b(?!/)|out of (?:10|ten)\b)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\b[TPR]\b[ :=]{1,3}[0-9]")
_PAIR = re.compile(r"(?<![0-9/.-])([0-9]{2,3})\s?/\s?([0-9]{2,3})(?![0-9/-])")


def read_frame(lines: list[str], draft: Draft) -> None:
    """Read the entries in a user's note into `draft`, and check the text around them.

    Raises UnreadableError for an entry that cannot be read, and for other text that states a vital.
    """
    entry: Row | None = None
    to_the_minute = False
    for line in lines:
        if _appended(line, draft):
            entry = None
            continue
        timed = _opening(line)
        if timed is None:
            texts = phrases(line)
        else:
            time, short, before, _, rest = timed
            _check_note(before)
            entry = (time, {})
            draft.rows.append(entry)
            to_the_minute = to_the_minute or short
            texts = phrases(rest)
        if entry is not None and _speaks(texts):
            entry = _enter(texts, entry, draft)
        else:
            _check_note(line)
            entry = None
    if to_the_minute:
        check_seconds(draft.rows)


def _appended(line: str, draft: Draft) -> bool:
    """As `read_line_below`, but a line that only begins like a generated one is left to the note."""
    try:
        return read_line_below(line, draft)
    except UnreadableError as error:
        if error.rule != UnreadableError.RULE:
            raise
        return False


def _opening(line: str) -> Timed | None:
    """The time at the start of an entry: it may follow a sentence of the note, and values must follow it."""
    timed = anywhere(line)
    if timed is None:
        return None
    time, short, before, mark, rest = timed
    cut = before.rfind(". ") + 2 if ". " in before else 0
    texts = phrases(rest)
    try:
        check_opening(before[cut:], mark, texts)
    except UnreadableError:
        return None
    return (time, short, before[:cut], mark, rest) if _speaks(texts) else None


def _speaks(texts: list[str]) -> bool:
    """Whether the phrases begin with a vital's value, or with its being undocumented."""
    try:
        return any(map(PHRASES.__getitem__, texts))
    except UnreadableError:
        return False


def _enter(texts: list[str], entry: Row, draft: Draft) -> Row | None:
    """Read generated phrases into the entry and return it.

    What follows the last such phrase belongs to the note again and ends the entry: then None is returned.
    """
    for at, text in enumerate(texts):
        try:
            said = PHRASES[text]
        except UnreadableError as error:
            if error.rule != UnreadableError.RULE:
                raise
            _check_note(", ".join(texts[at:]))
            return None
        # A pair with one new pressure repeats the other, which `enter_vitals` refuses.
        if said is not None and said[0] in entry[1]:
            raise UnreadableError(f"a second value of a vital: {text!r}", "V8.other_value")
        enter_vitals([text], entry[1], draft)
    return entry


@lru_cache(maxsize=4096)
def _check_note(text: str) -> None:
    """Check words of the note itself. Raises UnreadableError for a vital's value or a word for its state."""
    state = state_word(text)
    if state is not None:
        raise UnreadableError(f"a word that implies a vital's state: {state!r}", "V8.state_word")
    value = _VALUE.search(text) or _LETTER.search(text) or _pressures(text)
    if value is not None:
        raise UnreadableError(f"another value of a vital: {value[0]!r}", "V8.other_value")


def _pressures(text: str) -> re.Match[str] | None:
    """A pair of numbers without a name that could be systolic and diastolic pressure."""
    for match in _PAIR.finditer(text):
        systolic, diastolic = int(match[1]), int(match[2])
        if 40 <= systolic <= 300 and 15 <= diastolic < systolic:
            return match
    return None
