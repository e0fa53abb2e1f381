"""What an instance states, in the form in which a text is held against it; parts are made when first needed."""

import re
from collections.abc import Mapping
from functools import cached_property

from clinicnum.diagnosis.written import Moment, folded, moments_in, numbers_in, without
from clinicnum.types import SIX_VITALS, TIME_FORMAT, Cell, Instance, Vital

ALL_VITALS: tuple[Vital, ...] = (*SIX_VITALS, "pain")
FORMULA_CONSTANTS = frozenset(
    [*map(float, range(11)), 0.5, 1.8, 12.0, 24.0, 30.0, 32.0, 60.0, 100.0, 273.15, 1000.0]
)
"""Numbers that formulas bring along: how many, per cent, per hour, °F."""
_WORD_NUMBERS = {"half": 2.0, "third": 3.0, "double": 2.0, "twice": 2.0, "mean": 2.0, "percent": 100.0}
_WORD = re.compile("|".join(_WORD_NUMBERS))


class Facts:
    """The numbers and times of one instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.records = instance.records

    @cached_property
    def cells(self) -> Mapping[float, tuple[tuple[int, Vital], ...]]:
        """Value -> the cells that hold it, by record then vital."""
        found: dict[float, tuple[tuple[int, Vital], ...]] = {}
        for index, record in enumerate(self.records):
            for vital in ALL_VITALS:
                value = getattr(record, vital)
                if value is not None:
                    number = float(value)
                    found[number] = (*found.get(number, ()), (index, vital))
        return found

    def value(self, record: int, vital: Vital) -> float | None:
        """What a cell holds; None if it is not documented."""
        value = getattr(self.records[record], vital)
        return None if value is None else float(value)

    @cached_property
    def evidence(self) -> frozenset[tuple[int, Vital]]:
        """The cells that the answer rests on."""
        return frozenset((cell.record, cell.vital) for cell in self.instance.evidence)

    @cached_property
    def evidence_records(self) -> frozenset[int]:
        """Their records."""
        return frozenset(record for record, _ in self.evidence)

    @cached_property
    def evidence_values(self) -> tuple[float, ...]:
        """Their values, and those of the givens."""
        found = [self.value(record, vital) for record, vital in sorted(self.evidence)]
        given = [number.value for fact in self.instance.givens for number in numbers_in(fact.value)]
        return tuple(dict.fromkeys([value for value in found if value is not None] + given))

    @cached_property
    def asked(self) -> frozenset[float]:
        """Numbers of the question and the givens, "a third" and "mean" among them."""
        question = folded(self.instance.question)
        numbers = _plain_numbers(question)
        given = [number for fact in self.instance.givens for number in _plain_numbers(folded(fact.value))]
        words = [_WORD_NUMBERS[word] for word in _WORD.findall(question)]
        return frozenset([*numbers, *given, *words])

    @cached_property
    def context(self) -> frozenset[float]:
        """All numbers of the context, of whatever kind."""
        return frozenset(_plain_numbers(folded(self.instance.context)))

    @cached_property
    def worked(self) -> frozenset[float]:
        """Numbers of the worked solution, of the gold and of what single mistakes would give."""
        texts = (*self.instance.worked, self.instance.answer or "", self.instance.answer_exact or "")
        found = [number for text in texts for number in _plain_numbers(folded(text))]
        if self.instance.answer_type != "datetime":
            found += [n.value for item in self.instance.distractors for n in numbers_in(item.value)]
        return frozenset(found)

    @cached_property
    def times(self) -> tuple[str, ...]:
        """Charttimes as `YYYY-MM-DD HH:MM:SS`."""
        return tuple([record.charttime.strftime(TIME_FORMAT) for record in self.records])

    def records_at(self, moment: Moment) -> tuple[int, ...]:
        """The records at a written time: all that fit what is written of it."""
        date, clock = moment.date, moment.clock
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
        """(date, clock) of every time that context and question write, whole and in parts."""
        said = f"{self.instance.context}\n{self.instance.question}"
        found: set[tuple[str | None, str | None]] = set()
        for moment in moments_in(folded(said)):
            found |= {(moment.date, moment.clock), (moment.date, None), (None, moment.clock)}
        return frozenset(found)

    def knows(self, moment: Moment) -> bool:
        """Whether a written time is that of a record, or stands in the context or the question."""
        if moment.date is None and moment.clock is None:
            return True  # a date with two readings is not judged
        return bool(self.records_at(moment)) or (moment.date, moment.clock) in self.other_times

    @cached_property
    def minutes(self) -> frozenset[float]:
        """Minutes, and hours, between any two records."""
        times = [record.charttime.timestamp() for record in self.records]
        apart = {abs(one - other) / 60 for i, one in enumerate(times) for other in times[:i]}
        return frozenset(apart | {minutes / 60 for minutes in apart})

    def target(self) -> int | None:
        """The record that is asked about, where the answer rests on one alone."""
        return next(iter(self.evidence_records)) if len(self.evidence_records) == 1 else None


def cell(place: tuple[int, Vital]) -> Cell:
    """A cell as suggestions carry it."""
    return Cell(record=place[0], vital=place[1])


def _plain_numbers(text: str) -> list[float]:
    return [number.value for number in numbers_in(without(text, moments_in(text)))]
