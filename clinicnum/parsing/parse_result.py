"""The result of parsing a piece of text: a value, or the reason why there is none."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from clinicnum.parsing.latex import without_latex
from clinicnum.parsing.minus_signs import with_plain_signs

_THOUSANDS_BLANK = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_SUPERSCRIPT = re.compile("(?<=[0-9])(?=[⁰¹²³⁴-⁹⁻])")
_MARKUP = re.compile(r"</?[A-Za-z]{1,10}\s?/?>|<\|[A-Za-z_]{1,30}\|>")
_UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Zero-width characters, which would split a number."""
_SAME = str.maketrans("−‑º˚⁄*`${}", "--°°/     ", _UNSEEN)


class Found(NamedTuple):
    """A value that was read, with its original spelling and unit."""

    value: Decimal | datetime | None
    """A duration is in days, a date is at midnight. None for an option's letter, and for a clock time that
    fits no record: this is an answer, and a wrong one."""
    written: str
    """The value in normalised spelling, with the digits as given."""
    unit: str | None
    """The canonical unit; None if none was written."""
    plain: bool
    """The text held nothing but the value in the requested spelling, and perhaps its unit."""
    detail: str | None = None
    """The name of an unusual spelling: `number_words`, `thousands`, `us_date`, ...; None for a usual one."""
    at_end: bool = False
    """The value reaches the end of the text, so truncation may have shortened it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """No value could be read, with the reason."""

    why: str


class Reading(NamedTuple):
    """The result of reading an answer from a generation."""

    kind: Literal["value", "abstention", "unparsable", "empty", "truncated"]
    form: str | None
    """The form in which the answer was marked, and after a colon an unusual spelling: `boxed:thousands`."""
    why: str
    found: Found | None = None
    """The value; None unless `kind` is `value`."""
    span: tuple[int, int] | None = None
    """Start and end, in the text, of the value or of the marked abstention; None if unknown."""


def value_reading(form: str, found: Found) -> Reading:
    """The reading of a value; an unusual spelling is named after a colon."""
    return Reading("value", f"{form}:{found.detail}" if found.detail else form, "read", found)


def cleaned(raw: str) -> str:
    """Normalise `raw`: no markup, one kind of minus, blank and degree sign, "10^2" for "10²"."""
    text = with_plain_signs(_MARKUP.sub(" ", raw) if "<" in raw else raw)
    text = without_latex(text)
    if text.isascii():
        return text.translate(_SAME)
    text = _SUPERSCRIPT.sub("^", _THOUSANDS_BLANK.sub("", text))
    return unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
