"""Normalise every kind of minus sign to "-" directly before its number; offsets stay the same.

A dash that touches a number is its sign unless it may subtract from something before it ("120 –70",
"110–120"). The words "minus" and "negative" are signs unless a quantity comes before them. A dash separated
from its number is a sign only after "is" or "=" ("is - 7.02"); at the beginning of a line it is a bullet.
"""

import re

DASHES = (
    "-\u02d7\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u2796"
    "\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010ead"
)
"""All Unicode dashes and minus signs except wave dashes, which mean "about" or "to"."""
_CLASS = re.escape(DASHES)
_TOUCHING = re.compile(rf"[{_CLASS}](?P<markup>(?:[*_`$({{\[\"']|\\[(\[])*)(?=\.?[0-9])")
_TRIANGLE = re.compile(r"[△▲](?=\s?[0-9])")
"""The triangle that marks negative amounts in Japanese accounts."""
_APART = re.compile(rf"(?<=[=≈s])(?P<blank>\s)[{_CLASS}](?P<gap>[ *_`$]{{1,6}})(?=\.?[0-9])")
_IS_BEFORE = re.compile(r"(?:\b(?:is|was|equals)|[=≈])$", re.IGNORECASE)
_WORD = re.compile(r"\b(?P<word>minus|negative)(?P<gap>[ *_`$]{1,6})(?=\.?[0-9])", re.IGNORECASE)
_QUANTITY_BEFORE = re.compile(r"[0-9)\]}%°](?:\s?[A-Za-z%°/]{1,10})?[\s*_`$]*$")
_NO_WORD_BEFORE = re.compile(
    r"(?:^|[=≈:(\[\"'*_$]|\b(?:is|was|be|of|by|to|at|about|approximately|around|roughly|exactly"
    r"|a))[\s*_`$]*$",
    re.IGNORECASE,
)
_LOOK_BACK = 24


def with_plain_signs(text: str) -> str:
    """`text` with "-" for every minus sign; its length stays the same."""
    lower = text.lower()
    if "minus" in lower or "negative" in lower:
        text = _WORD.sub(_from_word, text)
    if "△" in text or "▲" in text:
        text = _TRIANGLE.sub("-", text)
    if "-" in text or not text.isascii():
        text = _APART.sub(_from_apart, text)
        text = _TOUCHING.sub(_from_touching, text)
    return text


def _from_touching(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    if before[-1:].isalnum() or (before and before[-1] in DASHES) or _QUANTITY_BEFORE.search(before):
        return match[0]
    return match["markup"] + "-"


def _from_apart(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    if not _IS_BEFORE.search(before):
        return match[0]
    return match["blank"] + match["gap"] + "-"


def _from_word(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    negative = match["word"].lower() == "negative"
    if not negative and not _NO_WORD_BEFORE.search(before):
        return match[0]  # "120 minus 70", "systolic minus 70"
    return " " * len(match["word"]) + match["gap"][:-1] + "-"
