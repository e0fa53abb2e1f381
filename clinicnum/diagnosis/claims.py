"""What a text says the record reads: "heart rate was 104 bpm at 08:12", "BP 118/76".

A claim names a vital sign and gives its number with nothing but small words, a unit or a time between. The
time is the one that stands between or just behind, else the last one before on the same line. What is
computed ("mean heart rate 96", "heart rate above 100", "systolic - diastolic = 42") is no claim.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from clinicnum.diagnosis.facts import Facts
from clinicnum.diagnosis.written import Moment
from clinicnum.types import Vital

_UNIT = (
    r"(?:mm\s?hg|bpm|beats(?:/|\sper\s)min(?:ute)?|breaths(?:(?:/|\sper\s)min(?:ute)?)?|°\s?c\b|degrees\scelsius"
    r"|celsius|%|percent|/10)"
)
_NAMES: tuple[tuple[Vital, str], ...] = (
    ("heart_rate_bpm", r"heart\srate|pulse(?:\srate)?(?!\spressure)|hr"),
    ("sbp_mmhg", r"systolic(?:\sblood)?(?:\spressure|\sbp)?|sbp"),
    ("dbp_mmhg", r"diastolic(?:\sblood)?(?:\spressure|\sbp)?|dbp"),
    ("resp_rate_bpm", r"resp(?:iratory|iration|\.)?\srate|respirations?|rr"),
    ("spo2_pct", r"oxygen\ssaturation(?:\s\(spo2\))?|spo2|sao2|o2\ssat(?:uration)?"),
    ("temperature_c", r"temperature|temp\.?"),
    ("pain", r"pain(?:\sscore)?"),
)
_LABELS = "|".join(f"(?P<{vital}>{names})" for vital, names in _NAMES)
_GAP = (
    r"(?:[\s:*_|(,\"']|\x00+|=(?!=)|\b(?:was|is|of|at|on|were|recorded|measured|documented|reading|value|the|a|as|then"
    rf"|for|to\sbe|here|in|this|that|record|time)\b|\({_UNIT}\)){{0,14}}?"
)
_CLAIM = re.compile(
    rf"\b(?:{_LABELS})(?P<gap>{_GAP})(?<![\w.])(?P<value>[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)(?![0-9a-z]|[.,:][0-9])"
    rf"(?P<unit>\s?{_UNIT})?(?P<next>\s{{0,2}}\S)?"
)
_PRESSURE = re.compile(
    rf"\b(?:blood\spressure|bp)(?P<gap>{_GAP})(?<![\w.])(?P<sbp>[0-9]{{2,3}})\s?/\s?(?P<dbp>[0-9]{{2,3}})(?![0-9]|[.,:][0-9])"
)
_COMPUTED = re.compile(
    r"\b(?:mean|average|median|maximum|max|minimum|min|highest|lowest|total|sum|change|difference|increase|decrease"
    r"|rise|fall|drop|range|baseline|normal|threshold|ratio|percentage|third|half|product|index|times|plus|minus)\b"
    r"|[-+*/×÷–−]\s{0,2}$"
)
_CLAUSE_ENDS = re.compile(r"[,;\n]|[.:]\s")
_CLAUSE = 70
"""Characters before a name in which a word may say that its number is computed."""
_GOES_ON = "-+*/×÷–−^x%"


class Claim(NamedTuple):
    """A number said to be the reading of a vital sign."""

    start: int
    end: int
    """Of the number."""
    vital: Vital
    value: float
    record: int | None
    """The record whose time is named; None if none is, or no single one."""


def claims_in(text: str, moments: Sequence[Moment], facts: Facts) -> list[Claim]:
    """The claims of a (folded) text from which the dates and times (`moments`) are taken out."""
    found = []
    starts = [moment.start for moment in moments]
    for match in _CLAIM.finditer(text):
        vital, unit = match.lastgroup, match["unit"]
        vital = next(name for name, _ in _NAMES if match[name] is not None)
        following = (match["next"] or "").strip()
        if following and following in _GOES_ON and not (unit and following in "-–−"):
            continue
        if not _is_computed(text, match):
            record = _record(text, match.start(), match.end("value"), moments, starts, facts)
            found.append(
                Claim(match.start("value"), match.end("value"), vital, float(match["value"]), record)
            )
    if "/" in text:
        for match in _PRESSURE.finditer(text):
            record = _record(text, match.start(), match.end("dbp"), moments, starts, facts)
            for name, vital in _PAIR:
                found.append(Claim(match.start(name), match.end(name), vital, float(match[name]), record))
    return found


_PAIR: tuple[tuple[str, Vital], ...] = (("sbp", "sbp_mmhg"), ("dbp", "dbp_mmhg"))


def _is_computed(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _CLAUSE) : match.start()]
    return _COMPUTED.search(_CLAUSE_ENDS.split(before)[-1]) is not None


def _record(
    text: str, start: int, end: int, moments: Sequence[Moment], starts: Sequence[int], facts: Facts
) -> int | None:
    """The record whose time a claim names."""
    if not moments:
        return None
    after = bisect_right(starts, start)
    chosen: Moment | None = None
    if after < len(moments):
        following = moments[after]
        if following.start < end or (
            following.start - end < _NEAR and _AT.fullmatch(text, end, following.start)
        ):
            chosen = following
    if chosen is None and after and "\n" not in text[moments[after - 1].end : start]:
        chosen = moments[after - 1]
        earlier = moments[after - 2].end if after > 1 else -_NEAR
        if chosen.start - earlier < _NEAR and _SPAN.fullmatch(text, earlier, chosen.start):
            return None  # "from 06:27 to 08:12: ...": no one record
    fitting = facts.records_at(chosen) if chosen else ()
    return fitting[0] if len(fitting) == 1 else None


_NEAR = 40
_SPAN = re.compile(r"\s?(?:to|and|until|through|-|–|→|vs\.?)\s?")
_AT = re.compile(rf"(?:\s?{_UNIT})?\s?[(,]?\s?(?:(?:recorded|measured|documented)\s)?(?:at|on|\()?\s?")
