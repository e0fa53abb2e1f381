"""`templated`: one sentence a record, always of the same form."""

from collections.abc import Sequence

from clinicnum.records.vitals import VITAL_SIGNS, time_text, value_text
from clinicnum.types import Record, Vital


def render(records: Sequence[Record], seed: str) -> str:
    """The sentences; `seed` changes nothing."""
    lines = ["Vital signs of one patient."]
    for record in records:
        parts = [_part(record, vital) for vital in VITAL_SIGNS]
        lines.append(f"At {time_text(record)}, {', '.join(parts[:-1])} and {parts[-1]}.")
    return "\n".join(lines)


def _part(record: Record, vital: Vital) -> str:
    sign, value = VITAL_SIGNS[vital], getattr(record, vital)
    if value is None:
        return f"{sign.label} was not documented"
    gap = "" if vital == "pain" else " "
    return f"{sign.label} was {value_text(vital, value)}{gap}{sign.unit}"
