"""Whatever is wrong with a table, the user sees one line with the file, the line and what to do."""

import gzip
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.records.csv_source import load_csv, parse_columns
from clinicnum.records.loaded_records import Loaded
from clinicnum.records.mimic import load_mimic_iv_ed

MIMIC = {
    "vitalsign": (
        "subject_id,stay_id,charttime,temperature,heartrate,resprate,o2sat,sbp,dbp,rhythm,pain\n"
        "7,70,2150-02-03 10:00:00,98.6,80,16,98,120,80,,asleep\n"
        "7,70,2150-02-03 09:00:00,,90,17,97,110,70,,3\n"
    ),
    "edstays": "subject_id,stay_id\n7,70\n",
    "patients": "subject_id,gender,anchor_age,anchor_year\n7,F,50,2148\n",
}
VITALSIGN = MIMIC["vitalsign"]
PATIENTS = MIMIC["patients"]
WARD = (
    "subject_id,stay_id,charttime,HR,BP,Age,Sex,Temp,Unit\n"
    "1,2,2150-01-01 08:00:00,88,120,63,F,37.1,C\n"
    "1,2,2150-01-01 09:00:00,90,118,63,F,98.6,F\n"
)
MAPPED = "heart_rate_bpm=HR,sbp_mmhg=BP,age_years=Age,gender=Sex,temperature_c=Temp,temperature_unit=Unit"


def mimic(folder: Path, **changes: str) -> Loaded:
    for name, text in (MIMIC | changes).items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return load_mimic_iv_ed(folder)


def ward(folder: Path, text: str | bytes, columns: str = MAPPED) -> Loaded:
    path = folder / "ward.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_csv(path, parse_columns(columns))


