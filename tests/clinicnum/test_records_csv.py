"""Any table through a column map: units, odd but right tables, who may see the data, and what is counted."""

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.errors import InputError
from clinicnum.records.clean import clean_vitals
from clinicnum.records.column_units import header_unit
from clinicnum.records.csv_source import load_csv, parse_columns
from clinicnum.records.loaded_records import Loaded
from clinicnum.records.prevalidated_record import trusted_record
from clinicnum.types import Record, Vital

VITALS: tuple[Vital, ...] = get_args(Vital)


def load(folder: Path, header: str, rows: list[str], columns: str, prefix: str = "") -> Loaded:
    lines = [f"subject_id,stay_id,charttime,{header}"]
    lines += [f"1,2,2150-01-01 {8 + hour:02d}:00:00,{row}" for hour, row in enumerate(rows)]
    path = folder / "ward.csv"
    path.write_text(prefix + "\n".join(lines) + "\n", encoding="utf-8")
    return load_csv(path, parse_columns(columns))


def temperatures(loaded: Loaded) -> list[str | None]:
    return [None if r.temperature_c is None else str(r.temperature_c) for r in loaded.records]


def test_a_map_and_what_it_leaves_out(tmp_path: Path) -> None:
    loaded = load(tmp_path, "HR,Age,Sex,Ward", ["88,63,F,A", "90.0,63.0,,A", ",,M,B"], "heart_rate_bpm=HR")
    assert [r.heart_rate_bpm for r in loaded.records] == [88, 90, None]
    assert {(r.age_years, r.gender, r.source) for r in loaded.records} == {(None, None, "ward.csv")}
    mapped = load(
        tmp_path,
        "HR,Age,Sex",
        ["88,63,F", "90,64.0,", "1e2,,M"],
        "heart_rate_bpm=HR,age_years=Age,gender=Sex",
    )
    assert [(r.age_years, r.gender) for r in mapped.records] == [(63, "F"), (64, None), (None, "M")]
    assert str(mapped.records[2].heart_rate_bpm) == "100"


def test_a_csv_is_credentialed_until_it_is_said_to_be_open(tmp_path: Path) -> None:
    assert load(tmp_path, "HR", ["88"], "heart_rate_bpm=HR").credentialed
    columns = {"heart_rate_bpm": "HR"}
    assert not load_csv(tmp_path / "ward.csv", columns, open_data=True).credentialed


def test_a_byte_order_mark_and_an_unmapped_column_twice_do_no_harm(tmp_path: Path) -> None:
    loaded = load(tmp_path, "HR,note,note", ["88,a,b"], "heart_rate_bpm=HR", prefix="\ufeff")
    assert loaded.records[0].heart_rate_bpm == 88


def test_numbers_that_no_vital_can_be_are_undocumented_and_counted(tmp_path: Path) -> None:
    loaded = load(tmp_path, "HR,BP", ["-5,1e3", "0,120", "88,"], "heart_rate_bpm=HR,sbp_mmhg=BP")
    assert [(r.heart_rate_bpm, r.sbp_mmhg) for r in loaded.records] == [(None, None), (None, 120), (88, None)]
    assert loaded.counts == {"heart_rate_bpm.out_of_range": 2, "sbp_mmhg.out_of_range": 1}


HEADER_UNITS: dict[str, tuple[str, Vital, str | None]] = {
    "brackets": ("Temp (°F)", "temperature_c", "°F"),
    "square brackets": ("SBP [kPa]", "sbp_mmhg", "kPa"),
    "a word in brackets that is no unit": ("Temp (oral)", "temperature_c", None),
    "a last word": ("hr_bpm", "heart_rate_bpm", "bpm"),
    "a last letter of temperature": ("temp_f", "temperature_c", "°F"),
    "a last letter of another vital": ("HR c", "heart_rate_bpm", None),
    "our own name": ("temperature_c", "temperature_c", "°C"),
    "a long name": ("Temperature Fahrenheit", "temperature_c", "°F"),
    "no unit": ("Temp", "temperature_c", None),
    "only a unit": ("F", "temperature_c", None),
}


@pytest.mark.parametrize(("name", "vital", "unit"), HEADER_UNITS.values(), ids=HEADER_UNITS.keys())
def test_the_unit_in_a_header(name: str, vital: Vital, unit: str | None) -> None:
    assert header_unit(name, vital) == unit


