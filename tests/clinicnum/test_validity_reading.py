"""What the V1 reader reads: every form of the grammar, to the same values; and that it shares no code."""

import ast
import importlib.util
from decimal import Decimal
from pathlib import Path

import pytest

from clinicnum.validity.context_reader import Reading, UnreadableError, read
from clinicnum.validity.reading.vital_names import PRESSURES, SPOKEN, vital_of

TIME = "2180-05-10 06:27:00"
VALUES = {
    "temperature_c": Decimal("38.2"),
    "heart_rate_bpm": Decimal(88),
    "resp_rate_bpm": Decimal(18),
    "spo2_pct": Decimal(97),
    "sbp_mmhg": Decimal(120),
    "dbp_mmhg": Decimal(80),
    "pain": None,
}
PHRASE = "T 38.2 °C, HR 88 bpm, RR 18 breaths/min, SpO2 97 %, BP 120/80 mmHg, no pain score documented."
WHOLE = (
    "temperature was 38.2 °C, heart rate was 88 bpm, respiratory rate was 18 breaths/min, SpO2 was 97 %, "
    "systolic pressure was 120 mmHg, diastolic pressure was 80 mmHg and pain was not documented."
)
TABLE = (
    "| time | temperature (°C) | heart rate (bpm) | respiratory rate (breaths/min) | SpO2 (%) "
    "| systolic pressure (mmHg) | diastolic pressure (mmHg) | pain (/10) |\n"
    "|---|---|---|---|---|---|---|---|\n| 2180-05-10 06:27:00 | 38.2 | 88 | 18 | 97 | 120 | 80 | - |"
)
DELIMITED = (
    "time;temperature (°C);heart rate (bpm);respiratory rate (breaths/min);SpO2 (%);systolic pressure (mmHg);"
    "diastolic pressure (mmHg);pain (/10)\n2180-05-10 06:27:00;38.2;88;18;97;120;80;-"
)
FORMS = {
    "a table": TABLE,
    "a table after a sentence": "Vital signs of one patient; a dash means not documented.\n" + TABLE,
    "semicolons": DELIMITED,
    "semicolons and blanks": DELIMITED.replace(";", "; "),
    "commas": DELIMITED.replace(";", ","),
    "commas and blanks": DELIMITED.replace(";", ", "),
    "tabs after a sentence": "Vital signs of one patient.\n" + DELIMITED.replace(";", "\t"),
    "abbreviated heads": (
        "time,T (°C),HR (bpm),RR (breaths/min),O2 sat (%),SBP (mmHg),DBP (mmHg),pain score (/10)\n"
        "2180-05-10 06:27:00,38.2,88,18,97,120,80,-"
    ),
    "heads without units": "time\tT\tHR\tRR\tSpO2\tSBP\tDBP\tpain\n"
    "2180-05-10 06:27:00\t38.2\t88\t18\t97\t120\t80\t-",
    "columns in another order": (
        "| time | pain (/10) | SBP (mmHg) | DBP (mmHg) | T (°C) | HR (bpm) | SpO2 (%) | RR (breaths/min) |\n"
        "|---|---|---|---|---|---|---|---|\n| 2180-05-10 06:27:00 | - | 120 | 80 | 38.2 | 88 | 97 | 18 |"
    ),
    "a template's line": f"Vital signs of one patient.\nAt {TIME}, {WHOLE}",
    "a template with colons": f"At {TIME}, {WHOLE.replace(' was ', ': ')}",
    "a template with semicolons": f"At {TIME}; {WHOLE.replace(', ', '; ').replace(' and ', '; ')}",
    "a template with bars": f"At {TIME} | {WHOLE.replace(', ', ' | ').replace(' and ', ' | ')}",
    "a template with strokes": f"At {TIME} / {WHOLE.replace(', ', ' / ').replace(' and ', ' / ')}",
    "a note": f"ED nursing notes.\n{TIME} - {PHRASE}",
    "a note with semicolons": f"{TIME}: {PHRASE.replace(', ', '; ')}",
    "a note with strokes": f"[{TIME}] {PHRASE.replace(', ', ' / ')}",
    "a note with bars": f"Vitals at {TIME}: {PHRASE.replace(', ', ' | ')}",
    "a note with dashes": f"Obs {TIME}: {PHRASE.replace(', ', ' - ')}",
    "sentences": f"Charted at {TIME}. {PHRASE.replace(', ', '. ')}",
    "two lines": f"{TIME}: {PHRASE.replace(', SpO2', '.' + chr(10) + 'SpO2')}",
    "remarks": f"{TIME}: Family at bedside. {PHRASE.replace(', RR', '. Blood sent. RR')} Seen by the team.",
    "equals signs": f"{TIME}: {PHRASE.replace('T ', 'T = ').replace('HR ', 'HR=').replace('BP ', 'BP: ')}",
    "of": f"{TIME}: {PHRASE.replace('T 38', 'temperature of 38').replace('HR ', 'pulse of ')}",
    "without units": f"{TIME}: T 38.2, HR 88, RR 18, SpO2 97, BP 120/80, pain score not recorded.",
    "some without units": f"{TIME}: {PHRASE.replace(' bpm', '').replace(' °C', '')}",
    "both pressures apart": f"{TIME}: {PHRASE.replace('BP 120/80', 'systolic BP 120 mmHg, DBP 80')}",
    "sentence case": f"{TIME}: {PHRASE.replace('HR 88', 'Pulse 88').replace('no pain', 'No pain')}",
    "with a T": f"2180-05-10T06:27:00: {PHRASE}",
    "day first": f"10 May 2180 06:27:00: {PHRASE}",
    "day first and a comma": f"10 May 2180, 06:27:00: {PHRASE}",
    "day first, in brackets": f"[10 May 2180 06:27:00] {PHRASE}",
    "month first": f"At May 10, 2180 at 06:27:00: {PHRASE}",
    "month first, in brackets": f"[May 10, 2180 at 06:27:00] {PHRASE}",
    "time first": f"06:27:00 on 10 May 2180 - {PHRASE}",
    "without seconds": f"06:27 on 10 May 2180 - {PHRASE}",
    "no mark after the time": f"At {TIME} {PHRASE}",
    "a word after the time": f"{TIME} obs: {PHRASE}",
    "findings denied below": f"{TIME}: {PHRASE}\nNo cough. Denies chest pain.",
    "findings denied below a table": f"{TABLE}\nNo cough. Denies nausea.",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_the_same_record(text: str) -> None:
    assert read(text).rows == ((TIME, VALUES),)


def test_the_time_without_seconds_and_the_month_in_full() -> None:
    rows = read("7 September 2180 06:05: HR 88 bpm.\nSep 8, 2180 at 00:00: HR 89 bpm.").rows
    assert [time for time, _ in rows] == ["2180-09-07 06:05:00", "2180-09-08 00:00:00"]


@pytest.mark.parametrize(("vital", "names"), SPOKEN.items())
def test_every_name_and_its_capitals(vital: str, names: tuple[str, ...]) -> None:
    for name in names:
        assert {vital_of(name), vital_of(name[0].upper() + name[1:]), vital_of(name.upper())} == {vital}


def test_what_each_part_says() -> None:
    reading = read(
        f"{TIME}: HR 88 bpm, BP 120/80.\n"
        "Throughout these records: body weight: 72.5 kg; supplemental oxygen: no; consciousness: eyes open.\n"
        "Labs: Hb 12.1 g/dL, Na 138 mmol/L, WBC 11.2 x10^9/L, pH 7.41, Hct 38%.\n"
        "Medication given: paracetamol 1000 mg PO.\n"
        "Earlier visit (not this one), 2179-11-02 10:15:00: pulse 90 bpm, pain 3/10, no SpO2 documented.\n"
        "No cough. Denies nausea."
    )
    assert reading == Reading(
        rows=(
            (
                TIME,
                {"heart_rate_bpm": Decimal(88), "sbp_mmhg": Decimal(120), "dbp_mmhg": Decimal(80)},
            ),
        ),
        units={
            "dbp_mmhg": frozenset({""}),
            "heart_rate_bpm": frozenset({"bpm"}),
            "pain": frozenset({"/10"}),
            "sbp_mmhg": frozenset({""}),
        },
        givens=(
            ("body weight", "72.5", "kg"),
            ("supplemental oxygen", "no", None),
            ("consciousness", "eyes open", None),
        ),
        earlier=(
            (
                "2179-11-02 10:15:00",
                {"heart_rate_bpm": Decimal(90), "pain": Decimal(3), "spo2_pct": None},
            ),
        ),
        others=("Hb", "Na", "WBC", "pH", "Hct", "paracetamol"),
    )


@pytest.mark.parametrize("opening", ["Throughout these records", "Throughout", "Also charted", "Background"])
def test_givens_in_prose(opening: str) -> None:
    assert read(f"{TIME}: HR 88.\n{opening}: age: 67 years.").givens == (("age", "67", "years"),)


def test_givens_in_tables() -> None:
    expected = (("body weight", "72", "kg"), ("supplemental oxygen", "no", None))
    rows = "| body weight | 72 kg |\n| supplemental oxygen | no |"
    below = f"\n\n| given | value |\n|---|---|\n{rows}\nNo cough."
    assert read(TABLE + below).givens == expected
    assert read(DELIMITED + below).givens == expected
    below = "\n\ngiven;value\nbody weight;72 kg\nsupplemental oxygen;no\nLabs: Hb 12.1 g/dL."
    reading = read(DELIMITED + below)
    assert (reading.givens, reading.others) == (expected, ("Hb",))


SLIPS = {
    "swapped": "tepmerature 38.2 °C",
    "dropped": "temperture 38.2 °C",
    "doubled": "temperaature 38.2 °C",
    "in a capital": "Temperatrue 38.2 °C",
    "in two words": "haert rate 88 bpm",
    "in a pair": "blod pressure 120/80 mmHg",
    "in an absence": "no pian score documented",
    "in a synonym": "oxygen satruation 97 %",
}


@pytest.mark.parametrize("text", SLIPS.values(), ids=SLIPS.keys())
def test_one_slip_in_a_long_name(text: str) -> None:
    ((_, said),) = read(f"{TIME}: {text}.").rows
    assert said.items() <= VALUES.items()
    assert said


def test_a_slip_in_a_head() -> None:
    assert read(TABLE.replace("temperature", "temperatuer")).rows == ((TIME, VALUES),)


def test_every_slip_of_every_name_means_that_name_or_nothing() -> None:
    """All slips by brute force: swap, drop or double each letter of each long name."""
    meant = 0
    for vital, names in SPOKEN.items():
        for name in (n for n in names if sum(map(str.isalpha, n)) >= 8):
            for i in range(len(name) - 1):
                if not (name[i].isalpha() and name[i + 1].isalpha()):
                    continue
                for slip in (
                    name[:i] + name[i + 1] + name[i] + name[i + 2 :],
                    name[:i] + name[i + 1 :],
                    name[:i] + name[i] + name[i:],
                ):
                    assert vital_of(slip) in (vital, None), slip
                    meant += vital_of(slip) == vital
    assert meant > 400
    assert vital_of("blood presure") == PRESSURES


def imports_of(module: str, found: set[str]) -> set[str]:
    """Our modules that `module` loads, directly or not."""
    spec = importlib.util.find_spec(module)
    if not module.startswith("clinicnum.") or module in found or spec is None or spec.origin is None:
        return found
    found.add(module)
    for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                if name.startswith("clinicnum.") and _is_module(name):
                    imports_of(name, found)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                imports_of(alias.name, found)
    return found


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_reader_shares_no_module_with_the_renderers() -> None:
    reader = imports_of("clinicnum.validity.context_reader", set())
    renderers = imports_of("clinicnum.representations", set())
    assert len(reader) > 8
    assert "clinicnum.records.vitals" in renderers
    assert not reader & renderers
    assert all(
        name.startswith("clinicnum.validity.reading")
        for name in reader - {"clinicnum.validity.context_reader"}
    )


SCRAPS = ("", "\n", "|", "At ", ": ", "Vital signs of one patient.")
BROKEN = ("| time |", "time,", "time,\n", "| time |\nHR", "Labs: ", "Throughout: ")


@pytest.mark.parametrize("text", SCRAPS)
def test_scraps_say_nothing(text: str) -> None:
    assert read(text).rows == read(text, frame=True).rows == ()


@pytest.mark.parametrize("text", BROKEN)
def test_broken_tables_and_lines_are_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"\w"):
        read(text)
