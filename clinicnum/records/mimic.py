"""MIMIC-IV-ED: a folder with `vitalsign`, `edstays` and `patients`, plain or gzip, anywhere below it.

The data are credentialed unless every subject is on the open demo's published list (MIMIC-IV Demo 2.2, file
`demo_subject_id.csv`), which is known by the digest of its subjects, not by its name.
"""

import hashlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from clinicnum.errors import InputError
from clinicnum.records.clean import clean_vitals, parse_time, unique_times
from clinicnum.records.loaded import Loaded
from clinicnum.records.tables import find_table, read_table
from clinicnum.types import Record, Vital

COLUMNS: dict[Vital, str] = {
    "temperature_c": "temperature",
    "heart_rate_bpm": "heartrate",
    "resp_rate_bpm": "resprate",
    "spo2_pct": "o2sat",
    "sbp_mmhg": "sbp",
    "dbp_mmhg": "dbp",
    "pain": "pain",
}
DEMO_SUBJECTS_SHA256 = "d8fbf1dba4534445e7c41921ec97fc2d9c8bb78a664700ede29884b0facf533e"
"""Of the sorted subject ids, one a line, each line ended."""


class _Patient(NamedTuple):
    gender: str
    birth_year: int
    """`anchor_year - anchor_age`, in the shifted calendar."""


def load_mimic_iv_ed(folder: Path) -> Loaded:
    """Read and clean the records. Raises InputError naming the missing folder, file, column or bad cell."""
    vitalsign, edstays, patients_csv = (find_table(folder, n) for n in ("vitalsign", "edstays", "patients"))
    patients = _patients(patients_csv)
    stays = {row["stay_id"]: row for _, row in read_table(edstays, ["subject_id", "stay_id"])}
    counts: Counter[str] = Counter()
    rows = list(read_table(vitalsign, ["subject_id", "stay_id", "charttime", *COLUMNS.values()]))
    if not rows:
        raise InputError(f"{vitalsign}: no rows; expected vital signs")
    is_demo = {row["subject_id"] for _, row in rows} <= _demo_subjects(folder)
    source = "mimic-iv-ed-demo" if is_demo else "mimic-iv-ed"
    records: list[Record] = []
    for where, row in rows:
        stay = stays.get(row["stay_id"])
        if stay is None or stay["subject_id"] != row["subject_id"]:
            raise InputError(
                f"{where}: stay {row['stay_id']} of subject {row['subject_id']} is not in {edstays}; "
                "expected both files of one release"
            )
        if row["subject_id"] not in patients:
            raise InputError(
                f"{where}: subject {row['subject_id']} is not in {patients_csv}; "
                "expected both files of one release"
            )
        records.append(_record(where, row, patients[row["subject_id"]], source, counts))
    kept = unique_times(records, counts)
    return Loaded(
        records=kept, source=source, credentialed=not is_demo, counts=dict(sorted((+counts).items()))
    )


def _record(where: str, row: dict[str, str], patient: _Patient, source: str, counts: Counter[str]) -> Record:
    time = parse_time(row["charttime"], where, "charttime")
    values = clean_vitals({vital: row[column] for vital, column in COLUMNS.items()}, where, counts)
    return Record.model_validate(
        {
            "subject_id": row["subject_id"],
            "stay_id": row["stay_id"],
            "charttime": time,
            "age_years": time.year - patient.birth_year,
            "gender": patient.gender or None,
            "source": source,
            **values,
        }
    )


def _patients(path: Path) -> dict[str, _Patient]:
    patients: dict[str, _Patient] = {}
    for where, row in read_table(path, ["subject_id", "gender", "anchor_age", "anchor_year"]):
        if row["gender"] not in ("F", "M", ""):
            raise InputError(f"{where}: gender is {row['gender']!r}; expected F, M or empty; correct it")
        try:
            born = int(row["anchor_year"]) - int(row["anchor_age"])
        except ValueError as error:
            raise InputError(f"{where}: anchor_year and anchor_age must be whole numbers: {error}") from error
        patients[row["subject_id"]] = _Patient(row["gender"], born)
    return patients


def _demo_subjects(folder: Path) -> set[str]:
    for path in sorted(folder.rglob("demo_subject_id.csv")):
        subjects = {row["subject_id"] for _, row in read_table(path, ["subject_id"])}
        text = "".join(f"{subject}\n" for subject in sorted(subjects))
        if hashlib.sha256(text.encode()).hexdigest() == DEMO_SUBJECTS_SHA256:
            return subjects
    return set()
