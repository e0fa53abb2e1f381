"""The records of a context as a table of numbers and times, shared by all questions about it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import attrgetter

from clinicnum.diagnosis.finding import Place
from clinicnum.types import SIX_VITALS, Record, Vital

ALL_VITALS: tuple[Vital, ...] = (*SIX_VITALS, "pain")
CONTEXTS = 1000
"""Tables that are kept: a benchmark asks several questions of a context."""
_values_of = attrgetter("charttime", *ALL_VITALS)
_Value = Decimal | None
_Row = tuple[datetime, _Value, _Value, _Value, _Value, _Value, _Value, _Value]
"""Charttime and the values of ALL_VITALS."""


class Table:
    """The numbers and times of the records of a context."""

    def __init__(self, rows: Sequence[_Row]) -> None:
        self._charttimes = [row[0] for row in rows]
        self.rows: Sequence[Mapping[Vital, float]]
        """For each record, the values of its documented vital signs."""
        self.cells: Mapping[float, Sequence[Place]]
        """Value -> the cells that hold it, by record then vital."""
        self.rows, self.cells = _read(rows)
        self.times = tuple([time.isoformat(sep=" ", timespec="seconds") for time in self._charttimes])
        """Charttimes as `YYYY-MM-DD HH:MM:SS`."""
        self.places: Mapping[str, int] = {time: index for index, time in enumerate(self.times)}
        """Charttime -> record."""

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Charttimes for a clinician: the clock time only, if all are of one day and no two of the
        same minute.
        """
        times = self.times
        minutes = {time[:16] for time in times}
        if len(minutes) < len(times):
            return times
        one_day = len({time[:10] for time in times}) == 1
        return tuple([time[11:16] if one_day else time[:16] for time in times])

    @cached_property
    def sizes(self) -> Sequence[float]:
        """The distinct absolute values of all cells, sorted."""
        return sorted({abs(value) for value in self.cells})

    @cached_property
    def minutes(self) -> frozenset[float]:
        """The time between any two records, once in minutes and once in hours."""
        seconds = [(time - self._charttimes[0]).total_seconds() for time in self._charttimes]
        apart = {abs(one - other) / 60 for i, one in enumerate(seconds) for other in seconds[:i]}
        return frozenset(apart | {minutes / 60 for minutes in apart})


def table_of(records: Sequence[Record]) -> Table:
    """The table of a context, shared between equal records."""
    return _table(tuple([_values_of(record) for record in records]))


@lru_cache(maxsize=CONTEXTS)
def _table(rows: tuple[_Row, ...]) -> Table:
    return Table(rows)


_float = lru_cache(maxsize=10_000)(float)
"""Vital signs take few values, and to make a float of a decimal is slow."""


def _read(rows: Sequence[_Row]) -> tuple[Sequence[Mapping[Vital, float]], Mapping[float, Sequence[Place]]]:
    documented: list[Mapping[Vital, float]] = []
    cells: dict[float, list[Place]] = {}
    for index, (_, *values) in enumerate(rows):
        row: dict[Vital, float] = {}
        for vital, value in zip(ALL_VITALS, values, strict=True):
            if value is not None:
                row[vital] = number = _float(value)
                if number in cells:
                    cells[number].append((index, vital))
                else:
                    cells[number] = [(index, vital)]
        documented.append(row)
    return documented, cells
