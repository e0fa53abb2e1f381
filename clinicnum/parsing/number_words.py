"""Reads a number written in English words: "ninety-three point three", "minus two", "none" of a count."""

import re
from decimal import Decimal

from clinicnum.parsing.reading import Found, Refused
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
_PRONOUN = re.compile(r"\b(?:one of|no one|this one|that one|each one|the one|which one)\b", re.IGNORECASE)
_NONE = re.compile(r"\W*(?:none|no (?:records?|times?|measurements?|occurrences?))\W*", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:at least|at most|more than|less than|over|under|above|below|not)\s$", re.IGNORECASE
)


def read_number_words(text: str, *, count: bool) -> Found | Refused:
    """The one number that stands in words in a text without digits."""
    if count and _NONE.fullmatch(text):
        return Found(Decimal(0), "0", None, plain=False, detail="number_words", at_end=True)
    text = _PRONOUN.sub(lambda match: " " * len(match[0]), text)
    runs = list(_RUN.finditer(text))
    if not runs:
        return Refused("no number")
    values = {_value(run[0].lower()) for run in runs}
    if len(values) > 1:
        return Refused("several numbers in words and none marked as the answer")
    value = values.pop()
    if value is None or _BOUND.search(text[max(0, runs[0].start() - 15) : runs[0].start()]):
        return Refused("words that do not make one number")
    unit, end = unit_at(text, runs[0].end())
    return Found(
        value, f"{value:f}", unit, plain=False, detail="number_words", at_end=end == len(text.rstrip())
    )


def _value(run: str) -> Decimal | None:
    """None if the words do not make a number ("five ninety", "one point hundred")."""
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
    """Words of a whole number below a million; each word must be able to follow the one before."""
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
