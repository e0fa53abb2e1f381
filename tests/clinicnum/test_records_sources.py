"""The sources: the real demo against an independent count, faults by name, synthetic by seed."""

import csv
import gzip
import os
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.records.csv_source import load_csv, parse_columns
from clinicnum.records.loaded import Loaded, contexts
from clinicnum.records.mimic import load_mimic_iv_ed
from clinicnum.records.sampling import stratified_order
from clinicnum.records.synthetic import synthetic
from clinicnum.records.vitals import implausible

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data"

TABLES = {
    "vitalsign.csv": (
        "subject_id,stay_id,charttime,temperature,heartrate,resprate,o2sat,sbp,dbp,rhythm,pain\n"
        "7,70,2150-02-03 10:00:00,98.6,80,16,98,120,80,,asleep\n"
        "7,70,2150-02-03 09:00:00,,90,17,97,110,70,,3\n"
    ),
    "edstays.csv": "subject_id,stay_id\n7,70\n",
    "patients.csv": "subject_id,gender,anchor_age,anchor_year\n7,F,50,2148\n",
}


def real() -> Path:
    if not SHARED.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail("../shared/data is missing; CI checks it out beside the repository")
        pytest.skip("needs the open MIMIC-IV-ED demo at ../shared/data")
    return SHARED


def made(folder: Path, **changes: str) -> Path:
    for name, text in (TABLES | {f"{key}.csv": value for key, value in changes.items()}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _plausible(text: str, low: int, high: int) -> bool:
    return text != "" and low <= float(text) <= high


def test_the_open_demo_agrees_with_an_independent_count() -> None:
    loaded = load_mimic_iv_ed(real())
    path = next(SHARED.rglob("vitalsign.csv.gz"))
    with gzip.open(path, "rt", encoding="utf-8") as handle:
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
    loaded = load_mimic_iv_ed(real())
    with gzip.open(next(SHARED.rglob("vitalsign.csv.gz")), "rt", encoding="utf-8") as handle:
        raw = {(r["stay_id"], r["charttime"]): r for r in csv.DictReader(handle)}
    with gzip.open(next(SHARED.rglob("patients.csv.gz")), "rt", encoding="utf-8") as handle:
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


FAULTS = {
    "a missing column": (
        {"vitalsign": "subject_id,stay_id,charttime\n7,70,x\n"},
        r"vitalsign\.csv:1: no column 'temperature'",
    ),
    "text in a number column": (
        {"vitalsign": TABLES["vitalsign.csv"].replace("120,80", "high,80")},
        r"vitalsign\.csv:2: sbp_mmhg is 'high'",
    ),
    "a bad time": (
        {"vitalsign": TABLES["vitalsign.csv"].replace("2150-02-03 09:00:00", "soon")},
        r"vitalsign\.csv:3: charttime is 'soon'",
    ),
    "a short row": (
        {"vitalsign": TABLES["vitalsign.csv"] + "7,70\n"},
        r"vitalsign\.csv:4: 2 cells, expected 11",
    ),
    "an unknown stay": ({"edstays": "subject_id,stay_id\n7,71\n"}, r"vitalsign\.csv:2: stay 70"),
    "an unknown subject": (
        {"patients": "subject_id,gender,anchor_age,anchor_year\n8,F,50,2148\n"},
        r"vitalsign\.csv:2: subject 7",
    ),
    "no rows": ({"vitalsign": TABLES["vitalsign.csv"].splitlines()[0] + "\n"}, "no rows"),
    "an empty file": ({"patients": ""}, r"patients\.csv:1: no column 'subject_id'; got an empty file"),
    "a bad age": (
        {"patients": "subject_id,gender,anchor_age,anchor_year\n7,F,old,2148\n"},
        r"patients\.csv:2: anchor_year and anchor_age",
    ),
}


@pytest.mark.parametrize(("changes", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_and_line(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_mimic_iv_ed(made(tmp_path, **changes))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "edstays.csv").unlink()
    with pytest.raises(InputError, match=r"no edstays\.csv"):
        load_mimic_iv_ed(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such folder"):
        load_mimic_iv_ed(tmp_path / "nowhere")


def test_two_data_sets_below_one_folder_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        made(tmp_path / name)
    with pytest.raises(InputError, match="found in 2 folders"):
        load_mimic_iv_ed(tmp_path)


def test_a_broken_gzip_is_one_line(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "vitalsign.csv").unlink()
    (tmp_path / "vitalsign.csv.gz").write_bytes(gzip.compress(TABLES["vitalsign.csv"].encode())[:-9])
    with pytest.raises(InputError, match=r"vitalsign\.csv\.gz: not a readable CSV"):
        load_mimic_iv_ed(tmp_path)


def test_any_csv_through_a_column_map(tmp_path: Path) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("subject_id,stay_id,when,HR\n1,2,2150-01-01 00:00:00,88\n", encoding="utf-8")
    loaded = load_csv(path, parse_columns("charttime=when, heart_rate_bpm=HR"))
    assert (loaded.source, loaded.credentialed) == ("ward.csv", True)
    assert loaded.records[0].heart_rate_bpm == 88
    with pytest.raises(InputError, match=r"ward\.csv:1: no column 'BP'"):
        load_csv(path, parse_columns("charttime=when,sbp_mmhg=BP"))
    with pytest.raises(InputError, match="expected ours=theirs"):
        parse_columns("pulse=HR")


def test_synthetic_is_seeded_plausible_and_correlated() -> None:
    loaded = synthetic(seed=3, stays=400)
    assert loaded == synthetic(seed=3, stays=400)
    assert loaded.records != synthetic(seed=4, stays=400).records
    assert all(implausible(record) is None for record in loaded.records)
    stays = contexts(loaded.records, "stay")
    assert len(stays) == 400
    assert all(len({r.charttime for r in stay}) == len(stay) for stay in stays)
    assert 0.2 < loaded.rows_lacking()["temperature_c"] / len(loaded.records) < 0.4
    assert _correlation(loaded, "heart_rate_bpm", "resp_rate_bpm") > 0.2
    assert _correlation(loaded, "heart_rate_bpm", "sbp_mmhg") < -0.1


def _correlation(loaded: Loaded, one: str, other: str) -> float:
    pairs = [(getattr(r, one), getattr(r, other)) for r in loaded.records]
    both = [(float(a), float(b)) for a, b in pairs if a is not None and b is not None]
    mean_a, mean_b = (sum(pair[k] for pair in both) / len(both) for k in (0, 1))
    cov = sum((a - mean_a) * (b - mean_b) for a, b in both)
    return cov / (sum((a - mean_a) ** 2 for a, _ in both) * sum((b - mean_b) ** 2 for _, b in both)) ** 0.5


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
