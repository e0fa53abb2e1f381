"""Any table of vital signs, through a column map `ours=theirs`."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from clinicnum.errors import InputError
from clinicnum.records.clean import clean_vitals, parse_time, unique_times
from clinicnum.records.loaded import Loaded
from clinicnum.records.tables import read_table
from clinicnum.types import Record, Vital

KEYS = ("subject_id", "stay_id", "charttime")
OPTIONAL = ("age_years", "gender")


def parse_columns(text: str) -> dict[str, str]:
    """`heart_rate_bpm=HR,sbp_mmhg=SBP` as a map from our name to theirs. Raises InputError."""
    known = (*KEYS, *OPTIONAL, *get_args(Vital))
    columns: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        ours, equals, theirs = pair.partition("=")
        if not equals or ours.strip() not in known or not theirs.strip():
            raise InputError(f"--columns: got {pair!r}; expected ours=theirs, ours one of {', '.join(known)}")
        columns[ours.strip()] = theirs.strip()
    return columns


def load_csv(path: Path, columns: Mapping[str, str]) -> Loaded:
    """Read and clean one CSV; it is taken to be credentialed, as nothing says otherwise.

    `columns` maps our names to theirs; keys that it leaves out are looked up under our own names, vitals that
    it leaves out are undocumented. Raises InputError naming file, line and column.
    """
    names = {key: columns.get(key, key) for key in KEYS}
    extra = {name: columns[name] for name in OPTIONAL if name in columns}
    vitals: dict[Vital, str] = {v: columns[v] for v in get_args(Vital) if v in columns}
    if not vitals:
        raise InputError(f"{path}: no vital sign is mapped; name some with --columns heart_rate_bpm=HR,...")
    counts: Counter[str] = Counter()
    records: list[Record] = []
    for where, row in read_table(path, [*names.values(), *extra.values(), *vitals.values()]):
        values = clean_vitals({v: row[column] for v, column in vitals.items()}, where, counts)
        records.append(
            Record.model_validate(
                {
                    "subject_id": row[names["subject_id"]],
                    "stay_id": row[names["stay_id"]],
                    "charttime": parse_time(row[names["charttime"]], where, names["charttime"]),
                    "age_years": _age(row.get(extra.get("age_years", ""), ""), where),
                    "gender": _gender(row.get(extra.get("gender", ""), ""), where),
                    "source": path.name,
                    **values,
                }
            )
        )
    if not records:
        raise InputError(f"{path}: no rows; expected vital signs")
    kept = unique_times(records, counts)
    return Loaded(records=kept, source=path.name, credentialed=True, counts=dict(sorted((+counts).items())))


def _age(text: str, where: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal():
        raise InputError(f"{where}: age is {text!r}; expected whole years or an empty cell; correct the cell")
    return int(text)


def _gender(text: str, where: str) -> str | None:
    if text.strip() not in ("F", "M", ""):
        raise InputError(f"{where}: gender is {text!r}; expected F, M or an empty cell; correct the cell")
    return text.strip() or None
