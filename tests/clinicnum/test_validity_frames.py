"""V8: our entries in a user's note. What the note says of its own may be no vital's value nor state."""

import csv
import re
from decimal import Decimal

import pytest

from clinicnum.validity.context_reader import UnreadableError, read
from tests.open_data import MEDEC, figure

BEFORE = (
    "A 66-year-old man with hypertension comes to the physician for a follow-up 3 weeks after surgery. "
    "He takes metformin 500 mg twice daily and smokes 1 pack a day."
)
ENTRY = (
    "At 2150-01-01 10:00:00: HR 80 bpm, T 37.0 °C, BP 120/80 mmHg, SpO2 98 %. Resting in bed. "
    "RR 18 breaths/min, pain not recorded."
)
AFTER = (
    "Examination shows 5/5 strength. Oxygen is given at 3 L/min.\n"
    "Laboratory studies show:\nHemoglobin 11.3 g/dL\nNeutrophils 48%\nProtein 3+\nSeen on 2150-01-02."
)
ROW = {
    "heart_rate_bpm": Decimal(80),
    "temperature_c": Decimal("37.0"),
    "sbp_mmhg": Decimal(120),
    "dbp_mmhg": Decimal(80),
    "spo2_pct": Decimal(98),
    "resp_rate_bpm": Decimal(18),
    "pain": None,
}


def note(*, before: str = BEFORE, entry: str = ENTRY, after: str = AFTER) -> str:
    return f"{before}\n{entry}\n{after}"


def test_a_note_with_numbers_of_its_own() -> None:
    reading = read(note(), frame=True)
    assert reading.rows == (("2150-01-01 10:00:00", ROW),)
    assert read(note().replace("\nAt", " At"), frame=True) == reading
    assert read(note(entry=ENTRY.replace(", BP", "\nBP")), frame=True) == reading


def test_the_same_note_is_no_plain_context() -> None:
    with pytest.raises(UnreadableError):
        read(note())


def test_givens_labs_and_an_earlier_visit_below_a_note() -> None:
    below = (
        "Throughout: body weight: 72 kg.\nLabs: Hb 12.1 g/dL.\n"
        "Earlier visit (not this one), 2149-11-02 10:15:00: HR 88 bpm."
    )
    reading = read(f"{note()}\n{below}", frame=True)
    assert reading.givens == (("body weight", "72", "kg"),)
    assert reading.others == ("Hb",)
    assert reading.earlier == (("2149-11-02 10:15:00", {"heart_rate_bpm": Decimal(88)}),)


OTHER_VALUES = (
    "His temperature is 37.1 C (98.8 F).",
    "Temp. 38.2.",
    "T 38.2.",
    "T: 99.1",
    "P 88, R 18.",
    "Tmax 101.3 overnight.",
    "A reading of 38.2 °C was taken.",
    "He had 101 degrees at home.",
    "pulse is 78/min",
    "Pulse was 60s at home.",
    "The pulse was ninety.",
    "The monitor showed 110 bpm.",
    "He took 30 breaths per minute.",
    "respirations are 20",
    "blood pressure is 135/88 mm Hg",
    "blood pressure decreases from 130/80 mmHg to 100/60 mmHg",
    "135/88 at the pharmacy.",
    "Systolic of 90.",
    "oxygen saturation of 98%",
    "She was 95% on room air.",
    "SpO2 0.95",
    "Pulse oximetry on 60% oxygen.",
    "Pain is 7/10.",
    "He rates it 7 out of 10.",
    "Mean arterial pressure 65.",
    "Shock index 0.9.",
    "The temperature was not recorded.",
    "HR 80 bpm.",
    "2149-12-01 10:00:00 HR as 90 bpm.",
)
STATES = (
    "He is afebrile.",
    "He had a fever last week.",
    "He denies fever and cough.",
    "She is tachycardic.",
    "Not tachycardic.",
    "Tachypnea is noted.",
    "He became hypotensive.",
    "No hypotension.",
    "Vital signs are within normal limits.",
    "Vital signs are stable.",
    "VSS.",
    "She is hemodynamically stable.",
    "Her blood pressure is normal.",
    "Elevated blood pressures at home.",
    "She was hypoxic.",
    "He was in septic shock.",
    "He is in no pain.",
    "Denies pain.",
)
HARMLESS = (
    "He has hypertension.",
    "He takes an antihypertensive.",
    "He has stable angina.",
    "Intraocular tension was checked.",
    "Peripheral pulses are palpable.",
    "He reports chest pain for 3 days.",
    "She was 20/40 in the left eye.",
    "His GCS is 15.",
    "Given 500 mL of saline.",
    "Creatinine clearance is 60 mL/min.",
    "Hematocrit 38%.",
    "Deep tendon reflexes are 2+.",
    "Seen at 10:30 on 05/10/2019.",
    "Background: a 40-year-old woman.",
    "Labs: drawn at 6.",
)


@pytest.mark.parametrize("text", OTHER_VALUES)
def test_another_value(text: str) -> None:
    for whole in (note(before=f"{BEFORE} {text}"), note(after=f"{text} {AFTER}"), f"{note()} {text}"):
        assert rule_of(whole) == "V8.other_value"


@pytest.mark.parametrize("text", STATES)
def test_a_state(text: str) -> None:
    for whole in (
        note(before=f"{BEFORE} {text}"),
        note(after=f"{text} {AFTER}"),
        note(entry=f"{ENTRY} {text}"),
    ):
        assert rule_of(whole) == "V8.state_word"


@pytest.mark.parametrize("text", HARMLESS)
def test_what_says_nothing_of_a_vital(text: str) -> None:
    for whole in (note(before=f"{BEFORE} {text}"), note(after=f"{text}\n{AFTER}"), f"{note()}\n{text}"):
        assert read(whole, frame=True).rows == (("2150-01-01 10:00:00", ROW),)


def test_a_second_value_in_a_line_of_its_own() -> None:
    assert rule_of(note(entry=f"{ENTRY}\nHR 90 bpm.")) == "V8.other_value"
    assert rule_of(note(entry=f"HR 90 bpm.\n{ENTRY}")) == "V8.other_value"


def test_real_notes_with_their_vital_signs_left_in_are_refused() -> None:
    speaks = re.compile(
        r"(temperature|pulse|heart rate|respirations|blood pressure|saturation)\s+(?:is|was|are|were|of)\s+\d"
    )
    with MEDEC.open(encoding="utf-8", newline="") as file:
        notes = [row["Text"] for row in csv.DictReader(file)]
    spoken = [text for text in notes if speaks.search(text)]
    assert len(spoken) > figure(subset=30, whole=200)
    for text in spoken:
        assert rule_of(note(before=text)).startswith("V8."), text


def rule_of(text: str) -> str:
    with pytest.raises(UnreadableError) as caught:
        read(text, frame=True)
    return caught.value.rule
