"""The three ways of writing the same records, under every style: what is written is exactly the records."""

import random
import re
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import product

import pytest

from clinicnum.records.vitals import value_text
from clinicnum.representations import (
    BASE,
    Style,
    render_context,
    render_givens,
    render_records,
    render_written,
    write,
)
from clinicnum.types import REPRESENTATIONS, Given, Record, RepresentationName, Vital

STYLES = [
    Style(*choice)
    for choice in product((None, True, False), (None, True, False), (False, True), (False, True))
]
NAMES: dict[Vital, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "temperature_c": (("temperature",), ("T", "Temp")),
    "heart_rate_bpm": (("heart rate",), ("HR", "pulse")),
    "resp_rate_bpm": (("respiratory rate",), ("RR", "resp rate")),
    "spo2_pct": (("SpO2", "oxygen saturation"), ("O2 sat", "sats")),
    "sbp_mmhg": (("systolic pressure", "systolic blood pressure"), ("SBP",)),
    "dbp_mmhg": (("diastolic pressure", "diastolic blood pressure"), ("DBP",)),
    "pain": (("pain",), ("pain score",)),
}
BOTH = (("blood pressure",), ("BP",))
UNITS: dict[Vital, tuple[str, ...]] = {
    "temperature_c": (" °C", "°C"),
    "heart_rate_bpm": (" bpm",),
    "resp_rate_bpm": (" breaths/min",),
    "spo2_pct": (" %", "%"),
    "sbp_mmhg": (" mmHg",),
    "dbp_mmhg": (" mmHg",),
    "pain": ("/10",),
}
JOINS = (" ", ": ", ":", " = ", "=", " of ", " was ")
DELIMITERS = ("|", "\t", ";", ",")


def records_of(seed: int, *, missing: float = 0.15) -> list[Record]:
    """Records at random, some values missing, some times on the full minute only."""
    rng = random.Random(str(seed))
    time = datetime(2150 + rng.randrange(40), 1 + rng.randrange(12), 1 + rng.randrange(28), rng.randrange(24))
    found = []
    for _ in range(1 + rng.randrange(5)):
        time += timedelta(minutes=1 + rng.randrange(600), seconds=rng.randrange(60) * (seed % 2))
        sbp = 90 + rng.randrange(110)
        values = {
            "temperature_c": Decimal(350 + rng.randrange(60)) / 10,
            "heart_rate_bpm": 20 + rng.randrange(180),
            "resp_rate_bpm": 4 + rng.randrange(40),
            "spo2_pct": 80 + rng.randrange(21),
            "sbp_mmhg": sbp,
            "dbp_mmhg": sbp - 10 - rng.randrange(60),
            "pain": rng.randrange(11),
        }
        kept = {vital: value for vital, value in values.items() if rng.random() >= missing}
        found.append(Record(subject_id="a", stay_id="b", charttime=time, source="t", **kept))
    return found


def forms(time: datetime) -> list[str]:
    """Every way in which a note may write a time, the longer ones first."""
    day, month = time.day, f"{time:%B}"
    found = []
    for clock in (f"{time:%H:%M:%S}", f"{time:%H:%M}"):
        if clock.count(":") == 1 and time.second:
            continue
        found += [
            f"{time:%Y-%m-%d} {clock}",
            f"{time:%Y-%m-%d}T{clock}",
            f"{day} {month} {time.year} {clock}",
            f"{month} {day}, {time.year} at {clock}",
            f"{clock} on {day} {month} {time.year}",
        ]
    return found


def form_of(text: str, time: datetime) -> str:
    """The one form in which the text gives a time."""
    form = next(form for form in forms(time) if form in text)
    assert text.count(form) == 1
    return form


def parts_of(text: str, records: list[Record]) -> list[str]:
    """A text's part for each record: what stands behind its time and before the line with the next."""
    parts = []
    for record in reversed(records):
        text, _, part = text.partition(form_of(text, record.charttime))
        text, _, opening = text.rpartition("\n")
        assert not re.search(r"\d", opening)
        parts.append(part)
    assert not re.search(r"\d", text)
    return parts[::-1]


def said(record: Record, vital: Vital, style: Style) -> list[str]:
    """All phrases that would say a record's value of a vital."""
    value = getattr(record, vital)
    names = NAMES[vital][0] * (style.abbreviated is not True) + NAMES[vital][1] * (
        style.abbreviated is not False
    )
    if value is None:
        absent = [f"{n} {w}" for n in names for w in ("not documented", "not recorded", "was not documented")]
        return [*absent, *(f"{n}: not documented" for n in names), *(f"no {n} documented" for n in names)]
    units = UNITS[vital] * (style.units is not False) + ("",) * (style.units is not True)
    return [f"{n}{j}{value_text(vital, value)}{u}" for n in names for j in JOINS for u in units]


