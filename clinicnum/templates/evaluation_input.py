"""What an evaluation takes, a table of records with exact numbers and values for a template's slots, and what
it returns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from clinicnum.records.vitals import time_text
from clinicnum.templates.exact_numbers import Exact, Ratio
from clinicnum.types import SIX_VITALS, Record, Vital

EPOCH = datetime(1970, 1, 1)


class UndefinedError(Exception):
    """The tree has no answer on this table; the message is the validity rule concerned."""


@dataclass(frozen=True, slots=True)
class Table:
    """Records in order of time, as the evaluator reads them."""

    times: tuple[str, ...]
    values: tuple[Mapping[Vital, Ratio], ...]
    """Per record, the documented vitals only."""
    seconds: tuple[int, ...]
    """Times in seconds from a common zero."""

    def without(self, index: int) -> "Table":
        """The table without one record."""
        after = index + 1
        return Table(
            self.times[:index] + self.times[after:],
            self.values[:index] + self.values[after:],
            self.seconds[:index] + self.seconds[after:],
        )


@dataclass(frozen=True, slots=True)
class Case:
    """One choice of values for a template's slots, on one table."""

    table: Table
    decimals: int
    """Digits that the question asks for."""
    at: Mapping[str, int]
    """Record slot -> index into the table."""
    choices: Mapping[str, str]
    """Choice slot -> the chosen word."""
    givens: Mapping[str, str] = field(default_factory=dict)
    """Given -> its value as shown."""

    def with_table(self, table: Table) -> "Case":
        """The case with its slots on the records of another table."""
        return Case(table, self.decimals, self.at, self.choices, self.givens)

    def with_at(self, at: Mapping[str, int]) -> "Case":
        """The same case with other records in its slots."""
        return Case(self.table, self.decimals, at, self.choices, self.givens)

    def with_choice(self, slot: str, choice: str) -> "Case":
        """The same case with another choice in one slot."""
        return Case(self.table, self.decimals, self.at, {**self.choices, slot: choice}, self.givens)

    def without(self, index: int) -> "Case":
        """The same case without one record, which must fill no slot."""
        at = {slot: i - (i > index) for slot, i in self.at.items()}
        return Case(self.table.without(index), self.decimals, at, self.choices, self.givens)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a template's expression tree on one case."""

    text: str
    exact: Exact | None
    """The unrounded number; None for a time."""
    record: int | None
    """The record whose time is the answer; None for a number."""


def table_of(records: Sequence[Record]) -> Table:
    """The evaluator's table of records, which must be in order of time."""
    values: list[dict[Vital, Ratio]] = []
    seconds: list[int] = []
    for record in records:
        row: dict[Vital, Ratio] = {}
        for vital in SIX_VITALS:
            value = getattr(record, vital)
            if value is not None:
                row[vital] = value.as_integer_ratio()
        values.append(row)
        since = record.charttime - EPOCH
        seconds.append(since.days * 86_400 + since.seconds)
    return Table(tuple(time_text(record) for record in records), tuple(values), tuple(seconds))
