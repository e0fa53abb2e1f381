"""Read MIMIC-IV-ED: a folder with `vitalsign`, `edstays` and `patients`, plain or gzip, at any depth.

The data are credentialed unless every subject is on the open demo's published list (MIMIC-IV Demo 2.2, file
`demo_subject_id.csv`), which is known by the digest of its subjects, not by its name.
"""

import hashlib
import sys
from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

from clinicnum.errors import InputError
from clinicnum.records.clean import checked_age, clean_vitals, number, parse_time, shortened, unique_times
from clinicnum.records.csv_files import find_table, read_table
from clinicnum.records.loaded_records import Loaded
from clinicnum.records.prevalidated_record import trusted_record
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
"""SHA-256 of the sorted subject ids, each on a line of its own."""


class _Patient(NamedTuple):
    gender: Literal["F", "M"] | None
    birth_year: int
    """`anchor_year - anchor_age`, in the shifted calendar."""


def load_mimic_iv_ed(folder: Path) -> Loaded:
    """Read and clean the records. Raises InputError naming the missing folder, file, column or bad cell."""
    vitalsign, edstays, patients_csv = (find_table(folder, n) for n in ("vitalsign", "edstays", "patients"))
    patients = _patients(patients_csv)
    stays = {row["stay_id"]: row["subject_id"] for _, row in read_table(edstays, ["subject_id", "stay_id"])}
    is_demo = _all_listed(vitalsign, _demo_subjects(folder))
    source = "mimic-iv-ed-demo" if is_demo else "mimic-iv-ed"
    counts: Counter[str] = Counter()
    records: list[Record] = []
    for where, row in read_table(vitalsign, ["subject_id", "stay_id", "charttime", *COLUMNS.values()]):
        subject, stay = row["subject_id"], sys.intern(row["stay_id"])
        if stays.get(stay) != subject:
            raise InputError(
                f"{where}: stay {stay} of subject {subject} is not in {edstays}; "
                "expected both files of one release; get them again"
            )
        if subject not in patients:
            raise InputError(
                f"{where}: subject {subject} is not in {patients_csv}; "
                "expected both files of one release; get them again"
            )
        time = parse_time(row["charttime"], where, "charttime")
        cells = {vital: row[column] for vital, column in COLUMNS.items()}
        values = clean_vitals(cells, where, counts, columns=COLUMNS)
        patient = patients[subject]
        age = checked_age(time.year - patient.birth_year, where, f"charttime with {patients_csv.name}")
        shown = [values.get(vital) for vital in COLUMNS]
        records.append(trusted_record(stays[stay], stay, time, shown, age, patient.gender, source))
    if not records:
        raise InputError(f"{vitalsign}:2: no rows; expected vital signs below the header; get the file again")
    kept = unique_times(records, counts)
    return Loaded(
        records=kept, source=source, credentialed=not is_demo, counts=dict(sorted((+counts).items()))
    )


def _patients(path: Path) -> dict[str, _Patient]:
    patients: dict[str, _Patient] = {}
    for where, row in read_table(path, ["subject_id", "gender", "anchor_age", "anchor_year"]):
        if row["gender"] not in ("F", "M", ""):
            raise InputError(
                f"{where}: gender is {shortened(row['gender'])}; expected F, M or empty; correct it"
            )
        age, year = number(row["anchor_age"]), number(row["anchor_year"])
        if age is None or year is None or age != int(age) or year != int(year):
            raise InputError(
                f"{where}: anchor_age is {shortened(row['anchor_age'])} and anchor_year "
                f"{shortened(row['anchor_year'])}; expected whole years; correct the row"
            )
        gender: Literal["F", "M"] | None = "F" if row["gender"] == "F" else "M" if row["gender"] else None
        patients[row["subject_id"]] = _Patient(gender, int(year) - int(age))
    return patients


def _all_listed(vitalsign: Path, listed: set[str]) -> bool:
    """Whether every subject is on the list of open subjects; stops at the first who is not."""
    return bool(listed) and all(
        row["subject_id"] in listed for _, row in read_table(vitalsign, ["subject_id"])
    )


def _demo_subjects(folder: Path) -> set[str]:
    for path in sorted(folder.rglob("demo_subject_id.csv")):
        subjects = {row["subject_id"] for _, row in read_table(path, ["subject_id"])}
        text = "".join(f"{subject}\n" for subject in sorted(subjects))
        if hashlib.sha256(text.encode()).hexdigest() == DEMO_SUBJECTS_SHA256:
            return subjects
    return set()