def said_of_pressures(record: Record, style: Style) -> list[str]:
    """All phrases that would say both pressures at once."""
    names = BOTH[0] * (style.abbreviated is not True) + BOTH[1] * (style.abbreviated is not False)
    if record.sbp_mmhg is None and record.dbp_mmhg is None:
        return [
            form for n in names for form in (f"{n} not documented", f"{n} not recorded", f"no {n} documented")
        ]
    units = (" mmHg",) * (style.units is not False) + ("",) * (style.units is not True)
    pair = f"{record.sbp_mmhg}/{record.dbp_mmhg}"
    return [f"{n}{j}{pair}{u}" for n in names for j in JOINS for u in units]


def once(part: str, phrases: list[str]) -> bool:
    """Whether one of the phrases, and only one, stands in a text as words of their own, in any case."""
    text, places = part.casefold(), set()
    for phrase in map(str.casefold, phrases):
        place = text.find(phrase)
        while place >= 0:
            before, after = text[:place], text[place + len(phrase) :]
            inside = before[-1:].isalnum() or before.endswith(("/", "systolic ", "diastolic "))
            if not inside and (after.lstrip(".,;")[:1].strip() == "" or after[:1].isspace()):
                places.add(place)
            place = text.find(phrase, place + 1)
    return len(places) == 1


def check_prose(text: str, records: list[Record], style: Style) -> None:
    if style.units is False:
        assert not re.search(r"°C|bpm|breaths|%|mmHg|/10(?!\d)", text)
    for record, part in zip(records, parts_of(text, records), strict=True):
        both = once(part, said_of_pressures(record, style))
        expected = []
        for vital in NAMES:
            if not (both and vital in ("sbp_mmhg", "dbp_mmhg")):
                assert once(part, said(record, vital, style)), (vital, part)
            value = getattr(record, vital)
            expected += [] if value is None else [value_text(vital, value)]
        numbers = re.findall(r"\d+(?:\.\d+)?", re.sub(r"SpO2|O2 sat|/10\b", "", part, flags=re.IGNORECASE))
        assert sorted(numbers) == sorted(expected)


def check_table(text: str, records: list[Record], style: Style) -> None:
    sentence, *lines = text.split("\n")
    assert not re.search(r"\d", sentence)
    delimiter = lines[0].removeprefix("| time").lstrip(" ").removeprefix("time")[0]
    assert (delimiter != "|") == style.separators
    if delimiter == "|":
        assert lines.pop(1) == "|---|---|---|---|---|---|---|---|"
        lines = [line.removeprefix("| ").removesuffix(" |").replace(" | ", "|") for line in lines]
    head, *rows = [line.split(delimiter) for line in lines]
    assert head[0] == "time"
    names = {vital: NAMES[vital][bool(style.abbreviated)] for vital in NAMES}
    bare = style.units is False
    columns = [
        next(
            v
            for v in NAMES
            if head_cell in [n if bare else f"{n} ({UNITS[v][-1].strip()})" for n in names[v]]
        )
        for head_cell in head[1:]
    ]
    assert sorted(columns) == sorted(NAMES)
    assert (columns == list(NAMES)) != style.shuffled
    for record, row in zip(records, rows, strict=True):
        assert row[0] == f"{record.charttime:%Y-%m-%d %H:%M:%S}"
        values = [getattr(record, vital) for vital in columns]
        texts = ["-" if v is None else value_text(c, v) for c, v in zip(columns, values, strict=True)]
        assert row[1:] == texts


@pytest.mark.parametrize("name", REPRESENTATIONS)
@pytest.mark.parametrize("style", STYLES, ids=str)
def test_every_value_stands_once_in_its_form_and_no_other_number_does(
    name: RepresentationName, style: Style
) -> None:
    check = check_table if name == "structured" else check_prose
    for seed in range(25):
        records = records_of(seed)
        check(render_records(records, name, str(seed), style), records, style)


