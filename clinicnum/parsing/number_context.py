"""Classify a number by the words around it: a bound, a list number or other label, a count of records."""

import re

from clinicnum.parsing.units import unit_at

NOUN = (
    r"(?:records?|measurements?|readings?|times?|entry|entries|occasions?|episodes?|instances?"
    r"|observations?|occurrences?)\b"
)
"""The things that our counting questions count."""

_BOUND_BEFORE = re.compile(
    r"(?:[<>≤≥]=?|\b(?:at least|at most|more than|less than|greater than|higher than|lower than|fewer than"
    r"|over|under|above|below|exceed(?:s|ed|ing)?|up to|not|between|from|minimum of|maximum of"
    r"|(?:divided|multiplied) by))[\s:]{0,3}$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"\s(?:or|and)\s(?:more|less|above|below|higher|lower|fewer|over)\b", re.IGNORECASE)
_JOINED_BEFORE = re.compile(r"[0-9]\s{0,3}(?:-|–|—|/|\bto\b|\bor\b|\band\b)\s{0,3}$", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(r"(?:(?<!total )(?<!count )\bof|\b(?:the|these|those))\s$", re.IGNORECASE)
_TALLY_BEFORE = re.compile(
    r"\b(?:in|on|for|only|just|exactly|is|was|found|counted|identified)\s$|[:=]\s?$", re.IGNORECASE
)
_TALLIED = re.compile(rf"\s(?:such\s)?{NOUN}", re.IGNORECASE)
_LABELLED = (
    "step", "question", "part", "item", "section", "option", "record", "row", "line", "case", "example",
    "task",
)  # fmt: skip
_LABELS = re.compile(
    rf"\s(?=#?[0-9])(?:{'|'.join(rf'(?<=[^a-z]{word}.)|(?<=^{word}.)' for word in _LABELLED)})"
    r"#?[0-9]{1,2}(?![0-9]|[.,:/][0-9])",
    re.IGNORECASE | re.MULTILINE,
)
_DIGITS_OF = re.compile(r"[0-9](?<!\w[0-9])[0-9]?\s(?:decimals?|digits?|lines?)\b", re.IGNORECASE)
_LISTED = re.compile(
    r"^[ \t*#>\[]{0,9}(1?[0-9])\)|^[ \t*#>\[]{0,9}([0-9]{1,2})\.(?=[ \t*]{1,3}[^\s*0-9])", re.MULTILINE
)


def bounded(text: str, start: int) -> bool:
    """Whether the number at `start` follows a bound, a negation or an operator: "above 100", "not 88"."""
    return _BOUND_BEFORE.search(text[max(0, start - 20) : start]) is not None


def without_labels(text: str) -> str:
    """Blank out numbers that are mere labels: "1. ", "Step 1", "2 decimals".

    A number with a full stop is a list number only in sequence: "1. " may be, "18. " only after "17. ".
    """
    seen, lower = {0}, text.lower()

    def blank(match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        if match[2] and number - 1 not in seen:
            return match[0]
        seen.add(number)
        return " " * len(match[0])

    for pattern, words in ((_LABELS, _LABELLED), (_DIGITS_OF, ("decimal", "digit", "line"))):
        if any(word in lower for word in words):  # much faster to look for
            text = pattern.sub(lambda match: " " * len(match[0]), text)
    numbered = any(line.lstrip(" \t*#>[")[:1].isdigit() for line in text.split("\n"))
    return _LISTED.sub(blank, text) if numbered else text


def counts_among(text: str, matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Those of the `matches` of numbers that may be counts: no bounds, no numbers with a unit, no totals ("of
    3", "the 3 records").

    If any of them is explicitly a count ("in 1 record"), only those.
    """
    free = [match for match in matches if _may_count(text, match)]
    tallied = [
        match
        for match in free
        if _TALLIED.match(text, match.end())
        and _TALLY_BEFORE.search(text[max(0, match.start() - 20) : match.start()])
    ]
    return tallied or free


def _may_count(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 20) : match.start()]
    unit, end = unit_at(text, match.end())
    return not (
        unit
        or _BOUND_BEFORE.search(before)
        or _BOUND_AFTER.match(text, end)
        or _JOINED_BEFORE.search(before)
        or _TOTAL_BEFORE.search(before)
    )
