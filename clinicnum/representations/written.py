"""A record as text: what every representation shows of it, before any wording."""

from collections.abc import Sequence
from decimal import Decimal
from operator import attrgetter
from typing import NamedTuple

from clinicnum.records.vitals import VITAL_SIGNS, time_text, value_text
from clinicnum.types import Record, Vital

VITALS: tuple[Vital, ...] = tuple(VITAL_SIGNS)
"""The order of `Written.values`."""
_VALUES = attrgetter(*VITALS)


class Written(NamedTuple):
    """One record's texts."""

    time: str
    """`YYYY-MM-DD HH:MM:SS`."""
    values: tuple[str | None, ...]
    """In the order of `VITALS`; None: not documented."""


def write(records: Sequence[Record]) -> list[Written]:
    """The texts of each record."""
    return [Written(time_text(record), _texts(_VALUES(record))) for record in records]


def _texts(values: tuple[Decimal | None, ...]) -> tuple[str | None, ...]:
    temperature, *others = values
    # str gives the text of `value_text` in a quarter of the time, but for None and exponents.
    texts = [*map(str, others)]
    together = "".join(texts)
    if "E" in together or "N" in together:
        return tuple(None if v is None else value_text(n, v) for n, v in zip(VITALS, values, strict=True))
    return (None if temperature is None else f"{temperature:.1f}", *texts)
