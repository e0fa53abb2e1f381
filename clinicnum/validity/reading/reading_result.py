"""The result of reading a text, and the error for a text without a unique reading."""

from decimal import Decimal
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

Row = tuple[str, dict[str, Decimal | None]]
"""Time as `YYYY-MM-DD HH:MM:SS`, and each vital mentioned (None: stated as undocumented)."""


class UnreadableError(Exception):
    """The text has no unique reading; the message says why, and `rule` names the broken rule."""

    RULE = "V1.unreadable"
    """The rule named by default."""

    def __init__(self, reason: str, rule: str = RULE) -> None:
        super().__init__(reason)
        self.rule = rule


class Reading(NamedTuple):
    """The content of a text."""

    rows: tuple[Row, ...]
    """One row per record, in the order of the text."""
    units: dict[str, frozenset[str]]
    """Units with which each vital was given; the empty string where a value had none."""
    givens: tuple[tuple[str, str, str | None], ...] = ()
    """(label, value, unit) of each fact stated for all records; without a unit, None."""
    earlier: tuple[Row, ...] = ()
    """Rows that the text says belong to an earlier visit."""
    others: tuple[str, ...] = ()
    """Names of what was measured or given but is not a vital sign: labs, doses."""
    superseded: tuple[Row, ...] = ()
    """Rows that the text says were replaced by the records of their times."""
    other_patients: tuple[Row, ...] = ()
    """Rows that the text says belong to another patient."""
    patient: tuple[tuple[str, str], ...] = ()
    """What the text says of who the patient is: (`gender`, F or M), (`age_years`, a number)."""


class Draft:
    """What has been understood of a text so far: each step of the reader adds what it finds, and `reading()`
    returns the finished result.
    """

    __slots__ = (
        *("earlier", "givens", "other_patients", "others", "patient", "rows", "spoken", "superseded"),
    )

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.spoken: set[str] = set()
        """`vital unit` of every value, the unit empty where it is bare; "" for what is undocumented."""
        self.givens: list[tuple[str, str, str | None]] = []
        self.earlier: list[Row] = []
        self.others: list[str] = []
        self.superseded: list[Row] = []
        self.other_patients: list[Row] = []
        self.patient: list[tuple[str, str]] = []

    def reading(self) -> Reading:
        """Complete the reading. Raises UnreadableError if a time occurs twice or an earlier visit is
        not earlier.
        """
        times = [time for time, _ in self.rows]
        if len(set(times)) != len(times):
            raise UnreadableError("a time stands twice", "V2.time_not_unique")
        if self.earlier and times and max(time for time, _ in self.earlier) >= min(times):
            raise UnreadableError("an earlier visit that is not earlier", "V8.earlier_visit")
        if not {time for time, _ in self.superseded} <= set(times):
            raise UnreadableError("a superseded entry of a time without a record", "V8.superseded")
        if len({field for field, _ in self.patient}) != len(self.patient):
            raise UnreadableError("the patient's age or sex stands twice", "V8.patient")
        return Reading(
            tuple(self.rows),
            dict(_units(frozenset(self.spoken))),
            tuple(self.givens),
            tuple(self.earlier),
            tuple(self.others),
            tuple(self.superseded),
            tuple(self.other_patients),
            tuple(self.patient),
        )


@lru_cache(maxsize=1024)
def _units(spoken: frozenset[str]) -> dict[str, frozenset[str]]:
    units: dict[str, frozenset[str]] = {}
    for vital, _, unit in map(str.partition, sorted(spoken - {""}), repeat(" ")):
        units[vital] = units.get(vital, frozenset()) | {unit}
    return units
