"""The records loaded from a source, and how they are grouped into contexts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from clinicnum.types import SIX_VITALS, Record

Scope = Literal["stay", "subject"]
Context = tuple[Record, ...]
"""Records that one context shows, in time order, all of one subject."""


@dataclass(frozen=True)
class Loaded:
    """The cleaned records of a source, and counts of what cleaning did."""

    records: tuple[Record, ...]
    """All records, sorted by subject, stay and time."""
    source: str
    credentialed: bool
    """Whether the data must not leave this machine."""
    counts: Mapping[str, int]
    """How many rows or values each cleaning rule touched; the rules are listed in `clean`."""

    def rows_lacking(self) -> dict[str, int]:
        """Number of rows without each vital; templates that need it leave those rows out."""
        return {vital: sum(getattr(r, vital) is None for r in self.records) for vital in SIX_VITALS}


def contexts(records: Iterable[Record], scope: Scope) -> tuple[Context, ...]:
    """Group records by stay, or all stays of a subject together; each context in order of time."""
    groups: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        key = (record.subject_id, record.stay_id) if scope == "stay" else (record.subject_id,)
        groups[key].append(record)
    return tuple(tuple(sorted(groups[key], key=lambda r: (r.charttime, r.stay_id))) for key in sorted(groups))