def test_templated_word_for_word() -> None:
    record = Record(
        subject_id="a",
        stay_id="b",
        charttime=datetime(2150, 1, 1, 10, 37),
        heart_rate_bpm=81,
        resp_rate_bpm=16,
        spo2_pct=98,
        sbp_mmhg=120,
        dbp_mmhg=70,
        pain=3,
        source="t",
    )
    assert render_records([record], "templated", "0") == (
        "Vital signs of one patient.\n"
        "At 2150-01-01 10:37:00, temperature was not documented, heart rate was 81 bpm, respiratory rate was "
        "16 breaths/min, SpO2 was 98 %, systolic pressure was 120 mmHg, diastolic pressure was 70 mmHg and "
        "pain was 3/10."
    )
    assert render_records([record], "structured", "0").splitlines()[1:] == [
        "| time | temperature (°C) | heart rate (bpm) | respiratory rate (breaths/min) | SpO2 (%) "
        "| systolic pressure (mmHg) | diastolic pressure (mmHg) | pain (/10) |",
        "|---|---|---|---|---|---|---|---|",
        "| 2150-01-01 10:37:00 | - | 81 | 16 | 98 | 120 | 70 | 3 |",
    ]


def test_values_are_written_without_exponent_and_as_recorded() -> None:
    record = Record(subject_id="a", stay_id="b", charttime=datetime(2150, 1, 1), source="t")
    values = {"temperature_c": "37", "heart_rate_bpm": "8E+1", "resp_rate_bpm": "16.5", "pain": "0"}
    record = record.model_copy(update={vital: Decimal(value) for vital, value in values.items()})
    row = render_records([record], "structured", "0").splitlines()[-1]
    assert row == "| 2150-01-01 00:00:00 | 37.0 | 80 | 16.5 | - | - | - | 0 |"


def test_the_same_arguments_give_the_same_text_however_it_is_reached() -> None:
    records = records_of(3)
    for name, style in product(REPRESENTATIONS, STYLES):
        text = render_records(records, name, "7", style)
        assert render_records(records, name, "7", style) == text
        assert render_written(write(records), name, "7", style) == text
        assert render_context(records, [], name, "7", style) == text


def test_another_order_or_separators_vary_with_the_seed() -> None:
    records = records_of(3, missing=0)
    for name in REPRESENTATIONS:
        for style, least in ((Style(shuffled=True), 35), (Style(separators=True), 3)):
            texts = {render_records(records, name, str(seed), style) for seed in range(40)}
            assert len(texts) >= least
            assert not any(render_records(records, name, str(seed)) in texts for seed in range(40))
    tables = [render_records(records, "structured", str(s), Style(separators=True)) for s in range(40)]
    assert {table.splitlines()[1][4] for table in tables} == set(DELIMITERS[1:])


@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_a_style_changes_what_it_names_and_nothing_else(name: RepresentationName) -> None:
    for seed in range(40):
        records = records_of(seed)
        base = render_records(records, name, str(seed), Style(units=True))
        bare = render_records(records, name, str(seed), Style(units=False))
        assert re.sub(r" \((?:°C|bpm|breaths/min|%|mmHg|/10)\)", "", _without_units(base)) == bare
        shuffled = render_records(records, name, str(seed), Style(units=True, shuffled=True))
        assert shuffled != base
        if name != "templated":  # there the last part is joined by "and"
            assert sorted(shuffled.casefold()) == sorted(base.casefold())
        apart = render_records(records, name, str(seed), Style(units=True, separators=True))
        assert re.findall(r"\d+", apart) == re.findall(r"\d+", base)
        short = render_records(records, name, str(seed), Style(abbreviated=True, units=True))
        assert re.findall(r"\d{2,}", short) == re.findall(r"\d{2,}", base)


def _without_units(text: str) -> str:
    return re.sub(r"(?<=\d)(?: ?°C| bpm| breaths/min| ?%| mmHg|/10(?!\d))", "", text)


GIVENS = [Given(name="body weight", value="72", unit="kg"), Given(name="supplemental oxygen", value="no")]


def test_givens_stand_below_the_records_in_the_words_of_the_representation() -> None:
    assert render_givens(GIVENS, "structured", "0").splitlines() == [
        "",
        "| given | value |",
        "|---|---|",
        "| body weight | 72 kg |",
        "| supplemental oxygen | no |",
    ]
    facts = "body weight: 72 kg; supplemental oxygen: no."
    assert render_givens(GIVENS, "templated", "0") == f"Throughout these records: {facts}"
    notes = {render_givens(GIVENS, "note", str(seed)) for seed in range(30)}
    assert notes == {f"{opening}: {facts}" for opening in ("Throughout these records", "Throughout")}
    records = records_of(3)
    for name in REPRESENTATIONS:
        assert render_givens([], name, "0") == ""
        below = render_context(records, GIVENS, name, "0").removeprefix(render_records(records, name, "0"))
        assert below == "\n" + render_givens(GIVENS, name, "0")
    assert Style() == BASE
