"""A table with descriptions of its columns, from which every export format is made."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from clinicnum.annotations.report.csv_without_formulas import CsvCell, csv_text
from clinicnum.credentialed_data import COLUMN
from clinicnum.types import Frozen

FieldKind = Literal["text", "integer", "number", "boolean", "time"]
STAMP = "%Y-%m-%dT%H:%M:%S.%fZ"
"""Format of times."""


class Field(Frozen):
    """One column of an export."""

    name: str
    kind: FieldKind
    """`time` is UTC text, `YYYY-MM-DDTHH:MM:SS.ffffffZ`; a blank of any kind is missing."""
    description: str
    """What it means, with its unit and the values it can take."""


@dataclass(frozen=True)
class RowTable:
    """One table of an export; the same study always gives the same rows in the same order."""

    name: str
    """Name of the table, and of its file without extension."""
    unit: str
    """What one row is."""
    fields: tuple[Field, ...]
    rows: tuple[tuple[CsvCell, ...], ...]

    def marked(self, said: str | None) -> "RowTable":
        """The table with a last column that marks credentialed data; unchanged for open data."""
        if said is None:
            return self
        marked = Field(name="data_use", kind="text", description=said)
        return replace(self, fields=(*self.fields, marked), rows=tuple((*row, COLUMN) for row in self.rows))

    def jsonl(self) -> str:
        """One JSON object per row; missing values are null."""
        names = [field.name for field in self.fields]
        rows = (dict(zip(names, row, strict=True)) for row in self.rows)
        return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)

    def csv(self) -> str:
        """The table as CSV text."""
        return csv_text([field.name for field in self.fields], self.rows)


def fields(kind: FieldKind, **described: str) -> Iterable[Field]:
    """Several columns of one kind, as `name=description`."""
    return (Field(name=name, kind=kind, description=text) for name, text in described.items())