def test_a_header_in_fahrenheit_is_converted_and_an_impossible_value_counted(tmp_path: Path) -> None:
    # 98.6 °F is 37 °C by definition; 60 °F is 15.6 °C, which no patient has, and 60 °C neither.
    loaded = load(tmp_path, "Temp (°F)", ["98.6", "60", ""], "temperature_c=Temp (°F)")
    assert temperatures(loaded) == ["37.0", None, None]
    assert loaded.counts == {"temperature_c.from_fahrenheit": 2, "temperature_c.out_of_range": 1}


def test_a_header_in_celsius_takes_no_fahrenheit(tmp_path: Path) -> None:
    assert temperatures(load(tmp_path, "temp_c", ["36.65", "37"], "temperature_c=temp_c")) == ["36.7", "37.0"]
    with pytest.raises(InputError, match=r"ward\.csv:3: temp_c is 98\.6 and said to be in °C"):
        load(tmp_path, "temp_c", ["37", "98.6"], "temperature_c=temp_c")


def test_a_unit_column_decides_and_where_it_is_blank_the_value(tmp_path: Path) -> None:
    rows = ["98.6,F", "37.2,°C", "99.5,degF", "98.6,", "36.6, ", ",F"]
    loaded = load(tmp_path, "T,U", rows, "temperature_c=T,temperature_unit=U")
    # 99.5 °F is (99.5 - 32) x 5 / 9 = 37.5 °C exactly.
    assert temperatures(loaded) == ["37.0", "37.2", "37.5", "37.0", "36.6", None]
    assert loaded.counts == {"temperature_c.from_fahrenheit": 3}


CELLS = st.one_of(
    st.just(""),
    st.just(" "),
    st.integers(-50, 400).map(str),
    st.decimals(0, 120, places=2).map(str),
    st.sampled_from(["1e2", "98.6", "37.25", "+88", "0"]),
)


@given(st.lists(st.tuples(*[CELLS] * 6, st.one_of(CELLS, st.just("asleep"))), min_size=1, max_size=12))
def test_every_cell_that_is_not_kept_is_counted(rows: list[tuple[str, ...]]) -> None:
    counts: Counter[str] = Counter()
    kept = sum(len(clean_vitals(dict(zip(VITALS, row, strict=True)), "f:2", counts)) for row in rows)
    given_cells = sum(cell.strip() != "" for row in rows for cell in row)
    lost = sum(n for rule, n in counts.items() if rule.endswith((".out_of_range", ".not_a_number")))
    assert given_cells == kept + lost + 2 * counts["dbp_not_below_sbp"]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(60, 62)), min_size=1, max_size=12))
def test_every_row_that_is_not_kept_is_counted(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int]]
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    lines = [f"1,2,2150-01-01 08:0{minute}:00,{rate}\n" for minute, rate in rows]
    path.write_text("subject_id,stay_id,charttime,HR\n" + "".join(lines), encoding="utf-8")
    loaded = load_csv(path, {"heart_rate_bpm": "HR"})
    assert len(rows) == len(loaded.records) + sum(loaded.counts.values())
    at: dict[int, set[int]] = {}
    for minute, rate in rows:
        at.setdefault(minute, set()).add(rate)
    assert [r.charttime.minute for r in loaded.records] == sorted(
        m for m, rates in at.items() if len(rates) == 1
    )


def test_a_trusted_record_is_a_validated_one() -> None:
    values = (Decimal("36.7"), Decimal(88), None, Decimal(97), Decimal(120), Decimal(80), None)
    fields = {
        "subject_id": "1",
        "stay_id": "2",
        "charttime": "2150-01-01 08:00:00",
        "age_years": 63,
        "gender": "F",
    }
    whole = Record.model_validate({**dict(zip(VITALS, values, strict=True)), **fields, "source": "s"})
    trusted = trusted_record("1", "2", whole.charttime, values, 63, "F", "s")
    assert trusted == whole
    assert trusted.model_dump_json() == Record.model_validate_json(whole.model_dump_json()).model_dump_json()
    changed = trusted.model_copy(update={"heart_rate_bpm": Decimal(90)})
    assert (changed.heart_rate_bpm, trusted.heart_rate_bpm) == (90, 88)
    assert trusted.model_fields_set == set(Record.model_fields)
    with pytest.raises(ValueError, match="frozen"):
        trusted.pain = Decimal(3)  # type: ignore[misc]
