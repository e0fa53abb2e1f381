"""Read one number from a short text.

Read: plain decimals, signs that touch the number, thousands separators (comma, thin or no-break space),
exponents, "8 million", number words, LaTeX fractions, a unit after the number, the last right-hand side of a
chain of "=".

Not read: ranges ("110-120"), pairs ("120/80"), bounds ("over 100", ">= 100", "3 or more"), negations ("not
88"), "1/2" and other expressions, ordinals ("2nd"), a decimal comma ("37,5" may be two numbers), and any
text with several different numbers, unless it begins with the answer.

A dash separated from its number ("- 36.5") is a bullet, not a minus. For a count, bounds and numbers with
units are passed over ("above 100 bpm in 1 record"). Outside a marked answer, list and step numbers are
passed over.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from clinicnum.parsing.datetimes import without_times
from clinicnum.parsing.number_context import bounded, counts_among, without_labels
from clinicnum.parsing.number_words import read_number_words
from clinicnum.parsing.parse_result import Found, Refused, cleaned
from clinicnum.parsing.units import conversion, rounds_to, unit_at

MAX_DIGITS = 40


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text, with its unit."""

    value: Decimal
    digits: int
    """Number of decimals as written."""
    unit: str | None
    span: tuple[int, int]
    """Start and end in the normalised text, whose offsets equal the original's unless that has LaTeX."""
    stop: int
    """Offset of the end of its unit."""


