"""The variety of notes, and what their phrase bank must not hold."""

import re
from collections import Counter
from datetime import datetime

import pytest

from clinicnum.representations import Style, note_phrases, render_records
from clinicnum.types import Record

STATE = (
    r"febrile|fever|pyrex|therm|tachy|brady|hypo|hyper|tensive|cyano|desat|apn(?:o?ea|eic)|stable|normal"
    r"|within (?:normal|limits)|unremarkable|high|\blow\b|warm|\bhot\b|cold|cool|pale"
    r"|flush|breath|distress|oxygen|comfortable|shock"
)
NAMED = r"\b(?:t|temp\w*|hr|pulse|heart|rr|resp\w*|sats?|o2|spo2|bp|sbp|dbp|pressure|pain|weight|age)\b"


def record(minute: int = 0, second: int = 0, **values: int) -> Record:
    """One record on a day whose number is no value."""
    vitals = {
        "temperature_c": 37,
        "heart_rate_bpm": 81,
        "resp_rate_bpm": 16,
        "spo2_pct": 98,
        "sbp_mmhg": 120,
        "dbp_mmhg": 70,
        "pain": 3,
    }
    time = datetime(2150, 1, 5, 9, minute, second)
    return Record(subject_id="a", stay_id="b", charttime=time, source="t", **(vitals | values))


RECORDS = [record(7), record(31), record(55)]
NOTES = [render_records(RECORDS, "note", str(seed)) for seed in range(400)]


def test_every_seed_has_its_own_wording() -> None:
    assert len(set(NOTES)) == len(NOTES)


def test_one_note_word_for_word() -> None:
    assert render_records(RECORDS[:2], "note", "0") == (
        "Obs as charted.\n"
        "5 January 2150 09:07:00 obs: Temp:37.0 °C; pulse:81 bpm. RR:16 breaths/min; SpO2:98 %; BP:120/70 "
        "mmHg. Pain:3/10.\n"
        "January 5, 2150 at 09:31:00 vitals - Temp:37.0 °C; pulse:81 bpm; RR:16 breaths/min; SpO2:98 %; "
        "BP:120/70 mmHg; pain:3/10. Bed lowered."
    )


@pytest.mark.parametrize(
    "form",
    [
        "2150-01-05 09:07:00",
        "2150-01-05T09:07:00",
        "5 January 2150 09:07:00",
        "January 5, 2150 at 09:07:00",
        "09:07:00 on 5 January 2150",
        "2150-01-05 09:07",
        "2150-01-05T09:07",
        "5 January 2150 09:07",
        "January 5, 2150 at 09:07",
        "09:07 on 5 January 2150",
    ],
)
def test_every_form_of_time_occurs(form: str) -> None:
    whole = re.compile(re.escape(form) + r"(?![:\d])")
    assert sum(bool(whole.search(note)) for note in NOTES) > 10


def test_forms_are_mixed_in_some_notes_and_alike_in_most() -> None:
    with_t = Counter(len(re.findall(r"-\d\dT\d\d", note)) for note in NOTES)
    assert with_t[3] > 20
    assert with_t[1] > 10


def test_seconds_are_left_out_only_where_no_record_has_any() -> None:
    uneven = [record(7), record(31, 20), record(55)]
    for seed in range(60):
        note = render_records(uneven, "note", str(seed))
        assert len(re.findall(r"09:\d\d:\d\d", note)) == 3


def test_no_time_is_numbers_with_the_day_beside_the_month_in_an_unclear_order() -> None:
    assert not any(re.search(r"\d[/.]\d+[/.]\d|(?<![\d-])\d{1,2}-\d{1,2}-\d", note) for note in NOTES)


@pytest.mark.parametrize("separator", [", ", "; ", " / ", " | ", " - "])
def test_every_separator_occurs(separator: str) -> None:
    between = re.compile(rf"{re.escape(separator)}(?:HR|pulse|heart rate)[ :=]")
    assert sum(bool(between.search(note)) for note in NOTES) > 20


@pytest.mark.parametrize(
    "name",
    [
        *("temperature", "Temp", "T", "heart rate", "HR", "pulse", "respiratory rate", "RR", "resp rate"),
        *("SpO2", "oxygen saturation", "O2 sat", "sats", "BP", "blood pressure", "SBP", "DBP"),
        *("systolic pressure", "diastolic pressure", "systolic blood pressure", "diastolic blood pressure"),
        *("pain", "pain score"),
    ],
)
def test_every_name_occurs(name: str) -> None:
    assert sum(bool(re.search(rf"\b{name}(?:[ :=]| of | was )", note)) for note in NOTES) > 3


def test_units_are_dropped_by_whole_entries() -> None:
    bare = with_units = 0
    for note in NOTES:
        for entry in re.split(r"\n(?=.*\d\d:\d\d)", note)[1:]:
            units = len(re.findall(r"°C|bpm|breaths/min|%|mmHg|3/10", entry))
            assert units in (0, 6, 7)
            bare, with_units = bare + (units == 0), with_units + (units > 0)
    assert 0.2 < bare / (bare + with_units) < 0.4


def test_a_second_line_without_a_time_says_that_it_continues() -> None:
    second = [line for note in NOTES for line in note.split("\n")[1:] if not re.search(r"\d\d:\d\d", line)]
    assert len(second) > 100
    openings = Counter(
        next((c for c in note_phrases.CONTINUATIONS if c and line.startswith(c)), "") for line in second
    )
    assert set(openings) == set(note_phrases.CONTINUATIONS)


def test_missing_values_are_said_to_be_missing_in_every_way() -> None:
    gone = [record(7).model_copy(update=dict.fromkeys(("sbp_mmhg", "dbp_mmhg", "pain")))]
    notes = [render_records(gone, "note", str(seed), Style()) for seed in range(60)]
    for said in ("BP not documented", "BP not recorded", "no BP documented", "no pain documented"):
        assert any(said.casefold() in note.casefold() for note in notes), said
    assert not any("None" in note for note in notes)


def test_the_phrase_bank_holds_no_number_names_no_vital_and_implies_no_state() -> None:
    bank = [
        *note_phrases.REMARKS,
        *note_phrases.HEADS,
        *note_phrases.OPENINGS,
        *note_phrases.CONTINUATIONS,
        *note_phrases.FRAME_HEADS,
    ]
    for phrase in bank:
        assert not re.search(r"\d", phrase)
        assert not re.search(STATE, phrase, re.IGNORECASE), phrase
        assert not re.search(NAMED, phrase, re.IGNORECASE), phrase
    assert len(set(bank)) == len(bank) > 60


def test_every_remark_and_opening_occurs() -> None:
    notes = "\n".join(NOTES)
    missing = [remark for remark in (*note_phrases.REMARKS, *note_phrases.HEADS) if remark not in notes]
    assert not missing
