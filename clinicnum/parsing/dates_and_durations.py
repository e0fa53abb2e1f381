"""Read one date without a time, or one duration in weeks and days, as MedCalc-Bench asks for them.

Dates: month/day/year as asked, ISO, year first, month names. Not read: two-digit years, and a day before its
month ("23/09/2014"), since the question asks for the month first.

Durations: "(4 weeks, 3 days)", "4 weeks and 3 days", "4w3d", "4+3", a pair, weeks or days alone.
"""

import re
from datetime import datetime
from decimal import Decimal

from clinicnum.parsing.datetimes import DATES, MONTHS, standing_alone
from clinicnum.parsing.foreign_months_and_numbers import in_english
from clinicnum.parsing.parse_result import Found, Refused, cleaned

_FORMS = tuple(
    (name, standing_alone(rf"{pattern}(?![0-9])", r"[\w.-]")) for name, pattern in DATES if name != "compact"
)
_OPENING = re.compile(
    r"(?:[\s:=(\[\"']|\b(?:is|was|on|the|date|due|be|approximately|about)\b){0,12}", re.IGNORECASE
)
_MORE = re.compile(r"\s{0,3}(?:-|–|—|;|,|\bto\b|\bor\b|\band\b|\bthrough\b)\s{0,3}$", re.IGNORECASE)
_MARKS = str.maketrans("'\"()[]{}“”’‘", "            ")
_WEEKS = re.compile(
    r"(?<![\w.,/-])(?P<w>[0-9]{1,2})\s{0,2}(?:weeks?|wks?|w)(?![a-z])\.?"
    r"(?:[\s,;&+]{0,4}(?:and\s{1,3})?(?P<d>[0-9]{1,2})\s{0,2}(?:days?|d)(?![a-z]))?"
    r"|(?<![\w.,/-])(?P<only>[0-9]{1,3})\s{0,2}days?\b",
    re.IGNORECASE,
)
_PAIR = re.compile(r"\s*(?P<w>[0-9]{1,2})\s{0,2}[,+]\s{0,2}(?P<d>[0-6])\s*")
_TUPLE = re.compile(r"\([0-9]{1,2} weeks?, [0-6] days?\)")


def read_date(raw: str, *, anywhere: bool = False) -> Found | Refused:
    """The one date in `raw` as a datetime at midnight, or the reason why none can be read.

    In a date of digits the month comes before the day. With `anywhere`, `raw` is a whole text, so that a date
    at its beginning is not preferred.
    """
    text = in_english(cleaned(raw))
    taken: list[tuple[str, re.Match[str]]] = []
    used = bytearray(len(text))
    for name, pattern in _FORMS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if match["y"] and used.find(1, start, end) < 0:
                taken.append((name, match))
                used[start:end] = b"\1" * (end - start)
    if not taken:
        return Refused("no date with day, month and year")
    taken.sort(key=lambda pair: pair[1].start())
    values = [_date(match) for _, match in taken]
    name, first = taken[0]
    if len(set(values)) > 1:
        joined = _MORE.search(text[first.end() : taken[1][1].start()])
        if anywhere or joined or not _OPENING.fullmatch(text, 0, first.start()):
            return Refused("several dates and none marked as the answer, as in “Answer: …”")
    if values[0] is None:
        return Refused(f"{first[0]} is no date as month/day/year")
    written = f"{values[0]:%m/%d/}{values[0].year:04d}"
    detail = None if name == "day_or_month_first" else name
    at_end = first.end() == len(text.rstrip())
    return Found(values[0], written, None, raw.strip() == written, detail, at_end)


def _date(match: re.Match[str]) -> datetime | None:
    parts = match.groupdict()
    month, day = parts.get("mo"), parts.get("d")
    if parts.get("name"):
        month = str(MONTHS.index(parts["name"][:3].lower()) + 1)
    if parts.get("a"):
        month, day = parts["a"], parts["b"]
    try:
        return datetime(int(parts["y"]), int(month or 0), int(day or 0))
    except ValueError:
        return None


def read_weeks(raw: str, *, anywhere: bool = False) -> Found | Refused:
    """The one duration in `raw`, as a number of days, or the reason why none can be read.

    With `anywhere`, `raw` is a whole text, so that a duration at its beginning is not preferred.
    """
    text = cleaned(raw).translate(_MARKS)
    pair = _PAIR.fullmatch(text.rstrip(" ."))
    matches = [pair] if pair else list(_WEEKS.finditer(text))
    if not matches:
        return Refused("no weeks and days")
    values = {_days(match) for match in matches}
    if len(values) > 1 and (anywhere or text[: matches[0].start()].strip()):
        return Refused("several lengths and none marked as the answer, as in “Answer: …”")
    days = _days(matches[0])
    written = f"({days // 7} weeks, {days % 7} days)"
    return Found(
        Decimal(days),
        written,
        None,
        plain=_TUPLE.fullmatch(raw.strip()) is not None,
        at_end=matches[0].end() == len(text.rstrip()),
    )


def _days(match: re.Match[str]) -> int:
    parts = match.groupdict()
    return int(parts.get("only") or 0) + 7 * int(parts.get("w") or 0) + int(parts.get("d") or 0)
