"""The result of parsing a piece of text: a value, or the reason why there is none."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from clinicnum.parsing.latex import without_latex
from clinicnum.parsing.minus_signs import with_plain_signs

_THOUSANDS_BLANK = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_SUPERSCRIPT = re.compile("(?<=[0-9])(?=[⁰¹²³⁴-⁹⁻])")
_MARKUP = re.compile(r"</?[A-Za-z]{1,10}\s?/?>|<\|[A-Za-z_]{1,30}\|>")
_UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters of no width, which would part a number."""
_SAME = str.maketrans("−‑º˚⁄*`${}", "--°°/     ", _UNSEEN)


class Found(NamedTuple):
    """A value that was read, with its original spelling and unit."""

    value: Decimal | datetime | None
    """A length of weeks and days is a number of days, a date is its midnight. None for the letter of an
    option, and for a clock time that fits no record: an answer, and a wrong one."""
    written: str
    """The value in plain writing, with the digits that were given."""
    unit: str | None
    """Canonical unit, if one was written."""
    plain: bool
    """Nothing but the value in its asked writing (and perhaps its unit) was there."""
    detail: str | None = None
    """How it was written, where that is out of the ordinary: `number_words`, `thousands`, `us_date`, ..."""
    at_end: bool = False
    """The value reaches the end of the text, so a cut-off text may have lost some of it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """No value could be read, with the reason."""

    why: str


def cleaned(raw: str) -> str:
    """Normalise `raw`: no markup, one kind of minus, blank and degree sign, "10^2" for "10²"."""
    text = with_plain_signs(_MARKUP.sub(" ", raw) if "<" in raw else raw)
    text = without_latex(text)
    if text.isascii():
        return text.translate(_SAME)
    text = _SUPERSCRIPT.sub("^", _THOUSANDS_BLANK.sub("", text))
    return unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
