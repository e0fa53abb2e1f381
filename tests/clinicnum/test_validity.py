"""V1 and V5: the reader recovers what any renderer wrote, nothing it cannot be sure of; V2, V3, V4, V6."""

import ast
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.representations import RENDERERS
from clinicnum.templates.evaluate import Answer
from clinicnum.types import REPRESENTATIONS, Record, RepresentationName
from clinicnum.validity import reader
from clinicnum.validity.reader import UnreadableError, read
from clinicnum.validity.rules import check_answer, check_context, check_records


def whole(low: int, high: int) -> st.SearchStrategy[Decimal | None]:
    return st.none() | st.integers(low, high).map(Decimal)


@st.composite
def tables(draw: st.DrawFn) -> list[Record]:
    time = draw(st.datetimes(datetime(1990, 1, 1), datetime(2300, 1, 1))).replace(microsecond=0)
    records = []
    for _ in range(draw(st.integers(1, 6))):
        sbp = draw(whole(40, 300))
        dbp = draw(whole(15, 200))
        if sbp is not None and dbp is not None and dbp >= sbp:
            dbp = None
        records.append(
            Record(
                subject_id="a",
                stay_id="b",
                charttime=time,
                temperature_c=draw(st.none() | st.decimals(30, 43, places=1)),
                heart_rate_bpm=draw(whole(20, 250)),
                resp_rate_bpm=draw(st.none() | st.decimals(4, 70, places=1).map(lambda v: v.normalize())),
                spo2_pct=draw(whole(50, 100)),
                sbp_mmhg=sbp,
                dbp_mmhg=dbp,
                pain=draw(whole(0, 10)),
                source="t",
            )
        )
        time += timedelta(seconds=draw(st.integers(1, 10**7)))
    return records


@settings(deadline=None, max_examples=200)
@given(tables(), st.integers(0, 10**6), st.sampled_from(REPRESENTATIONS))
def test_the_reader_recovers_every_table(records: list[Record], seed: int, name: RepresentationName) -> None:
    text = RENDERERS[name](records, str(seed))
    assert check_context(records, name, text) is None, text
    assert check_records(records) is None


@settings(deadline=None, max_examples=200)
@given(tables(), st.sampled_from(REPRESENTATIONS), st.data())
def test_a_changed_digit_never_passes(
    records: list[Record], name: RepresentationName, data: st.DataObject
) -> None:
    text = RENDERERS[name](records, "0")
    # A digit in "SpO2", "O2 sat" or the scale "/10" is a name's or a unit's; the others are times and values.
    spots = [
        i
        for i, c in enumerate(text)
        if c.isdigit() and text[i - 1] != "O" and not text[max(0, i - 2) : i + 2].count("/1")
    ]
    spot = data.draw(st.sampled_from(spots))
    digit = str((int(text[spot]) + 1) % 10)
    assert check_context(records, name, text[:spot] + digit + text[spot + 1 :]) is not None


AT = "At 2150-01-01 10:00:00: "
UNREADABLE = {
    "a number without a meaning": AT + "HR 80 bpm. Given 500 mg.",
    "a second value at a time": AT + "HR 80 bpm, pulse 90 bpm.",
    "a value before any time": "HR 80 bpm. " + AT + "HR 80 bpm.",
    "one number for a pressure": AT + "BP 120 mmHg.",
    "two numbers for a rate": AT + "HR 80/90 mmHg.",
    "a number outside the table": "Bed 4\n| time | pulse (bpm) |\n|---|---|\n| 2150-01-01 10:00:00 | 80 |",
    "an unknown column": "| time | height (cm) |\n|---|---|\n| 2150-01-01 10:00:00 | 80 |",
    "a column twice": "| time | HR (bpm) | pulse (bpm) |\n|---|---|---|\n| 2150-01-01 10:00:00 | 8 | 8 |",
    "a cell that is no number": "| time | heart rate (bpm) |\n|---|---|\n| 2150-01-01 10:00:00 | fast |",
    "a line after the table": "| time | heart rate (bpm) |\n|---|---|\n| 2150-01-01 10:00:00 | 80 |\nHR 90",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_has_no_sole_reading(text: str) -> None:
    with pytest.raises(UnreadableError):
        read(text)


def record(**values: object) -> Record:
    return Record.model_validate(
        {"subject_id": "a", "stay_id": "b", "charttime": datetime(2150, 1, 1, 10), "source": "t", **values}
    )


ABSENT = " ".join(f"no {name} documented." for name in ("T", "RR", "SpO2", "BP", "pain"))
UNITS = {
    "the unit": ("HR 80 bpm.", None),
    "no unit": ("HR 80.", "V5.unit.note"),
    "another unit": ("HR 80 mmHg.", "V5.unit.note"),
    "a wrong value": ("HR 81 bpm.", "V1.differs.note"),
    "said to be absent": ("HR not recorded.", "V1.differs.note"),
    "nothing said": ("", "V1.differs.note"),
}


@pytest.mark.parametrize(("text", "rule"), UNITS.values(), ids=UNITS.keys())
def test_the_rule_that_a_context_breaks(text: str, rule: str | None) -> None:
    assert check_context([record(heart_rate_bpm=80)], "note", f"{AT}{ABSENT} {text}") == rule


def test_a_missing_row_is_seen() -> None:
    two = [record(heart_rate_bpm=80), record(heart_rate_bpm=81, charttime=datetime(2150, 1, 1, 11))]
    for name, render in RENDERERS.items():
        assert check_context(two, name, render(two[:1], "0")) == f"V1.differs.{name}"


def test_the_reader_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(reader.__file__).read_text(encoding="utf-8"))
    names = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    names += [alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names]
    assert sorted(filter(None, names)) == ["dataclasses", "decimal", "re"]


ANSWERS = {
    "rounded once": ("0.67", Fraction(2, 3), 2, None),
    "rounded wrongly": ("0.66", Fraction(2, 3), 2, "V3.answer_not_exact"),
    "a tie": ("0.63", Fraction(5, 8), 2, "V4.tie_at_asked_digit"),
    "a negative tie": ("-0.63", Fraction(-5, 8), 2, "V4.tie_at_asked_digit"),
    "exact": ("12.5", Fraction(25, 2), 1, None),
    "a time": ("2150-01-01 10:00:00", None, None, None),
}


@pytest.mark.parametrize(("text", "exact", "decimals", "rule"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers(text: str, exact: Fraction | None, decimals: int | None, rule: str | None) -> None:
    assert check_answer(Answer(text, exact, None), decimals) == rule


RECORDS = {
    "a temperature finer than it is shown": ({"temperature_c": "36.65"}, "V3.temperature_finer_than_shown"),
    "a time finer than it is shown": (
        {"charttime": datetime(2150, 1, 1, 10, microsecond=1)},
        "V2.time_finer_than_a_second",
    ),
    "an impossible saturation": ({"spo2_pct": 101}, "V6.spo2_pct.out_of_range"),
    "an impossible pain": ({"pain": 11}, "V6.pain.out_of_range"),
}


@pytest.mark.parametrize(("values", "rule"), RECORDS.values(), ids=RECORDS.keys())
def test_records(values: dict[str, object], rule: str) -> None:
    assert check_records([record(**values)]) == rule
