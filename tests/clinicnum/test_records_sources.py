"""The MIMIC-IV-ED source against an independent count of the open demo, and how records become contexts."""

import csv
import gzip
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

from clinicnum.records.loaded_records import contexts
from clinicnum.records.mimic import load_mimic_iv_ed
from clinicnum.records.stratified_context_order import stratified_order
from clinicnum.records.synthetic import synthetic
from clinicnum.records.vitals import implausible
from tests.open_data import DATA, MIMIC_PATIENTS, MIMIC_VITALSIGN

TABLES = {
    "vitalsign.csv": (
        "subject_id,stay_id,charttime,temperature,heartrate,resprate,o2sat,sbp,dbp,rhythm,pain\n"
        "7,70,2150-02-03 10:00:00,98.6,80,16,98,120,80,,asleep\n"
        "7,70,2150-02-03 09:00:00,,90,17,97,110,70,,3\n"
    ),
    "edstays.csv": "subject_id,stay_id\n7,70\n",
    "patients.csv": "subject_id,gender,anchor_age,anchor_year\n7,F,50,2148\n",
}


def made(folder: Path, **changes: str) -> Path:
    for name, text in (TABLES | {f"{key}.csv": value for key, value in changes.items()}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _plausible(text: str, low: int, high: int) -> bool:
    return text != "" and low <= float(text) <= high


def test_the_open_demo_agrees_with_an_independent_count() -> None:
    loaded = load_mimic_iv_ed(DATA)
    with gzip.open(MIMIC_VITALSIGN, "rt", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert len(loaded.records) == len(rows) == 1038
    assert (loaded.source, loaded.credentialed) == ("mimic-iv-ed-demo", False)
    # Counted here from the raw text, with floats, and written out, so that a change in either is seen.
    assert loaded.counts["temperature_c.from_fahrenheit"] == 543
    assert sum(r["temperature"] != "" and float(r["temperature"]) > 45 for r in rows) == 543
    no_number = [r["pain"] for r in rows if r["pain"] and not r["pain"].replace(".", "", 1).isdigit()]
    assert loaded.counts["pain.not_a_number"] == len(no_number)
    lacking = loaded.rows_lacking()
    assert lacking["heart_rate_bpm"] == sum(not _plausible(r["heartrate"], 20, 250) for r in rows)
    assert lacking["resp_rate_bpm"] == sum(not _plausible(r["resprate"], 4, 70) for r in rows)
    assert lacking["spo2_pct"] == sum(not _plausible(r["o2sat"], 50, 100) for r in rows)
    assert lacking["sbp_mmhg"] == sum(not _plausible(r["sbp"], 40, 300) for r in rows)
    assert lacking["temperature_c"] == sum(r["temperature"] == "" for r in rows)


def test_every_value_of_the_open_demo_is_the_raw_one() -> None:
    loaded = load_mimic_iv_ed(DATA)
    with gzip.open(MIMIC_VITALSIGN, "rt", encoding="utf-8") as handle:
        raw = {(r["stay_id"], r["charttime"]): r for r in csv.DictReader(handle)}
    with gzip.open(MIMIC_PATIENTS, "rt", encoding="utf-8") as handle:
        people = {r["subject_id"]: r for r in csv.DictReader(handle)}
    for record in loaded.records:
        row, person = raw[record.stay_id, str(record.charttime)], people[record.subject_id]
        for ours, theirs in (("heart_rate_bpm", "heartrate"), ("spo2_pct", "o2sat"), ("dbp_mmhg", "dbp")):
            if getattr(record, ours) is not None:
                assert float(getattr(record, ours)) == float(row[theirs])
        if record.temperature_c is not None:
            assert record.temperature_c == _celsius(row["temperature"])
        age = int(person["anchor_age"]) + int(row["charttime"][:4]) - int(person["anchor_year"])
        assert (record.age_years, record.gender) == (age, person["gender"])
        assert implausible(record) is None


def _celsius(text: str) -> Decimal:
    with localcontext(prec=60):
        value = Decimal(text)
        exact = value if value < 50 else (value - 32) / Decimal("1.8")
        return exact.quantize(Decimal("0.1"), ROUND_HALF_UP)


def test_a_small_folder_is_read_and_sorted(tmp_path: Path) -> None:
    loaded = load_mimic_iv_ed(made(tmp_path))
    assert [(r.charttime.hour, r.heart_rate_bpm, r.pain) for r in loaded.records] == [
        (9, 90, 3),
        (10, 80, None),
    ]
    assert loaded.records[1].temperature_c == Decimal("37.0")
    assert loaded.records[0].age_years == 52


def test_a_list_that_is_not_the_published_one_opens_nothing(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "demo_subject_id.csv").write_text("subject_id\n7\n", encoding="utf-8")
    loaded = load_mimic_iv_ed(tmp_path)
    assert (loaded.source, loaded.credentialed) == ("mimic-iv-ed", True)


def test_pooled_contexts_join_a_subjects_stays_in_time_order() -> None:
    loaded = synthetic(seed=3, stays=60)
    pooled = contexts(loaded.records, "subject")
    assert len(pooled) == len({r.subject_id for r in loaded.records}) < 60
    assert sum(map(len, pooled)) == len(loaded.records)
    assert all([r.charttime for r in c] == sorted(r.charttime for r in c) for c in pooled)


def test_strata_come_up_in_turn_and_every_context_once() -> None:
    stays = contexts(synthetic(seed=3, stays=300).records, "stay")
    order = stratified_order(stays, "a")
    assert sorted(order) == list(range(300))
    assert order == stratified_order(stays, "a") != stratified_order(stays, "b")
    # 40 men and women of 4 ages and 5 lengths at most: the first 40 hold each gender about equally.
    women = sum(stays[i][0].gender == "F" for i in order[:40])
    assert 14 <= women <= 26
