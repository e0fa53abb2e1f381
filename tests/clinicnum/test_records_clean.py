"""Cleaning: what a text cell becomes, and what is counted."""

from collections import Counter
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.errors import InputError
from clinicnum.records.clean import clean_vitals, parse_time, unique_times
from clinicnum.types import Record

CASES = {
    # 98.6 °F is 37 °C by definition; (100.4 - 32) x 5 / 9 = 38 exactly.
    "fahrenheit converts": ("98.6", "37.0"),
    "fahrenheit fever converts": ("100.4", "38.0"),
    "celsius stays": ("36.8", "36.8"),
    # (97.61 - 32) x 5 / 9 = 36.45 exactly: a tie goes up, once.
    "a tie rounds up": ("97.61", "36.5"),
    # (97.6 - 32) x 5 / 9 = 36.444...: rounding twice (36.44 -> 36.4) or up would differ.
    "no tie rounds down": ("97.6", "36.4"),
    "celsius with two decimals rounds once": ("36.65", "36.7"),
    "the lowest plausible": ("30", "30.0"),
    "below the range": ("29.9", None),
    "between the scales": ("60", None),
    "blank": (" ", None),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_temperature(text: str, expected: str | None) -> None:
    values = clean_vitals({"temperature_c": text}, "f:2", Counter())
    assert values.get("temperature_c") == (None if expected is None else Decimal(expected))


@given(st.decimals(min_value=87, max_value=109, places=2))
def test_fahrenheit_agrees_with_fractions(value: Decimal) -> None:
    tenths = (Fraction(value) - 32) * 5 / 9 * 10
    expected = (tenths + Fraction(1, 2)).__floor__()
    values = clean_vitals({"temperature_c": str(value)}, "f:2", Counter())
    if 300 <= expected <= 430:
        assert values["temperature_c"] * 10 == expected
    else:
        assert values == {}


def test_each_rule_is_counted_and_the_rest_of_the_row_stays() -> None:
    counts: Counter[str] = Counter()
    cells = {
        "heart_rate_bpm": "300",
        "spo2_pct": "10",
        "sbp_mmhg": "90",
        "dbp_mmhg": "90",
        "resp_rate_bpm": "18.0",
    }
    values = clean_vitals(cells | {"pain": "asleep"}, "f:2", counts)
    assert values == {"resp_rate_bpm": Decimal(18)}
    assert f"{values['resp_rate_bpm']:f}" == "18"
    assert counts == {
        "heart_rate_bpm.out_of_range": 1,
        "spo2_pct.out_of_range": 1,
        "dbp_not_below_sbp": 1,
        "pain.not_a_number": 1,
    }


def test_pain_beyond_ten_is_undocumented() -> None:
    counts: Counter[str] = Counter()
    assert clean_vitals({"pain": "13"}, "f:2", counts) == {}
    assert counts == {"pain.out_of_range": 1}


@pytest.mark.parametrize("text", ["fast", "nan", "inf", "1e99999999"])
def test_text_in_a_number_column_names_file_and_line(text: str) -> None:
    with pytest.raises(InputError, match=r"f\.csv:7: heart_rate_bpm is .*expected a number"):
        clean_vitals({"heart_rate_bpm": text}, "f.csv:7", Counter())


@pytest.mark.parametrize("text", ["", "yesterday", "2125-03-19T13:22:00+01:00", "2125-03-19 13:22:00.5"])
def test_a_bad_time_names_file_and_line(text: str) -> None:
    with pytest.raises(InputError, match=r"f\.csv:7: charttime is"):
        parse_time(text, "f.csv:7", "charttime")


def test_equal_rows_at_a_time_are_one_and_contradicting_ones_none() -> None:
    def row(minute: int, rate: int) -> Record:
        return Record(
            subject_id="a",
            stay_id="b",
            charttime=datetime(2100, 1, 1, 0, minute),
            heart_rate_bpm=rate,
            source="t",
        )

    counts: Counter[str] = Counter()
    kept = unique_times([row(2, 80), row(1, 70), row(2, 80), row(3, 60), row(3, 61)], counts)
    assert [(r.charttime.minute, r.heart_rate_bpm) for r in kept] == [(1, 70), (2, 80)]
    assert counts == {"duplicate_time.identical": 1, "duplicate_time.contradicting": 2}
