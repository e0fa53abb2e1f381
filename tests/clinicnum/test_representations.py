"""The three ways of writing the same records."""

import re
from datetime import datetime, timedelta
from decimal import Decimal

from clinicnum.representations import RENDERERS, note
from clinicnum.types import REPRESENTATIONS, Record

RECORDS = [
    Record(
        subject_id="a",
        stay_id="b",
        charttime=datetime(2150, 1, 1, 10) + timedelta(minutes=37 * i),
        temperature_c=None if i == 1 else Decimal(37),
        heart_rate_bpm=80 + i,
        resp_rate_bpm=16,
        spo2_pct=98,
        sbp_mmhg=120,
        dbp_mmhg=70,
        pain=3,
        source="t",
    )
    for i in range(3)
]


def test_each_representation_of_the_contract_has_a_renderer() -> None:
    assert tuple(RENDERERS) == REPRESENTATIONS


def test_all_show_every_time_in_full_and_temperature_with_one_decimal() -> None:
    for render in RENDERERS.values():
        text = render(RECORDS, "0")
        for record in RECORDS:
            assert text.count(f"{record.charttime:%Y-%m-%d %H:%M:%S}") == 1
        assert text.count("37.0") == 2
        assert text.count("°C") in (1, 2)


def test_templated_word_for_word() -> None:
    assert RENDERERS["templated"](RECORDS[1:2], "0") == (
        "Vital signs of one patient.\n"
        "At 2150-01-01 10:37:00, temperature was not documented, heart rate was 81 bpm, respiratory rate was "
        "16 breaths/min, SpO2 was 98 %, systolic pressure was 120 mmHg, diastolic pressure was 70 mmHg and "
        "pain was 3/10."
    )


def test_structured_word_for_word() -> None:
    assert RENDERERS["structured"](RECORDS[1:2], "0").splitlines()[1:] == [
        "| time | temperature (°C) | heart rate (bpm) | respiratory rate (breaths/min) | SpO2 (%) "
        "| systolic pressure (mmHg) | diastolic pressure (mmHg) | pain (/10) |",
        "|---|---|---|---|---|---|---|---|",
        "| 2150-01-01 10:37:00 | - | 81 | 16 | 98 | 120 | 70 | 3 |",
    ]


def test_notes_vary_with_the_seed_and_only_with_it() -> None:
    render = RENDERERS["note"]
    texts = [render(RECORDS, str(seed)) for seed in range(40)]
    assert len(set(texts)) == 40
    assert texts == [render(RECORDS, str(seed)) for seed in range(40)]
    for word in (
        "HR",
        "heart rate",
        "pulse",
        "BP",
        "systolic BP",
        "O2 sat",
        "not recorded",
        "Resting in bed.",
    ):
        assert any(word in text for text in texts), word


def test_the_phrase_bank_holds_no_number_and_implies_no_vital() -> None:
    phrases = [*note.REMARKS, *note.HEADS, *note.ABSENT, *note.OPENINGS]
    assert not any(re.search(r"\d", phrase) for phrase in phrases)
    state = (
        r"febrile|tachy|brady|hypo|hyper|stable|normal|high|\blow\b|warm|pale|short of breath|desat|distress"
    )
    assert not [phrase for phrase in phrases if re.search(state, phrase, re.IGNORECASE)]
