"""`structured`: a table, one row a record; units stand in its head."""

from collections.abc import Sequence

from clinicnum.records.vitals import VITAL_SIGNS, time_text, value_text
from clinicnum.types import Record

HEAD = "| time | " + " | ".join(f"{sign.label} ({sign.unit})" for sign in VITAL_SIGNS.values()) + " |"
RULE = "|---" * (1 + len(VITAL_SIGNS)) + "|"


def render(records: Sequence[Record], seed: str) -> str:
    """The table; `seed` changes nothing."""
    lines = ["Vital signs of one patient; a dash means not documented.", HEAD, RULE]
    for record in records:
        cells = [time_text(record)]
        for vital in VITAL_SIGNS:
            value = getattr(record, vital)
            cells.append("-" if value is None else value_text(vital, value))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
