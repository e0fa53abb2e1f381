"""Read any table of vital signs, given a column map `ours=theirs`.

A mapped header may name its unit (`Temp (°F)`, `hr_bpm`): °F is converted, an unsupported unit is refused. A
column of units for the temperature may be mapped as `temperature_unit`.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from clinicnum.errors import InputError
from clinicnum.records.clean import checked_age, clean_vitals, number, parse_time, shortened, unique_times
from clinicnum.records.column_units import TemperatureUnit, cell_unit, check_header
from clinicnum.records.csv_files import read_table
from clinicnum.records.loaded_records import Loaded
from clinicnum.records.prevalidated_record import trusted_record
from clinicnum.types import Record, Vital

KEYS = ("subject_id", "stay_id", "charttime")
OPTIONAL = ("age_years", "gender", "temperature_unit")
VITALS: tuple[Vital, ...] = get_args(Vital)


def parse_columns(text: str) -> dict[str, str]:
    """Parse `heart_rate_bpm=HR,sbp_mmhg=SBP` into a map from our name to theirs. Raises InputError if
    it is malformed.
    """
    known = (*KEYS, *OPTIONAL, *VITALS)
    columns: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        if not equals or ours not in known or not theirs:
            raise InputError(
                f"columns: got {pair!r}; expected ours=theirs, ours one of {', '.join(known)}",
                on_command_line="--columns",
            )
        if ours in columns or theirs in columns.values():
            raise InputError(
                f"columns: {pair!r} names a column a second time; expected each once; remove one",
                on_command_line="--columns",
            )
        columns[ours] = theirs
    return columns


def load_csv(path: Path, columns: Mapping[str, str], *, open_data: bool = False) -> Loaded:
    """Read and clean one CSV; it is credentialed unless `open_data` says that it may leave this machine.

    `columns` maps our names to theirs; keys that it leaves out are looked up under our own names, vitals that
    it leaves out are undocumented. Raises InputError naming file, line and column.
    """
    table = _Columns.of(path, columns)
    counts: Counter[str] = Counter()
    records = [table.record(where, row, counts) for where, row in read_table(path, table.all)]
    if not records:
        raise InputError(f"{path}:2: no rows; expected vital signs below the header; get the whole table")
    kept = unique_times(records, counts)
    return Loaded(
        records=kept, source=path.name, credentialed=not open_data, counts=dict(sorted((+counts).items()))
    )


@dataclass(frozen=True)
class _Columns:
    """Which columns of a table hold what."""

    names: Mapping[str, str]
    """Our name -> the table's column, for keys and optional columns."""
    vitals: Mapping[Vital, str]
    header_unit: TemperatureUnit | None
    """The temperature's unit, if its header names one."""
    source: str

    @classmethod
    def of(cls, path: Path, columns: Mapping[str, str]) -> "_Columns":
        names = {key: columns.get(key, key) for key in KEYS}
        names |= {name: columns[name] for name in OPTIONAL if name in columns}
        vitals: dict[Vital, str] = {vital: columns[vital] for vital in VITALS if vital in columns}
        if not vitals:
            raise InputError(
                f"{path}: no vital sign has a column; name some, as in heart_rate_bpm=HR,...",
                on_command_line="--columns",
            )
        if "temperature_unit" in names and "temperature_c" not in vitals:
            raise InputError(
                f"{path}: temperature_unit has a column and temperature_c none; give both one or neither",
                on_command_line="--columns",
            )
        units = {vital: check_header(f"{path}:1", name, vital) for vital, name in vitals.items()}
        return cls(names, vitals, units.get("temperature_c"), path.name)

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.names.values(), *self.vitals.values())

    def record(self, where: str, row: Mapping[str, str], counts: Counter[str]) -> Record:
        cells = {vital: row[column] for vital, column in self.vitals.items()}
        values = clean_vitals(
            cells, where, counts, columns=self.vitals, temperature_unit=self._temperature_unit(where, row)
        )
        time = self.names["charttime"]
        return trusted_record(
            self._id(where, row, "subject_id"),
            self._id(where, row, "stay_id"),
            parse_time(row[time], where, time),
            [values.get(vital) for vital in VITALS],
            self._age(where, row),
            self._gender(where, row),
            self.source,
        )

    def _id(self, where: str, row: Mapping[str, str], name: str) -> str:
        text = row[self.names[name]].strip()
        if not text:
            raise InputError(f"{where}: {self.names[name]} is empty; expected a {name}; fill the cell")
        return sys.intern(text)  # one string for all rows of a subject or stay

    def _temperature_unit(self, where: str, row: Mapping[str, str]) -> TemperatureUnit | None:
        name = self.names.get("temperature_unit")
        unit = cell_unit(row[name], where, name) if name else None
        if unit and self.header_unit and unit != self.header_unit:
            raise InputError(
                f"{where}: {name} is {unit}, while the header {self.vitals['temperature_c']!r} says "
                f"{self.header_unit}; correct one of them"
            )
        return unit or self.header_unit

    def _age(self, where: str, row: Mapping[str, str]) -> int | None:
        name = self.names.get("age_years")
        if name is None or not row[name].strip():
            return None
        age = number(row[name])
        if age is None or age != int(age):
            raise InputError(
                f"{where}: {name} is {shortened(row[name])}; expected whole years or an empty cell; "
                "correct the cell"
            )
        return checked_age(int(age), where, name)

    def _gender(self, where: str, row: Mapping[str, str]) -> Literal["F", "M"] | None:
        name = self.names.get("gender")
        text = row[name].strip() if name else ""
        if text == "F" or text == "M":
            return "F" if text == "F" else "M"
        if text:
            raise InputError(
                f"{where}: {name} is {shortened(text)}; expected F, M or an empty cell; correct the cell"
            )
        return None