_NUMBER = re.compile(
    r"[-+.0-9](?<![\w.,^].)(?<!\^-.)(?<![0-9]['’].)"  # begins so as to be fast to search for
    r"(?:(?<=[0-9])(?:[0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]*(?:\.[0-9]+)?)"
    r"|(?<=[-+])(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?<=\.)[0-9]+)"
    r"(?P<exponent>[eE][-+]?[0-9]{1,2}(?![0-9a-zA-Z]))?(?![0-9]|[.,'’][0-9])",
    re.ASCII,
)
_LAST_OF_ALPHABETS = "\u2e7f"
"""Scripts beyond this character have no spaces: "50盎司" is the number 50."""
_YEAR_SIGNS = ("ء", "ھ", "م")
"""Letters of the Arabic script that follow a year, and are no part of it."""
_OPENING = re.compile(
    r"(?:[\s:~≈=(\[\"']|\b(?:is|was|be|are|were|about|approximately|approx\.|around|roughly|exactly|only"
    r"|a)\b){0,12}"
)
_MORE_AFTER = re.compile(
    r"\s?\([^()]{1,40}\)\s?[-+×*/]\s?[0-9]|"
    r"\s{0,3}(?:(?:-|–|—|/|±|\+|x|×|÷|\bto\b|\bor\b|\band\b|,)\s{0,3}[-+]?[.]?[0-9]"
    r"|\s?(?:[*×·÷]"
    r"|[-+/]\s?(?=[(\\]))\s?[A-Za-z(\\△]|[-+/][A-Za-z](?![A-Za-z])|\\?(?:pi\b|sqrt)"
    r"|[π√]|[ ][0-9]|\^|:[0-9]|\+|±"
    r"|(?:[a-z]{1,12}\s){0,4}(?:or|and)\s(?:more|less|above|below|higher|lower|fewer)\b)",
    re.IGNORECASE,
)
_UNWORKED = re.compile(r"(?:(?:√|sqrt)\s?[({]?\s?[0-9]|[0-9]!\s?[/*(×·])[^=≈]*$")
"""A root, or a quotient of factorials, at the end of a text: its value was not computed."""
_EXPRESSION = re.compile(r"[A-Za-z)]\s*[-+/*×·^(]\s*$")
_YEAR = re.compile(
    r"\b(?:in|for|of|since|by|until|from|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov"
    r"|dec)[a-z]*\W{0,2}(?:[0-9]{1,2}\W{1,2})?)"
    r"\s?(?:19|20)[0-9]{2}$",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(r"^[^0-9]*\b(?:19|20)[0-9]{2}(?=\s?[.,;)]?\s*$)[^0-9]*$")
_DECIMAL_COMMA = re.compile(r"(?<![\w.,(\[{])(?:0,[0-9]{1,6}|[0-9]{1,4},[0-9]{1,2})(?![\w,\])}]|\.[0-9])")
_SENTENCES = re.compile(r"[.;]\s+[A-Z]")
_NONE_OF = re.compile(r"\s*there (?:is|are|was|were) no\b[^.]*\.?\s*$", re.IGNORECASE)
_VARIABLE = re.compile(r"(?:^|[,;.]\s|\band\s|\bwith\s)([A-Za-z])\s?=\s?-?[0-9]")
_EQUALS = re.compile(r"[=≈]")
_UNKNOWN_UNIT = re.compile(r"\s*(?:[A-Za-zµμ]+)?(?:\s?(?:/|per\b)\s?[A-Za-zµμ]+){1,2}\s*[.*]*\s*")
"""What follows the last number of an equation: "micrograms per minute", "mmol/L"."""
_BARE = re.compile(r"\s*(-?(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,6})?)\s*")
_RESTATED = re.compile(
    r"(?<![\w.,])(?P<first>-?[0-9]{1,6}(?:\.[0-9]{1,6})?)\s?[^\s0-9(][^0-9(]{0,20}"
    r"(?P<bracket>\(\s?(?:[=≈~]|i\.\s?e\.,?|that is,?|or|about|approximately|equivalent to)?\s?"
    r"(?P<second>-?[0-9]{1,6}(?:\.[0-9]{1,6})?)\s?[^0-9()]{1,20}\))"
)
_RANGE = re.compile(r"(?<![\w.])[0-9.]+(?:[-–—]|\sto\s)[0-9.]+(?![0-9]|[^.\n]{0,12}=)")
_DENIED = re.compile(r"\bnot\s$", re.IGNORECASE)
_SYMBOL = r"(?:ms|km|cm|mm|nm|kg|mg|ml|kj|k?hz|mhz|ghz|m?ev|mol|min|hrs?|sec|k?pa)\b"
"""Unit symbols that are not vital signs' units; other letters after a number make a formula ("2x", "3n")."""
_GLUED_SYMBOL = re.compile(_SYMBOL, re.IGNORECASE)
_DECIMAL_UNIT = re.compile(r".*[0-9]\.[0-9]+[mgsNJWVAKLh](?![A-Za-z0-9])", re.DOTALL)
_GLUED = re.compile(
    r"(?<![\w.])[0-9.]*[0-9](?=[A-Za-z])"
    r"(?!(?:st|nd|rd|th)\b)(?!" + _SYMBOL + ")",
    re.IGNORECASE,
)
_SCALE = re.compile(r"\s(?P<name>thousand|million|billion|trillion)\b", re.IGNORECASE)
_TIMES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_MIDDLE_DOT = re.compile(r"(?<![0-9.·])(?P<whole>[0-9]{1,4})·(?P<part>[0-9]{1,3})(?![0-9·]|\s?[=*/×+])")
"""The raised decimal point of British journals ("36·3"), not the dot of a product ("2·3 = 6")."""
_NAMED = re.compile(r"[A-Za-z]-[0-9]|[0-9]-[A-Za-z]")
_NO_NUMBER = re.compile(
    r"\b[0-9]{1,3}-(?:year|month|week|day|hour|minute|point|item|step|lead)s?\b|"
    r"/\s?1\.73(?=\s?m)|(?<=[0-9]):1(?![0-9.:])|\b[0-9]{1,3}[- ](?:year|month|week|day)s?[- ]old\b"
    r"|(?<=[a-z]{2}-)(?<!\bHR-)(?<!\bRR-)(?<!\bBP-)(?<!\bMAP-)[0-9]{1,2}(?![0-9.,]*[0-9%°])",
    re.IGNORECASE,
)
"""Digits of a unit, an age, a name or a ratio to one: "1.73 m2", "82-year-old", "CURB-65", "0.72:1"."""


def read_number(raw: str, *, count: bool = False, anywhere: bool = False) -> Found | Refused:
    """The one number in `raw`.

    With `count`, "none" is read as 0. With `anywhere`, a number at the beginning is not preferred.
    """
    bare = _BARE.fullmatch(raw)
    if bare:  # most answers; the rest of this function would say the same
        return Found(Decimal(bare[1]), bare[1], None, plain=True, at_end=True)
    text = _with_numbers_only(cleaned(raw))
    text = without_labels(text) if anywhere else text
    text = _without_restated(text) if "(" in text else text
    matches = [match for match in _NUMBER.finditer(text) if _stands_alone(text, match)]
    if count and matches:
        counts = counts_among(text, matches)
        words = read_number_words(text, count=True) if not counts else None
        if isinstance(words, Found):
            return words
        matches = counts or matches
    if not matches:
        if any(character.isdigit() for character in text):
            return Refused("no number that can be read one way only")
        return read_number_words(text, count=count)
    if _UNWORKED.search(text):
        return Refused("an expression that is not worked out")
    return _single(text, matches, raw, anywhere=anywhere)


def _single(text: str, matches: list[re.Match[str]], raw: str, *, anywhere: bool) -> Found | Refused:
    """The number that a text begins with, or the one an equation ends in, or else the only one."""
    first = matches[0]
    if not anywhere and _OPENING.fullmatch(text, 0, first.start()) and not _goes_on(text, first):
        return _found(text, first, raw)
    if anywhere and len(set(_VARIABLE.findall(text))) > 1:
        return Refused("values of several variables")
    signs = [match.end() for match in _EQUALS.finditer(text)]
    one_line = "\n" not in text.strip() and not _SENTENCES.search(
        text, first.end(), signs[-1] if signs else 0
    )
    if signs and (not anywhere or one_line):
        after = next((match for match in matches if match.start() >= signs[-1]), None)
        if after and not text[signs[-1] : after.start()].strip() and not _goes_on(text, after):
            rest = text[unit_at(text, _stop(text, after))[1] :]
            if not anywhere or not any(map(str.isalnum, rest)) or _UNKNOWN_UNIT.fullmatch(rest):
                return _found(text, after, raw)
        elif anywhere or (after and _EXPRESSION.search(text[signs[-1] : after.start()])):
            return Refused("an equation that does not end in a number")
    if anywhere and _DECIMAL_COMMA.search(text):
        return Refused("a comma that may be a decimal sign, beside another number")
    if anywhere and _is_no_value(text, matches):
        return Refused("a year, or a number within what there is none of")
    if anywhere and _in_formula(text):
        return Refused("a number within a formula, and none marked as the answer, as in “Answer: …”")
    return _only(text, matches, raw)


def _is_no_value(text: str, matches: list[re.Match[str]]) -> bool:
    """Whether the numbers of a whole text are only years, or stand in a sentence "there is no ..."."""
    if _NONE_OF.match(text) or (_BARE_YEAR.search(text) and len(text.split()) > 4):
        return True
    return all(_YEAR.search(text, 0, match.end()) for match in matches)


def numbers_in(text: str) -> list[Amount]:
    """All numbers of a text, except those in dates, times, list and step numbers, ranges, and "not 110"."""
    plain = _RANGE.sub(_blank, without_names(text))
    amounts = []
    for match in _NUMBER.finditer(plain):
        value = _value(match) if _stands_alone(plain, match) else None
        if value is None or _DENIED.search(plain[max(0, match.start() - 6) : match.start()]):
            continue
        digits = len(f"{value:f}".partition(".")[2])
        unit, stop = unit_at(plain, match.end())
        amounts.append(Amount(value, digits, unit, match.span(), stop))
    return amounts


def without_names(text: str) -> str:
    """`text` with the digits of dates, times, list numbers, ages and names such as "CURB-65" blanked out."""
    return without_labels(_with_numbers_only(cleaned(text)))


def _without_restated(text: str) -> str:
    """Blank out brackets that restate the number before them in another unit: "37.5 °C (99.5 °F)"."""

    def blank(match: re.Match[str]) -> str:
        units = (unit_at(text, match.end("first"))[0], unit_at(text, match.end("second"))[0])
        change = conversion(asked=units[0], written=units[1]) if all(units) and units[1] else None
        if change is None or units[0] == units[1]:
            return match[0]
        first, second = (Fraction(match[name]) for name in ("first", "second"))
        digits = [len(match[name].partition(".")[2]) for name in ("first", "second")]
        same = rounds_to(change.forward(second), first, digits[0])
        same = same or rounds_to(change.back(first), second, digits[1])
        head = match[0][: match.start("bracket") - match.start()]
        return head + " " * (len(match[0]) - len(head)) if same else match[0]

    return _RESTATED.sub(blank, text)


def _with_numbers_only(text: str) -> str:
    """Blank out dates, times, and digits of a unit, a name, an age or a ratio to one ("0.72:1")."""
    text = without_times(text)
    text = _MIDDLE_DOT.sub(r"\g<whole>.\g<part>", text) if "·" in text else text
    digits = "1.73" in text or ":1" in text or "old" in text or _NAMED.search(text)
    return _NO_NUMBER.sub(_blank, text) if digits else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _only(text: str, matches: list[re.Match[str]], raw: str) -> Found | Refused:
    value = _value(matches[0])
    if any(_value(match) != value for match in matches[1:]):
        return Refused("several numbers and none marked as the answer, as in “Answer: …”")
    if _goes_on(text, matches[0]):
        return Refused("a range, a bound or an expression, not a number")
    return _found(text, matches[0], raw)


def _found(text: str, match: re.Match[str], raw: str) -> Found | Refused:
    if bounded(text, match.start()):
        return Refused("a bound or a negation, not a number")
    value = _value(match)
    if value is None:
        return Refused(f"a number of more than {MAX_DIGITS} digits")
    unit, end = unit_at(text, _stop(text, match))
    detail = _detail(text, match)
    if detail is None and len(cleaned(raw)) < len(raw) and re.search("[0-9][\u00a0\u2009\u202f][0-9]", raw):
        detail = "thousands"
    stripped = raw.strip()
    alone = stripped == match[0] or (unit is not None and stripped == text[match.start() : end].strip())
    plain = alone and detail is None and match[0][0] not in "+." and not match[0].startswith("-.")
    return Found(value, f"{value:f}", unit, plain, detail, at_end=end == len(text.rstrip()))


def _detail(text: str, match: re.Match[str]) -> str | None:
    """The name of an unusual spelling (`scale_word`, `thousands`, `exponent`); None for a plain number."""
    if _SCALE.match(text, match.end()):
        return "scale_word"
    return "thousands" if "," in match[0] else "exponent" if match["exponent"] else None


def _value(match: re.Match[str]) -> Decimal | None:
    number = match[0].replace(",", "")
    if len(number.lstrip("+-")) - len(match["exponent"] or "") > MAX_DIGITS:
        return None
    scale = _SCALE.match(match.string, match.end())
    return Decimal(number) * (_TIMES[scale["name"].lower()] if scale else 1)


def _stop(text: str, match: re.Match[str]) -> int:
    """The offset of a number's end, including a following "million"."""
    scale = _SCALE.match(text, match.end())
    return scale.end() if scale else match.end()


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """False if letters that are not a unit follow the digits directly: "2nd", "3x"."""
    following = text[match.end() : match.end() + 1]
    if following > _LAST_OF_ALPHABETS or following in _YEAR_SIGNS:
        return True
    if not (following.isalpha() or following == "_") or unit_at(text, match.end())[0] is not None:
        return True
    return _GLUED_SYMBOL.match(text, match.end()) is not None or _glued_unit(text, match.end())


def _glued_unit(text: str, end: int) -> bool:
    """Whether a one-letter unit follows a decimal number directly: "1.3038m"."""
    return _DECIMAL_UNIT.match(text[max(0, end - 12) : end + 2]) is not None


def _in_formula(text: str) -> bool:
    """Whether letters that are not a unit follow a number directly, as in "2x"; "Apollo 2A" is a name and
    does not count.
    """
    ends = (match.end() for match in _GLUED.finditer(text))
    glued = [end for end in ends if unit_at(text, end)[0] is None and not _glued_unit(text, end)]
    return any(text[end].islower() or "=" in text for end in glued)


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether the number is part of a range, a pair, a bound or an expression."""
    return _MORE_AFTER.match(text, unit_at(text, _stop(text, match))[1]) is not None
