"""The trace check: compare every number, time, equation and comparison of a text with its instance.

A number is *grounded* if it is a value of a record (or that value rounded), a given, a number of the question
or of the context, a place or a count among the records, or time between two of them. It is *derivable* if it
is the result of an equation that is written, a number of the worked solution, or one operation on two numbers
of the evidence or of the text's earlier equations. Else it is *neither*.

`reading_findings` and `calculation_findings` derive suggestions from this. A number that is neither
grounded nor derivable is not by itself a finding: a text may quote a normal range or a threshold.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from clinicnum.diagnosis.comparisons_in_text import Comparison, comparisons_in
from clinicnum.diagnosis.equations_in_text import Equation, equations_in
from clinicnum.diagnosis.instance_facts import FORMULA_CONSTANTS, Facts
from clinicnum.diagnosis.numbers_in_text import (
    Number,
    TextParts,
    fold_case,
    half_unit,
    has_near,
    numbers_in,
    split_times,
)
from clinicnum.diagnosis.readings_in_text import Claim, claims_in

_LIST = re.compile(r"[\s*•|\-–0-9.)\[(]{0,8}(?:(?:at|on)\s)?\x00")
Standing = Literal["grounded", "derivable", "neither"]
MAX_TEXT = 12_000
"""Characters, from the end, that are checked: four times the longest answer asked of a model."""
MAX_POOL = 40
"""Most numbers a derivation may use: the first ones."""


class JudgedNumber(NamedTuple):
    """A number of the text, and what supports it."""

    number: Number
    standing: Standing


class Trace:
    """A text compared with its instance; each part is computed on first use."""

    def __init__(self, facts: Facts, text: str, part: Callable[[str], TextParts] = split_times) -> None:
        self.facts = facts
        self.offset = max(0, len(text) - MAX_TEXT)
        """Offset in the text at which the checked part begins; all positions count from there."""
        self.text, self.moments, self.plain = part(fold_case(text[self.offset :]))
        """The text; its dates and times; the text without them."""
        self.starts = [moment.start for moment in self.moments]
        """Offsets at which the dates and times begin."""
        self.at = [facts.records_at(moment) for moment in self.moments]
        """The records at each of these dates and times."""

    @cached_property
    def numbers(self) -> Sequence[Number]:
        """The numbers, without dates and times."""
        return numbers_in(self.plain)

    @cached_property
    def equations(self) -> Sequence[Equation]:
        """The written equations."""
        if "=" not in self.plain and "≈" not in self.plain and "\\approx" not in self.plain:
            return ()
        return equations_in(self.plain, self._doubt)

    @cached_property
    def results(self) -> frozenset[float]:
        """Absolute results of the text's equations."""
        return frozenset([abs(equation.said) for equation in self.equations])

    @cached_property
    def comparisons(self) -> Sequence[Comparison]:
        """The written comparisons of two numbers."""
        return list(comparisons_in(self.plain))

    @cached_property
    def claims(self) -> Sequence[Claim]:
        """The readings of vital signs that the text claims."""
        return claims_in(self.plain, self.moments, self.starts, self.at) if self.facts.times else ()

    def record_of_line(self, place: int) -> int | None:
        """The record whose time precedes position `place` on its line; None if there is not exactly one."""
        begin = self.plain.rfind("\n", 0, place) + 1
        first, end = bisect_left(self.starts, begin), bisect_left(self.starts, place)
        before = {record for records in self.at[first:end] for record in records or (-1,)}
        return next(iter(before)) if len(before) == 1 and -1 not in before else None

    def is_line_of_record(self, place: int) -> bool:
        """Whether the line begins with a record's time, as lines of a list do."""
        head = _LIST.match(self.plain, self.plain.rfind("\n", 0, place) + 1)
        return head is not None and self.record_of_line(place) is not None

    @cached_property
    def judged(self) -> Sequence[JudgedNumber]:
        """Every number of the text, with what supports it."""
        results = [(equation.result.end, abs(equation.said)) for equation in self.equations]
        ends = {end for end, _ in results}
        return [
            JudgedNumber(number, "derivable" if number.end in ends else self.standing(number))
            for number in self.numbers
        ]

    def _doubt(self, value: float, decimals: int) -> float:
        """Rounding uncertainty of an operand: one with decimals that no record and no question states
        may have been rounded.
        """
        exact = not decimals or value in FORMULA_CONSTANTS or value in self.facts.cells
        return 0.0 if exact or self.facts.is_asked(value) else half_unit(decimals)

    def standing(self, number: Number) -> Standing:
        """Whether a number of the text is `grounded`, `derivable` or `neither`."""
        value, facts = number.value, self.facts
        if value in facts.cells or facts.is_asked(value) or facts.is_in_context(value):
            return "grounded"
        return self.standing_unseen(number)

    def standing_unseen(self, number: Number) -> Standing:
        """As `standing`, for a number that is in no cell, question or context.

        Of the text's equations, only those before it are used.
        """
        value, facts, near = number.value, self.facts, half_unit(number.decimals)
        if self._counts(number) or value in facts.table.minutes:
            return "grounded"
        if has_near(facts.table.sizes, value, near):  # perhaps rounded at its last digit
            return "grounded"
        earlier = [e for e in self.equations if e.end <= number.start]
        pool = [*facts.evidence_values, *(abs(e.said) for e in earlier)]
        derivable = (
            any(e.said in (value, -value) for e in earlier)
            or is_derivable(value, near, pool)
            or facts.gives(value, near)
        )
        return "derivable" if derivable else "neither"

    def _counts(self, number: Number) -> bool:
        """Whether a number may be the index of a record or a count of records."""
        return not number.decimals and number.value <= len(self.facts.times)


def is_derivable(value: float, tolerance: float, numbers: Sequence[float]) -> bool:
    """Whether one operation (+ - x /) on two of the numbers, or on one of them twice, gives the value to
    within `tolerance`.

    Only the first MAX_POOL numbers are tried.
    """
    pool = sorted(set(numbers[:MAX_POOL]))
    for one in pool:
        if has_near(pool, value - one, tolerance) or has_near(pool, value + one, tolerance):
            return True
        if not one:
            continue
        apart = tolerance * abs(one)
        if has_near(pool, value / one, tolerance / abs(one)) or has_near(pool, value * one, apart):
            return True
    return False
