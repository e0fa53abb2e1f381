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


def _alone(words: Sequence[str]) -> str:
    """A pattern for any of the words on their own.

    A word's start is looked for behind its first letter, by which a search is quicker.
    """
    return "|".join([rf"{word[0]}(?<!\w{word[0]}){word[1:]}" for word in words])


_NAMES = (
    *(r"heart\srate", r"hr", r"pulse(?:\srate)?(?!\spressure)"),
    *(r"systolic(?:\sblood)?(?:\spressure|\sbp)?", r"sbp"),
    *(r"diastolic(?:\sblood)?(?:\spressure|\sbp)?", r"dbp"),
    *(r"resp(?:iratory|iration|\.)?\srate", r"respirations?", r"rr"),
    *(r"oxygen\ssaturation(?:\s\(spo2\))?", r"spo2", r"sao2", r"o2\ssat(?:uration)?"),
    *(r"temperature", r"temp\.?", r"pain(?:\sscore)?"),
)
_BEGINS: dict[str, Vital] = {
    "he": "heart_rate_bpm", "hr": "heart_rate_bpm", "pu": "heart_rate_bpm", "sy": "sbp_mmhg",
    "sb": "sbp_mmhg", "di": "dbp_mmhg", "db": "dbp_mmhg", "re": "resp_rate_bpm", "rr": "resp_rate_bpm",
    "ox": "spo2_pct",
    "sp": "spo2_pct", "sa": "spo2_pct", "o2": "spo2_pct", "te": "temperature_c", "pa": "pain",
}  # fmt: skip
"""The first two letters of a name tell the vital sign."""
_GAP = (
    rf"(?:\({_UNIT}\)|[\s:*_|(,\"']|\x00++|=(?!=)|\b(?:was|is|of|at|on|were|recorded|measured|documented|reading"
    r"|value|the|a|as|then|for|to\sbe|here|in|this|that|record|time)\b){0,14}+"
)
"""Without a way back (`++`, `}+`): a gap reads in one way, and to try others would take exponential time."""
_CLAIM = re.compile(
    rf"(?:{_alone(_NAMES)}){_GAP}(?<![\w.])(?P<value>[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)(?![0-9a-z]|[.,:][0-9])"
    rf"(?P<unit>\s?{_UNIT})?(?P<next>\s{{0,2}}\S)?"
)
_PRESSURE = re.compile(
    rf"\b(?:blood\spressure|bp){_GAP}(?<![\w.])(?P<sbp>[0-9]{{2,3}})\s?/\s?(?P<dbp>[0-9]{{2,3}})(?![0-9]|[.,:][0-9])"
)
_COMPUTING = (
    "mean average median maximum max minimum min highest lowest total sum change difference increase"
    " decrease rise fall drop range baseline normal threshold ratio percentage third half product index"
    " times plus minus"
)
_COMPUTED = re.compile(rf"(?:{_alone(_COMPUTING.split())})\b|[-+*/×÷–−]\s{{0,2}}$")
_CLAUSE_MARKS = ",;\n"
_STOP = re.compile(r"[.:]\s")
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
        value, unit, following = match.group("value", "unit", "next")
        if following:
            following = following.strip()
            if following in _GOES_ON and not (unit and following in "-–−"):
                continue
        start = match.start()
        if not _is_computed(text, start):
            place, end = match.span("value")
            record = _record(text, start, end, moments, starts, facts)
            found.append(Claim(place, end, _BEGINS[text[start : start + 2]], float(value), record))
    if "/" in text:
        for match in _PRESSURE.finditer(text):
            record = _record(text, match.start(), match.end("dbp"), moments, starts, facts)
            for name, vital in _PAIR:
                found.append(Claim(match.start(name), match.end(name), vital, float(match[name]), record))
    return found


_PAIR: tuple[tuple[str, Vital], ...] = (("sbp", "sbp_mmhg"), ("dbp", "dbp_mmhg"))


def _is_computed(text: str, start: int) -> bool:
    floor = max(0, start - _CLAUSE)
    end = max(text.rfind(mark, floor, start) for mark in _CLAUSE_MARKS)
    clause = text[max(end + 1, floor) : start]
    return not clause.isspace() and _COMPUTED.search(_STOP.split(clause)[-1]) is not None


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
    if chosen is None and after and text.find("\n", moments[after - 1].end, start) < 0:
        chosen = moments[after - 1]
        earlier = moments[after - 2].end if after > 1 else -_NEAR
        if chosen.start - earlier < _NEAR and _SPAN.fullmatch(text, earlier, chosen.start):
            return None  # "from 06:27 to 08:12: ...": no one record
    fitting = facts.records_at(chosen) if chosen else ()
    return fitting[0] if len(fitting) == 1 else None


_NEAR = 40
_SPAN = re.compile(r"\s?(?:to|and|until|through|-|–|→|vs\.?)\s?")
_AT = re.compile(rf"(?:\s?{_UNIT})?\s?[(,]?\s?(?:(?:recorded|measured|documented)\s)?(?:at|on|\()?\s?")
