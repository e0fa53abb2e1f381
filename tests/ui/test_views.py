"""What the pages show, as plain functions."""

from datetime import datetime
from decimal import Decimal

from markupsafe import Markup

from annotations.taxonomy import load_taxonomy
from annotations.types import User
from clinicnum.types import Cell, Record
from ui.views import (
    evidence_places,
    navigation,
    record_table,
    severity_view,
    table,
    taxonomy_view,
)

RECORDS = (
    Record(
        subject_id="s",
        stay_id="1",
        charttime=datetime(2180, 5, 10, 6, 27),
        temperature_c=Decimal("37"),
        sbp_mmhg=Decimal(120),
        source="synthetic",
    ),
    Record(
        subject_id="s",
        stay_id="1",
        charttime=datetime(2180, 5, 10, 7),
        sbp_mmhg=Decimal(118),
        source="synthetic",
    ),
)


def test_the_table_leaves_out_vitals_that_no_record_has_and_marks_gaps() -> None:
    shown = record_table(RECORDS)
    assert shown["columns"] == ["Time", "Temp °C", "SBP mmHg"]
    assert shown["rows"] == [["2180-05-10 06:27:00", "37.0", "120"], ["2180-05-10 07:00:00", "–", "118"]]


def test_evidence_is_placed_in_the_columns_that_are_shown() -> None:
    cells = (Cell(record=1, vital="sbp_mmhg"), Cell(record=0, vital="temperature_c"))
    assert evidence_places(cells, RECORDS) == [[1, 2], [0, 1]]


def test_no_two_keys_of_the_page_mean_different_things() -> None:
    taxonomy = load_taxonomy()
    top = [group["key"] for group in taxonomy_view(taxonomy)]
    fixed = ["a", "r", "w", "n", "v", "g", "b", "s", "t", "[", "?"]
    severities = [level["key"] for level in severity_view(taxonomy)]
    keys = [*top, *fixed, *severities]
    assert len(keys) == len(set(keys))


def test_text_from_outside_is_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    shown = table(hostile, (hostile,), [(hostile,)], prose=(0,))
    bar = navigation(User(user_id="u", name=hostile, role="annotator"), [(hostile, "/a")], "/a")
    assert isinstance(shown, Markup)
    assert "<img" not in shown
    assert "<img" not in bar
