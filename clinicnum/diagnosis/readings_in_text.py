"""Claims in a text about readings: "heart rate was 104 bpm at 08:12", "BP 118/76".

A claim names a vital sign and gives its number with nothing but small words, a unit or a time between. The
time is the one that stands between or just behind, else the last one before on the same line. What is
computed ("mean heart rate 96", "heart rate above 100", "systolic - diastolic = 42") is no claim.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from clinicnum.diagnosis.numbers_in_text import Moment, whole_word
from clinicnum.types import Vital

_UNIT = (
    r"(?:mm\s?hg|bpm|beats(?:/|\sper\s)min(?:ute)?|breaths(?:(?:/|\sper\s)min(?:ute)?)?|°\s?c\b|degrees\scelsius"
    r"|celsius|%|percent|/10)"
)
_NAMES = (
    *(r"heart\srate", r"hr", r"pulse(?:\srate)?(?!\spressure)"),
    *(r"systolic(?:\sblood)?(?:\spressure|\sbp)?", r"sbp"),
    *(r"diastolic(?:\sblood)?(?:\spressure|\sbp)?", r"dbp"),
    *(r"resp(?:iratory|iration|\.)?\srate", r"respirations?", r"rr"),
    *(r"oxygen\ssaturation(?:\s\(spo2\))?", r"spo2", r"sao2", r"o2\ssat(?:uration)?"),
    *(r"temperature", r"temp\.?", r"pain(?:\sscore)?"),
)
_PRESSURES = (r"blood\spressure", r"bp")
_BEGINS: dict[str, Vital] = {
    "he": "heart_rate_bpm", "hr": "heart_rate_bpm", "pu": "heart_rate_bpm", "sy": "sbp_mmhg",
    "sb": "sbp_mmhg", "di": "dbp_mmhg", "db": "dbp_mmhg", "re": "resp_rate_bpm", "rr": "resp_rate_bpm",
    "ox": "spo2_pct",
    "sp": "spo2_pct", "sa": "spo2_pct", "o2": "spo2_pct", "te": "temperature_c", "pa": "pain",
}  # fmt: skip
"""First two letters of a name -> its vital sign."""
_GAP = (
    rf"(?:\({_UNIT}\)|[\s:*_|(,\"']|\x00++|=(?!=)|\b(?:was|is|of|at|on|were|recorded|measured|documented|reading"
    r"|value|the|a|as|then|for|to\sbe|here|in|this|that|record|time)\b){0,14}+"
)
"""Possessive (`++`, `}+`): a gap matches in one way only, as backtracking would take exponential time."""
_CLAIM = re.compile(
    rf"(?:{whole_word(_NAMES)}){_GAP}(?<![\w.])(?P<value>[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)(?![0-9a-z]|[.,:][0-9])"
    rf"(?P<unit>\s?{_UNIT})?(?:\s{{0,2}}(?:(?P<sign>[-+*/×÷–−^x%])|\S))?"
)
_PRESSURE = re.compile(
    rf"(?:{whole_word(_PRESSURES)}){_GAP}(?<![\w.])(?P<sbp>[0-9]{{2,3}})\s?/\s?(?P<dbp>[0-9]{{2,3}})(?![0-9]|[.,:][0-9])"
)
_COMPUTING = (
    "mean average median maximum max minimum min highest lowest total sum change difference increase"
    " decrease rise fall drop range baseline normal threshold ratio percentage third half product index"
    " times plus minus"
)
_COMPUTED = re.compile(rf"(?:{whole_word(_COMPUTING.split())})\b")
_SIGN = re.compile(r"[-+*/×÷–−]\s{0,2}$")
_STOP = re.compile(r"[.:]\s")
_CLAUSE = 70
"""Characters before a name in which a word may say that its number is computed."""
_OPENINGS = frozenset([mark + blank for mark in ",;.:\n" for blank in " \n"])
"""What precedes a name that begins its clause."""


class Claim(NamedTuple):
    """A number that the text presents as the reading of a vital sign."""

    start: int
    end: int
    """Offset at which the number ends."""
    vital: Vital
    value: float
    record: int | None
    """The record whose time is named; None if none is, or no single one."""


def claims_in(
    text: str, moments: Sequence[Moment], starts: Sequence[int], at: Sequence[Sequence[int]]
) -> list[Claim]:
    """The claims of readings in a (case-folded) text from which dates and times (`moments`) have been
    removed.

    `starts` are the offsets of the moments; `at` has, for each, the indices of the records of that time.
    """
    found = []
    clock = _Clock(text, moments, starts, at)
    for match in _CLAIM.finditer(text):
        if match.lastgroup == "sign" and not (match["unit"] and match["sign"] in "-–−"):
            continue
        start = match.start()
        if text[start - 2 : start] in _OPENINGS or not _is_computed(text, start):
            place, end = match.span(1)
            record = clock.last if end <= clock.quiet else clock.record(start, end)
            found.append(Claim(place, end, _BEGINS[text[start : start + 2]], float(text[place:end]), record))
    pressures = list(_PRESSURE.finditer(text)) if "/" in text else []
    if pressures:
        clock = _Clock(text, moments, starts, at)
        for match in pressures:
            record = clock.record(match.start(), match.end("dbp"))
            for name, vital in _PAIR:
                found.append(Claim(match.start(name), match.end(name), vital, float(match[name]), record))
    return found


_PAIR: tuple[tuple[str, Vital], ...] = (("sbp", "sbp_mmhg"), ("dbp", "dbp_mmhg"))


def _is_computed(text: str, start: int) -> bool:
    clause = text[max(0, start - _CLAUSE) : start]
    clause = clause[max(map(clause.rfind, ",;\n")) + 1 :]
    if ":" in clause or "." in clause:
        clause = _STOP.split(clause)[-1]
    return _COMPUTED.search(clause) is not None or _SIGN.search(clause) is not None


class _Clock:
    """Assigns to each claim the record whose time the text mentions."""

    def __init__(
        self, text: str, moments: Sequence[Moment], starts: Sequence[int], at: Sequence[Sequence[int]]
    ) -> None:
        self._text, self._moments, self._starts, self._at = text, moments, starts, at
        self._next = 0
        """The first time behind the claim."""
        self._until = 0
        """The end of the line of the time before it."""
        self.last: int | None = None
        """The record of that time."""
        self.quiet = starts[0] - _NEAR if starts else len(text)
        """Claims that end up to here name it: they stand on its line, with no time near behind them."""

    def record(self, start: int, end: int) -> int | None:
        """Index of the record that a claim is about, by the time named beside it; None if unclear. Query
        claims in text order.
        """
        starts = self._starts
        if self._next < len(starts):
            if starts[self._next] <= start:
                self._pass(start)
            if self._next < len(starts):
                following = starts[self._next]
                if following < end or (following - end < _NEAR and _AT.fullmatch(self._text, end, following)):
                    return _single(self._at[self._next])
        return self.last if start <= self._until else None

    def _pass(self, start: int) -> None:
        """Move forward to the times before and after a position in the text."""
        self._next = bisect_right(self._starts, start)
        begin, end, *_ = self._moments[self._next - 1]
        line_end = self._text.find("\n", end)
        self._until = self.quiet = len(self._text) if line_end < 0 else line_end
        if self._next < len(self._starts):
            self.quiet = min(self._until, self._starts[self._next] - _NEAR)
        self.last = _single(self._at[self._next - 1])
        earlier = self._moments[self._next - 2].end if self._next > 1 else -_NEAR
        if begin - earlier < _NEAR and _SPAN.fullmatch(self._text, earlier, begin):
            self.last = None  # "from 06:27 to 08:12: ...": no one record


def _single(records: Sequence[int]) -> int | None:
    return records[0] if len(records) == 1 else None


_NEAR = 40
_SPAN = re.compile(r"\s?(?:to|and|until|through|-|–|→|vs\.?)\s?")
_AT = re.compile(rf"(?:\s?{_UNIT})?\s?[(,]?\s?(?:(?:recorded|measured|documented)\s)?(?:at|on|\()?\s?")