def the_line(error: pytest.ExceptionInfo[InputError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 500
    return text


MIMIC_FAULTS = {
    "a missing column": (
        {"vitalsign": "subject_id,stay_id,charttime\n7,70,x\n"},
        ("vitalsign.csv:1: no column 'temperature'", "correct the header"),
    ),
    "text in a number column": (
        {"vitalsign": VITALSIGN.replace("120,80", "high,80")},
        ("vitalsign.csv:2: sbp is 'high'", "correct the cell"),
    ),
    "a bad time": (
        {"vitalsign": VITALSIGN.replace("2150-02-03 09:00:00", "soon")},
        ("vitalsign.csv:3: charttime is 'soon'", "expected YYYY-MM-DD HH:MM:SS"),
    ),
    "a date without a time": (
        {"vitalsign": VITALSIGN.replace("2150-02-03 09:00:00", "2150-02-03")},
        ("vitalsign.csv:3: charttime is '2150-02-03'",),
    ),
    "a short row": (
        {"vitalsign": VITALSIGN + "7,70\n"},
        ("vitalsign.csv:4: 2 cells, expected 11", "correct the row"),
    ),
    "an unknown stay": ({"edstays": "subject_id,stay_id\n7,71\n"}, ("vitalsign.csv:2: stay 70", "get them")),
    "a stay of another subject": ({"edstays": "subject_id,stay_id\n8,70\n"}, ("vitalsign.csv:2: stay 70",)),
    "an unknown subject": (
        {"patients": PATIENTS.replace("7,F", "8,F")},
        ("vitalsign.csv:2: subject 7 is not in", "get them again"),
    ),
    "a header only": ({"vitalsign": VITALSIGN.splitlines()[0]}, ("vitalsign.csv:2: no rows", "get the file")),
    "an empty file": ({"patients": ""}, ("patients.csv:1: an empty file", "expected the columns subject_id")),
    "a bad age": (
        {"patients": PATIENTS.replace("50", "old")},
        ("patients.csv:2: anchor_age is 'old'", "correct the row"),
    ),
    "half a year": (
        {"patients": PATIENTS.replace("2148", "2148.5")},
        ("patients.csv:2:", "anchor_year '2148.5'", "correct the row"),
    ),
    "a record before birth": (
        {"patients": PATIENTS.replace("50,2148", "0,2200")},
        ("vitalsign.csv:2: charttime with patients.csv gives -50 years", "correct it"),
    ),
    "a bad gender": ({"patients": PATIENTS.replace("F", "female")}, ("patients.csv:2: gender is 'female'",)),
    "a comma for a point": (
        {"vitalsign": VITALSIGN.replace("98.6", '"37,5"')},
        ("vitalsign.csv:2: temperature is '37,5'", "write a decimal point"),
    ),
}


@pytest.mark.parametrize(("changes", "parts"), MIMIC_FAULTS.values(), ids=MIMIC_FAULTS.keys())
def test_a_faulty_mimic_folder(tmp_path: Path, changes: dict[str, str], parts: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        mimic(tmp_path, **changes)
    line = the_line(error)
    assert all(part in line for part in parts), line


@pytest.mark.parametrize("name", ["vitalsign", "edstays", "patients"])
def test_a_folder_without_one_of_the_files(tmp_path: Path, name: str) -> None:
    mimic(tmp_path)
    (tmp_path / f"{name}.csv").unlink()
    with pytest.raises(InputError) as error:
        load_mimic_iv_ed(tmp_path)
    assert f"{tmp_path}: no {name}.csv or {name}.csv.gz below it; name the folder that holds it" in the_line(
        error
    )


def test_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        load_mimic_iv_ed(tmp_path / "nowhere")
    assert "nowhere: no such folder; name the folder that holds vitalsign.csv" in the_line(error)


def test_two_data_sets_below_one_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        mimic(tmp_path / name)
    with pytest.raises(InputError) as error:
        load_mimic_iv_ed(tmp_path)
    assert "vitalsign found in 2 folders; name that of one data set" in the_line(error)


def test_a_gzip_that_breaks_off_names_the_line(tmp_path: Path) -> None:
    mimic(tmp_path)
    (tmp_path / "vitalsign.csv").unlink()
    whole = gzip.compress(VITALSIGN.encode())
    (tmp_path / "vitalsign.csv.gz").write_bytes(whole[:-9])
    with pytest.raises(InputError) as error:
        load_mimic_iv_ed(tmp_path)
    assert "vitalsign.csv.gz:4: cannot be read on" in the_line(error)
    assert the_line(error).endswith("; get the file again")
    (tmp_path / "vitalsign.csv.gz").write_bytes(b"subject_id,stay_id")
    with pytest.raises(InputError, match=r"vitalsign\.csv\.gz:1: cannot be read on \(Not a gzipped file"):
        load_mimic_iv_ed(tmp_path)
    (tmp_path / "vitalsign.csv.gz").write_bytes(whole)
    assert len(load_mimic_iv_ed(tmp_path).records) == 2


WARD_FAULTS: dict[str, tuple[str | bytes, tuple[str, ...]]] = {
    "text in a number column": (
        WARD.replace("88,", "fast,"),
        ("ward.csv:2: HR is 'fast'", "correct the cell"),
    ),
    "not a number": (WARD.replace("88,", "nan,"), ("ward.csv:2: HR is 'nan'", "a number or an empty cell")),
    "infinity": (WARD.replace("88,", "-inf,"), ("ward.csv:2: HR is '-inf'",)),
    "a huge number": (WARD.replace("88,", "9" * 400 + ","), ("ward.csv:2: HR is '9999", "...'; expected a")),
    "a huge exponent": (WARD.replace("88,", "1e99999999,"), ("ward.csv:2: HR is '1e99999999'",)),
    "digits grouped": (WARD.replace("88,", "1_0,"), ("ward.csv:2: HR is '1_0'",)),
    "two pressures in a cell": (WARD.replace("120,", "120/80,"), ("ward.csv:2: BP is '120/80'",)),
    "a comma for a point": (
        WARD.replace("37.1", '"37,1"'),
        ("ward.csv:2: Temp is '37,1'", "write a decimal point"),
    ),
    "a comma for a point, unquoted": (
        WARD.replace("37.1", "37,1"),
        ("ward.csv:2: 10 cells, expected 9", "a decimal comma needs quotes or a point"),
    ),
    "semicolons": (
        WARD.replace(",", ";"),
        ("ward.csv:1: cells are separated by semicolons; expected commas; save it with commas",),
    ),
    "tabs": (WARD.replace(",", "\t"), ("ward.csv:1: cells are separated by tabs",)),
    "a missing column": (
        WARD.replace("BP", "B"),
        ("ward.csv:1: no column 'BP'; got subject_id,", "column map"),
    ),
    "a mapped header twice": (
        WARD.replace("BP", "HR"),
        ("ward.csv:1: column 'HR' stands there 2 times; expected once; rename all but one",),
    ),
    "a header of two lines": (WARD.replace("BP", '"B\nP"'), ("ward.csv:1: no column 'BP'",)),
    "a header only": (WARD.splitlines()[0], ("ward.csv:2: no rows", "get the whole table")),
    "an empty file": ("", ("ward.csv:1: an empty file; expected the columns subject_id",)),
    "another encoding": (WARD.encode("utf-16"), ("ward.csv:1: not UTF-8 text", "save it as UTF-8")),
    "another letter": (WARD.encode().replace(b"HR", b"H\xe9"), ("ward.csv:1: not UTF-8 text",)),
    "an open quote": (WARD + '1,2,"2150', ("ward.csv:4: not CSV (unexpected end of data)", "quotes")),
    "no subject": (
        WARD.replace("1,2,2150-01-01 09", ",2,2150-01-01 09"),
        ("ward.csv:3: subject_id is empty",),
    ),
    "no stay": (WARD.replace("1,2,", "1, ,"), ("ward.csv:2: stay_id is empty; expected a stay_id; fill",)),
    "a bad time": (WARD.replace("2150-01-01 09", "01/02/2150 09"), ("ward.csv:3: charttime is '01/02/2150",)),
    "a week": (WARD.replace("2150-01-01 09:00:00", "2150-W01-1"), ("ward.csv:3: charttime is '2150-W01-1'",)),
    "a bad age": (WARD.replace("63", "old"), ("ward.csv:2: Age is 'old'; expected whole years", "correct")),
    "half a year of age": (WARD.replace("63", "63.5"), ("ward.csv:2: Age is '63.5'",)),
    "an age nobody has": (WARD.replace("63", "-3"), ("ward.csv:2: Age gives -3 years; expected 0 to 130",)),
    "a bad gender": (WARD.replace(",F,", ",female,"), ("ward.csv:2: Sex is 'female'; expected F, M or",)),
    "an unknown unit": (
        WARD.replace("37.1,C", "310,K"),
        ("ward.csv:2: Unit is 'K'; expected C, F or an empty",),
    ),
    "degrees C called F": (
        WARD.replace("37.1,C", "37.1,F"),
        ("ward.csv:2: Temp is 37.1 and said to be in °F; it can only be °C; correct the unit or the value",),
    ),
    "degrees F called C": (
        WARD.replace("98.6,F", "98.6,°C"),
        ("ward.csv:3: Temp is 98.6 and said to be in °C; it can only be °F",),
    ),
}


@pytest.mark.parametrize(("text", "parts"), WARD_FAULTS.values(), ids=WARD_FAULTS.keys())
def test_a_faulty_csv(tmp_path: Path, text: str | bytes, parts: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        ward(tmp_path, text)
    line = the_line(error)
    assert all(part in line for part in parts), line


HEADERS = {
    "kilopascal": (
        "BP",
        "SBP [kPa]",
        "sbp_mmhg",
        ("column 'SBP [kPa]' is in kPa; sbp_mmhg is read in mmHg",),
    ),
    "kelvin": ("Temp", "temp_K", "temperature_c", ("column 'temp_K' is in K", "read in °C or °F")),
    "a swapped column": ("HR", "HR (breaths/min)", "heart_rate_bpm", ("is in breaths/min", "bpm or /min")),
    "a rate called degrees": ("HR", "Temp (°F)", "heart_rate_bpm", ("column 'Temp (°F)' is in °F",)),
    "an oxygen fraction": ("HR", "spo2 (fraction)", "spo2_pct", ("is in fraction; spo2_pct is read in %",)),
}


@pytest.mark.parametrize(("old", "new", "vital", "parts"), HEADERS.values(), ids=HEADERS.keys())
def test_a_header_in_a_unit_that_is_not_read(
    tmp_path: Path, old: str, new: str, vital: str, parts: tuple[str, ...]
) -> None:
    with pytest.raises(InputError) as error:
        ward(tmp_path, WARD.replace(old, new, 1), f"{vital}={new}")
    line = the_line(error)
    assert "ward.csv:1: column" in line
    assert "convert the column and rename it, or map another" in line
    assert all(part in line for part in parts), line


def test_a_header_and_a_cell_that_contradict(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        ward(tmp_path, WARD.replace("Temp", "Temp (°C)"), "temperature_c=Temp (°C),temperature_unit=Unit")
    assert "ward.csv:3: Unit is °F, while the header 'Temp (°C)' says °C; correct one of them" in the_line(
        error
    )


def test_no_file_and_a_folder_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.csv: no such file; expected a CSV with the columns"):
        load_csv(tmp_path / "nothing.csv", {"heart_rate_bpm": "HR"})
    with pytest.raises(InputError, match="is a folder; expected a CSV with the columns subject_id"):
        load_csv(tmp_path, {"heart_rate_bpm": "HR"})


MAPS = {
    "an unknown name": ("pulse=HR", "got 'pulse=HR'; expected ours=theirs, ours one of subject_id"),
    "no name of theirs": ("heart_rate_bpm=", "got 'heart_rate_bpm='; expected ours=theirs"),
    "one name of ours twice": ("sbp_mmhg=A,sbp_mmhg=B", "'sbp_mmhg=B' names a column a second time"),
    "one column for two": ("sbp_mmhg=BP,dbp_mmhg=BP", "'dbp_mmhg=BP' names a column a second time"),
}


@pytest.mark.parametrize(("text", "message"), MAPS.values(), ids=MAPS.keys())
def test_a_faulty_map(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_columns(text)
    assert message in the_line(error)


def test_a_map_of_no_vital_and_a_unit_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no vital sign has a column; name some, as in .* \(--columns\)"):
        ward(tmp_path, WARD, "age_years=Age")
    with pytest.raises(InputError, match="temperature_unit has a column and temperature_c none"):
        ward(tmp_path, WARD, "temperature_unit=Unit,heart_rate_bpm=HR")
