"""Find comparisons of two numbers in a text, and whether each is correct."""

import re
from collections.abc import Callable, Iterator
from operator import ge, gt, le, lt
from typing import NamedTuple

from clinicnum.diagnosis.numbers_in_text import MAX_DIGITS, whole_word

_COMPARED = re.compile(
    r"(?P<left>[-−0-9](?<![\w.,].)(?:(?<=[0-9])[0-9]*+|(?<=[-−])(?<!\).)[0-9]++)(?:\.[0-9]++)?+)"
    r"\s?(?:%|°\s?[cf]|mm\s?hg|bpm|breaths/min)?\s?"
    r"(?P<sign><=|>=|[<>≤≥]|(?:is|was)\s(?P<not>not\s)?(?P<word>above|below|over|under|higher\sthan|greater\sthan"
    r"|more\sthan|lower\sthan|less\sthan))\s?(?:the\sthreshold\sof\s)?"
    r"(?P<right>[0-9]+(?:\.[0-9]+)?)(?![0-9]|[.,:][0-9])"
    r"(?:\s?(?:%|°\s?[cf]|mm\s?hg|bpm|breaths/min))?(?P<after>[\s:,(→\-–]{0,4}(?:yes|no|true|false)\b)?(?P<asked>\s?\?)?"
)
_BEFORE = MAX_DIGITS + len("breaths/min") + 4
"""Characters that a comparison may have before its sign: a number with its point and sign, a unit, blanks."""
_THAN = r"\s(?:not\s)?(?:above|below|over|under|[a-z]{3,7}er\sthan|more\sthan|less\sthan)"
_COMPARES = re.compile(rf"<|>|≤|≥|{whole_word((f'is{_THAN}', f'was{_THAN}'))}")
"""Each comparison has one of these, which are much faster to look for."""
_DOUBTED = re.compile(r"\b(?:if|whether|not|is|was|when|where|criterion|threshold)\s{0,2}$")
_ABOVE = ("above", "over", "higher than", "greater than", "more than")


class Comparison(NamedTuple):
    """Two written numbers, and the comparison that the text states between them."""

    start: int
    end: int
    left: float
    sign: str
    """The relation stated, one of >, <, >= and <=; of "is not above", <=."""
    right: float
    verdict: bool | None
    """The text's own verdict (yes or no) on the comparison; None if it gives none."""
    holds: bool
    """Whether that verdict, or else the comparison itself, is correct; of "88 is not above 90: no", whose
    verdict may repeat the denial or reject it, always True.
    """
    denied: str | None
    """Of "is not above", the relation denied, here >; None for a comparison without "not"."""

    def is_by(self, sign: str) -> bool:
        """Whether the comparison decides if `sign` holds between its numbers, by stating or denying it."""
        return sign in (self.sign, self.denied)


def comparisons_in(text: str) -> Iterator[Comparison]:
    """Comparisons of two numbers that a (folded) text asserts; those asked or conditional are left out."""
    first = _COMPARES.search(text)
    if first is None:
        return
    for match in _COMPARED.finditer(text, max(0, first.start() - _BEFORE)):
        before = text[max(0, match.start() - 12) : match.start()]
        if match["asked"] or (not match["after"] and _DOUBTED.search(before)):
            continue
        left, right, sign = float(match["left"].replace("−", "-")), float(match["right"]), _sign(match)
        denied = sign if match["not"] else None
        if denied:
            sign = _OPPOSITES[denied]
        after = match["after"]
        verdict = after.strip(" :,(→-–\t\n") in ("yes", "true") if after else None
        is_so = _RELATIONS[sign](left, right)
        holds = is_so if verdict is None else is_so == verdict or bool(denied and not verdict)
        yield Comparison(match.start(), match.end(), left, sign, right, verdict, holds, denied)


_RELATIONS: dict[str, Callable[[float, float], bool]] = {">": gt, "<": lt, ">=": ge, "<=": le}
_OPPOSITES = {">": "<=", "<": ">="}
"""The relation that holds where the other does not."""


def _sign(match: re.Match[str]) -> str:
    sign = match["sign"]
    if match["word"]:
        return ">" if " ".join(match["word"].split()) in _ABOVE else "<"
    return {"≥": ">=", "≤": "<="}.get(sign, sign)
