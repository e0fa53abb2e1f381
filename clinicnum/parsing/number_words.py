"""Read a number in English words: "ninety-three point three", "minus two", or "none" for a count of 0.

Words are read where they state an amount: as the whole text, after "is" or "are", before a unit; for a
count, before "records" or "times". Not read: "one line of JSON", "one should check", "rounded to one
decimal".
"""

import re
from decimal import Decimal

from clinicnum.parsing.minus_signs import DASHES
from clinicnum.parsing.number_context import NOUN
from clinicnum.parsing.parse_result import Found, Refused
from clinicnum.parsing.units import unit_at

_SMALL_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS_WORDS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: value for value, word in enumerate(_SMALL_WORDS)}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_WORDS, start=2)}
_WORD = "|".join([*sorted([*_SMALL, *_TENS], key=len, reverse=True), "hundred", "thousand"])
_RUN = re.compile(
    rf"\b(?:(?:minus|negative)\s)?(?:a\s(?=hundred|thousand))?(?:{_WORD})"
    rf"(?:(?:[\s-]|\sand\s|\spoint\s)(?:{_WORD}))*\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:[\s:~≈=(\[\"']|\b(?:is|was|be|are|were|about|approximately|around|roughly|exactly|only)\b){0,12}",
    re.IGNORECASE,
)
_DIGITS_FIRST = re.compile(rf"[\s*`\"'(\[$]{{0,9}}[+{re.escape(DASHES)}]?\.?[0-9]")
_SAID_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|were|be|equals|counted?|found|get|gives|makes|total(?: of)?)|[:=])\s{0,2}"
    r"(?:(?:only|exactly|about|just)\s)?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s{0,2}(?:[.,;:!?()\]\"']|$)|\s(?:at|when|because|since)\b", re.IGNORECASE)
_TALLIED = re.compile(rf"\s(?:such\s|separate\s|different\s)?{NOUN}", re.IGNORECASE)
_OF_THEM = re.compile(rf"\sof\s(?:the|these|those)\s(?:[a-z0-9]{{1,9}}\s)?{NOUN}", re.IGNORECASE)
_IN_BEFORE = re.compile(r"\b(?:in|only|exactly|just)\s$", re.IGNORECASE)
_NO_AMOUNT_BEFORE = re.compile(
    r"(?:(?<!total )(?<!count )\bof|\b(?:the|these|those|this|that|each|which|any|no|every)"
    rf"|\b(?:{_WORD})\s(?:or|to|and))\s$",
    re.IGNORECASE,
)
_NONE = re.compile(r"\W*(?:none|no (?:records?|times?|measurements?|occurrences?))\W*", re.IGNORECASE)
_NONE_ABOVE = re.compile(
    rf"\b(?:no|none of (?:the|these))\s(?:such\s)?{NOUN}"
    r"(?![^.;\n]{0,80}\b(?:available|provided|documented|given)\b)[^.;\n]{0,80}?"
    r"\b(?:above|below|over|under|exceed(?:s|ed)?|higher|lower|greater|less|at least|at most|reach(?:es|ed)?"
    r"|(?:tachy|brady)cardi\w{1,2})\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:at least|at most|more than|less than|over|under|above|below|not)\s$", re.IGNORECASE
)


def without_zero_counts(text: str) -> str:
    """Drop "none", "no record was above 100" and the like from `text`: these state a count of 0."""
    return "" if _NONE.fullmatch(text) else _NONE_ABOVE.sub(" ", text)


def read_number_words(text: str, *, count: bool) -> Found | Refused:
    """The one number written in words, in a text without digits, or the reason why none can be read.

    With `count`, a number of things is asked for, and "none" is 0.
    """
    runs = [run for run in _RUN.finditer(text) if _is_amount(text, run, count=count)]
    if count and (_NONE.fullmatch(text) or (not runs and _NONE_ABOVE.search(text))):
        return Found(Decimal(0), "0", None, plain=False, detail="number_words", at_end=True)
    if not runs:
        return Refused("no number")
    values = {_value(run[0].lower()) for run in runs}
    if len(values) > 1:
        return Refused("several numbers in words and none marked as the answer, as in “Answer: …”")
    value = values.pop()
    if value is None or _BOUND.search(text[max(0, runs[0].start() - 15) : runs[0].start()]):
        return Refused("words that do not make one number")
    unit, end = unit_at(text, runs[0].end())
    return Found(
        value, f"{value:f}", unit, plain=False, detail="number_words", at_end=end == len(text.rstrip())
    )


def begins_with_number(text: str) -> bool:
    """Whether `text` begins with a number, in digits or in words."""
    return bool(_DIGITS_FIRST.match(text)) or _RUN.match(text.lstrip(" *`\"'")) is not None


def _is_amount(text: str, run: re.Match[str], *, count: bool) -> bool:
    """Whether number words state an amount; "one" may also be a pronoun or an article."""
    before = text[max(0, run.start() - 20) : run.start()]
    unit, end = unit_at(text, run.end())
    if _NO_AMOUNT_BEFORE.search(before):
        return False
    if unit or (count and _TALLIED.match(text, end)):
        return True
    opens = _OPENING.fullmatch(text, 0, run.start())
    if count and _OF_THEM.match(text, end) and (opens or _IN_BEFORE.search(before)):
        return True
    said = opens or _SAID_BEFORE.search(before)
    compound = len(re.split(r"[\s-]", run[0])) > 1
    return bool(said and (compound or _ENDS.match(text, end)))


def _value(run: str) -> Decimal | None:
    """The value of number words; None if they do not form a number ("five ninety", "one point hundred")."""
    words = [word for word in re.split(r"[\s-]+", run) if word not in ("and", "a")]
    negative = words[0] in ("minus", "negative")
    words = words[1:] if negative else words
    whole, _, fraction = " ".join(words).partition(" point ")
    number = _whole(whole.split())
    if number is None or "point" in fraction.split():
        return None
    digits = [_SMALL.get(word, 99) for word in fraction.split()]
    if any(digit > 9 for digit in digits):
        return None
    text = f"{number}.{''.join(map(str, digits))}" if digits else str(number)
    return -Decimal(text) if negative else Decimal(text)


def _whole(words: list[str]) -> int | None:
    """The value of words that form a whole number below a million; None if they do not."""
    total, group, last = 0, 0, 10**6
    for word in words:
        if word == "hundred":
            if group > 9:
                return None
            group, last = (group or 1) * 100, 100
        elif word == "thousand":
            if total:
                return None
            total, group, last = (group or 1) * 1000, 0, 1000
        else:
            value = _TENS.get(word) or _SMALL[word]
            room = 10 if 20 <= last <= 90 else last
            if value >= room or last < 20 or (value == 0 and last < 10**6):
                return None
            group, last = group + value, value
    return total + group
