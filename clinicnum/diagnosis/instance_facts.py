"""The numbers and times that an instance states or that follow from it, for comparison with those of a text;
computed as needed.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from clinicnum.diagnosis.finding import Place
from clinicnum.diagnosis.numbers_in_text import (
    Moment,
    fold_case,
    has_near,
    moments_in,
    numbers_in,
    parted_once,
    split_times,
    values_in,
)
from clinicnum.diagnosis.record_table import table_of
from clinicnum.types import Cell, Instance, Vital

FORMULA_CONSTANTS = frozenset(
    [*map(float, range(11)), 0.5, 1.8, 12.0, 24.0, 30.0, 32.0, 60.0, 100.0, 273.15, 1000.0]
)
"""Constants of formulas: counts, per cent, per hour, °F conversion."""


class Facts:
    """The numbers and times of one instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.table = table_of(instance.records)
        self.cells = self.table.cells
        self.times = self.table.times
        self.evidence = frozenset([(cell.record, cell.vital) for cell in instance.evidence])
        """The cells that the answer rests on."""
        self.evidence_records = frozenset([record for record, _ in self.evidence])
        """Their records."""
        self.target = next(iter(self.evidence_records)) if len(self.evidence_records) == 1 else None
        """The record that is asked about, where the answer rests on one alone."""

    def value(self, record: int, vital: Vital) -> float | None:
        """The value of a cell; None if it is not documented."""
        return self.table.rows[record].get(vital)

    @cached_property
    def evidence_values(self) -> tuple[float, ...]:
        """Values of the givens and of the cells on which the answer rests."""
        found = [self.value(record, vital) for record, vital in sorted(self.evidence)]
        given = [number.value for fact in self.instance.givens for number in numbers_in(fact.value)]
        return tuple(dict.fromkeys([value for value in found if value is not None] + given))

    def is_asked(self, value: float) -> bool:
        """Whether the question or a given states the number."""
        text = number_text(value)
        return stands_in(self.instance.question, text) or any(
            stands_in(fact.value, text) for fact in self.instance.givens
        )

    def is_in_context(self, value: float) -> bool:
        """Whether the context contains the number, of whatever kind."""
        return stands_in(self.instance.context, number_text(value))

    def is_worked(self, value: float) -> bool:
        """Whether the worked solution states the number, or a single mistake leads to it."""
        text, instance = number_text(value), self.instance
        return (
            any(stands_in(step, text) for step in instance.worked)
            or any(stands_in(item.value, text) for item in instance.distractors)
            or any(item.value.endswith("0") and _is(item.value, value) for item in instance.distractors)
        )

    def gives(self, value: float, tolerance: float) -> bool:
        """Whether a number of the worked solution, of the gold or of a single mistake's answer is within
        `tolerance` of `value`.
        """
        wholes = {int(value - tolerance), int(value + tolerance)}
        if min(wholes) > 0 and max(wholes) < 1000:  # other numbers may be written ".5" or "1,000"
            texts = (*self._answers, *self.instance.worked)
            if not any(str(whole) in text for whole in wholes for text in texts):
                return False
        return has_near(self._worked, value, tolerance)

    @cached_property
    def _answers(self) -> Sequence[str]:
        """The gold, and the answers to which single mistakes lead."""
        instance = self.instance
        wrong = [] if instance.answer_type == "datetime" else [item.value for item in instance.distractors]
        return [instance.answer or "", instance.answer_exact or "", *wrong]

    @cached_property
    def _worked(self) -> Sequence[float]:
        """The numbers of the worked solution, of the gold and of the answers to which single mistakes lead,
        sorted.
        """
        values = values_in(split_times(fold_case("\n".join(self._answers))).plain)
        return sorted(values | values_in(parted_once(fold_case("\n".join(self.instance.worked))).plain))

    def records_at(self, moment: Moment) -> tuple[int, ...]:
        """Indices of the records whose time is consistent with a written time."""
        date, clock = moment.date, moment.clock
        if date is not None and clock is not None and len(clock) == 8 and date[0] != "-":
            place = self.table.places.get(f"{date} {clock}")
            return () if place is None else (place,)
        return tuple(
            [
                index
                for index, time in enumerate(self.times)
                if (date is None or (time[4:10] == date[4:] and (date[0] == "-" or time[:4] == date[:4])))
                and (clock is None or time[11 : 11 + len(clock)] == clock)
            ]
        )

    @cached_property
    def other_times(self) -> frozenset[tuple[str | None, str | None]]:
        """(date, clock) of every time in context and question, whole and in parts."""
        said = f"{self.instance.context}\n{self.instance.question}"
        found: set[tuple[str | None, str | None]] = set()
        for moment in moments_in(fold_case(said)):
            found |= {(moment.date, moment.clock), (moment.date, None), (None, moment.clock)}
        return frozenset(found)

    def is_told(self, moment: Moment) -> bool:
        """Whether a written time occurs in context or question; an ambiguous date need match in one
        reading only.
        """
        date, clock = moment.date, moment.clock
        if date is None and clock is None:
            return True
        if date is not None and date[0] != "-" and not self._says(date[:4]):
            return False
        if clock is not None and not self._says(clock[2:]):  # its minutes; hours may be written otherwise
            return False
        return (date, clock) in self.other_times

    def _says(self, piece: str) -> bool:
        return piece in self.instance.context or piece in self.instance.question


@lru_cache(maxsize=1000)
def cell(place: Place) -> Cell:
    """(record, vital) as a suggestion's `Cell`."""
    return Cell(record=place[0], vital=place[1])


@lru_cache(maxsize=10_000)
def number_text(value: float) -> str:
    """A number as a person would write it: 88, 36.8, -10.61."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if value != int(value) else str(int(value))


def _is(text: str, value: float) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False


def stands_in(text: str, number: str) -> bool:
    """Whether a text contains a number as written, by itself and not as part of a date or time."""
    start = text.find(number)
    while start >= 0:
        end = start + len(number)
        if not (_bound(text[max(0, start - 2) : start][::-1]) or _bound(text[end : end + 2])):
            return True
        start = text.find(number, end)
    return False


def _bound(beside: str) -> bool:
    """Whether the neighbouring character makes a number part of a longer one, of a date or of a time."""
    return beside[:1].isdigit() or (beside[:1] in (".", ":", "-") and beside[1:].isdigit())
