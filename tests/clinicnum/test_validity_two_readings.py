"""Texts that could be read in two ways, or say more than they should: each is refused, with its rule."""

import pytest

from clinicnum.validity.context_reader import UnreadableError, read

TIME = "2150-01-01 10:00:00"
AT = f"At {TIME}: "
HEAD = "| time | heart rate (bpm) | SpO2 (%) |\n|---|---|---|\n"
ROW = f"| {TIME} | 80 | 98 |"

V1 = {
    "a number without a meaning": AT + "HR 80 bpm. Given 500 mg.",
    "a pressure of three numbers": AT + "BP 120/80/60 mmHg.",
    "a pressure of one number": AT + "BP 120 mmHg.",
    "a pair without a name": AT + "120/80.",
    "a pair with a unit and no name": AT + "HR 80 bpm, 120/80 mmHg.",
    "two numbers for a rate": AT + "HR 80/90 bpm.",
    "a range": AT + "HR 80-90 bpm.",
    "a range of two phrases": AT + "HR 80 - 90 bpm.",
    "about": AT + "HR ~80 bpm.",
    "a bound": AT + "HR >80 bpm.",
    "two full stops": AT + "HR 80 bpm..",
    "a doubt": AT + "HR 80 bpm?",
    "a decimal comma": AT + "T 38,2 °C.",
    "a thousands separator": AT + "HR 1,080 bpm.",
    "a sign": AT + "HR -80 bpm.",
    "a leading zero": AT + "HR 080 bpm.",
    "an exponent": AT + "HR 8e1 bpm.",
    "digits of another script": AT + "HR ٨٠ bpm.",
    "a fraction sign": AT + "T 38½ °C.",
    "a number in words": AT + "pulse eighty.",
    "a number in a remark": AT + "HR 80 bpm. In bed 4.",
    "pulse and heart rate at one time": AT + "pulse 88 bpm, HR 90 bpm.",
    "pulse and heart rate alike": AT + "pulse 88 bpm, HR 88 bpm.",
    "a pair and a systolic pressure": AT + "BP 120/80 mmHg, SBP 120 mmHg.",
    "a value and its absence": AT + "HR 88 bpm, HR not recorded.",
    "a value in two units": AT + "T 38.2 °C (100.8 °F).",
    "a value of the second line again": AT + "HR 88 bpm.\nHR 90 bpm.",
    "a value before any time": "HR 80 bpm. " + AT + "HR 80 bpm.",
    "a line of values before any time": "HR 80 bpm.\n" + AT + "RR 18 breaths/min.",
    "a value after the labs": AT + "HR 80 bpm.\nLabs: Na 138 mmol/L.\nRR 18 breaths/min.",
    "an unknown name": AT + "GCS 15.",
    "a name that is not quite one": AT + "PR 80 bpm.",
    "a name and more": AT + "apical HR 80 bpm.",
    "a derived quantity": AT + "MAP 93 mmHg.",
    "a rate without its number": AT + "HR as before.",
    "a name in a remark": AT + "RR 18 breaths/min. Pulse felt by the nurse.",
    "two slips in a name": AT + "tmeperatrue 38.2 °C.",
    "a slip in a short name": AT + "pusle 80 bpm.",
    "a slip that could be another's": AT + "tolic pressure 80 mmHg.",
    "a time of day alone": "10:00:00: HR 80 bpm.",
    "a date alone": "2150-01-01: HR 80 bpm.",
    "day first or month first": "05/10/2180 06:27:00: HR 80 bpm.",
    "dots in a date": "05.10.2180 06:27:00: HR 80 bpm.",
    "a year of two digits": "10 May 80 06:27:00: HR 80 bpm.",
    "a day that does not exist": "2150-02-30 10:00:00: HR 80 bpm.",
    "an hour that does not exist": "2150-01-01 25:00:00: HR 80 bpm.",
    "a month that does not exist": "10 Mai 2180 06:27:00: HR 80 bpm.",
    "after noon": "2150-01-01 10:00:00 pm: HR 80 bpm.",
    "after noon, set off": "2150-01-01 10:00:00, pm, HR 80 bpm.",
    "before noon in one word": "2150-01-01 10:00:00am: HR 80 bpm.",
    "a time zone": "2150-01-01 10:00:00Z: HR 80 bpm.",
    "an offset": "2150-01-01 10:00:00+01:00: HR 80 bpm.",
    "a fraction of a second": "2150-01-01 10:00:00.5: HR 80 bpm.",
    "words after a time": "2150-01-01 10:00:00 or so HR 80 bpm.",
    "an hour later": AT + "HR 80 bpm. An hour later, RR 18 breaths/min.",
    "ten minutes later": AT + "HR 80 bpm. 10 minutes later RR 18 breaths/min.",
    "before the time": f"Before {TIME}: HR 80 bpm.",
    "another time of day": AT + "HR 80 bpm.\nEvening round\nRR 18 breaths/min.",
    "a unit in a remark": AT + "Pressures in kPa. BP 120/80.",
    "a unit before the table": "Temperatures in Fahrenheit.\n" + HEAD + ROW,
    "somebody else": f"Mother's vitals at {TIME}: HR 80 bpm.",
    "a target": AT + "Target: HR 80 bpm.",
    "a target, set off": AT + "Goal, HR 80 bpm.",
    "a correction": AT + "HR 80 bpm, corrected, RR 18 breaths/min.",
    "a value taken back": AT + "HR 80 bpm, not recorded.",
    "a value denied": AT + "HR 80 bpm, not.",
    "a value doubted": AT + "HR 80 bpm, artefact.",
    "no value": AT + "no HR 80 bpm.",
    "not this value": AT + "HR was not 80 bpm.",
    "or that value": AT + "HR 80 bpm, or 90 bpm.",
    "another patient": AT + "Another patient, HR 80 bpm.",
    "seconds left out beside seconds": "2150-01-01 10:00: HR 80 bpm.\n2150-01-01 11:00:05: HR 81 bpm.",
    "a number before the table": "Bed 4\n" + HEAD + ROW,
    "a column of another quantity": HEAD.replace("SpO2 (%)", "height (cm)") + ROW,
    "a column of a derived quantity": HEAD.replace("SpO2 (%)", "MAP (mmHg)") + ROW,
    "a column headed oddly": HEAD.replace("SpO2 (%)", "SpO2 in %") + ROW,
    "a column headed with a number": HEAD.replace("SpO2 (%)", "SpO2 (%) 2") + ROW,
    "a column of both pressures": HEAD.replace("SpO2 (%)", "BP (mmHg)") + ROW,
    "a column twice": HEAD.replace("SpO2 (%)", "HR (bpm)") + ROW,
    "a column without a head": HEAD.replace("SpO2 (%)", "") + ROW,
    "an extra cell": HEAD + ROW + " 97 |",
    "a cell short": HEAD + f"| {TIME} | 80 |",
    "an empty cell": HEAD + f"| {TIME} | 80 |  |",
    "a cell of two numbers": HEAD + f"| {TIME} | 80 90 | 98 |",
    "a unit in the head and in the cell": HEAD + f"| {TIME} | 80 bpm | 98 |",
    "a cell in words": HEAD + f"| {TIME} | fast | 98 |",
    "a time short of seconds in a table": HEAD + "| 2150-01-01 10:00 | 80 | 98 |",
    "a table without its rule": HEAD.replace("|---|---|---|\n", "") + ROW,
    "a rule of another width": HEAD.replace("|---|---|---|", "|---|---|") + ROW,
    "values after the table": HEAD + ROW + "\nHR 90",
    "an extra cell behind a semicolon": f"time;HR;SpO2\n{TIME};80;98;97",
    "a comma in a cell behind a comma": f"time,HR,temperature\n{TIME},80,38,2",
    "another delimiter in a row": f"time;HR;SpO2\n{TIME},80,98",
    "a lab value without a unit": AT + "HR 80 bpm.\nLabs: Hb 12.1.",
    "a lab value of two numbers": AT + "HR 80 bpm.\nLabs: Na 138 140 mmol/L.",
    "a lab value with a remark": AT + "HR 80 bpm.\nLabs: Na 138 mmol/L pulse.",
    "a given twice": AT + "HR 80 bpm.\nThroughout: body weight: 72 kg; body weight: 73 kg.",
    "a given without a label": AT + "HR 80 bpm.\nThroughout: 72 kg.",
    "an earlier visit without a time": AT + "HR 80 bpm.\nEarlier visit (not this one), last year: HR 88 bpm.",
    "an earlier visit with two values": AT
    + "HR 80 bpm.\nEarlier visit (not this one), 2149-01-01 10:00:00: HR 88 bpm, pulse 89 bpm.",
}
V5 = {
    "Fahrenheit called Celsius": AT + "temperature 98.6 °C.",
    "Celsius called Fahrenheit": AT + "temperature 37.0 °F.",
    "Fahrenheit": AT + "temperature 98.6 °F.",
    "Fahrenheit without a unit": AT + "temperature 98.6.",
    "a fraction without a unit": AT + "SpO2 0.95.",
    "a fraction called percent": AT + "SpO2 0.95 %.",
    "kilopascals without a unit": AT + "BP 16/11.",
    "kilopascals": AT + "BP 16/11 kPa.",
    "kilopascals called millimetres": AT + "BP 16/11 mmHg.",
    "a diastolic pressure that may be either": AT + "DBP 20.",
    "a mixed pair": AT + "BP 120/10.",
    "another vital's unit": AT + "HR 80 mmHg.",
    "breaths for beats": AT + "HR 80 breaths/min.",
    "another vital's unit in a head": HEAD.replace("(bpm)", "(mmHg)") + ROW,
    "Fahrenheit in a column": f"| time | temperature (°C) |\n|---|---|\n| {TIME} | 98.6 |",
    "a fraction in a column": f"time\tSpO2\n{TIME}\t0.95",
}
V8_STATE = {
    word: f"{AT}HR 80 bpm. {word}."
    for word in (
        "Afebrile",
        "Remains febrile",
        "Not febrile",
        "No fever",
        "Denies fevers",
        "Fever-free",
        "Tachycardic",
        "Not tachycardic",
        "Bradycardia resolved",
        "Tachypneic",
        "No tachypnoea",
        "Apnoeic",
        "Hypotensive",
        "Never hypotensive",
        "Normotensive",
        "Hypertensive",
        "Hypoxic on air",
        "No hypoxia",
        "Hypoxemic",
        "Desaturating",
        "Saturating well",
        "Hypothermic",
        "Pyrexial",
        "Vitals stable",
        "Vital signs within normal limits",
        "Vitals not normal",
        "VSS",
        "Haemodynamically stable",
        "Unstable",
        "Obs normal",
        "Blood pressure low",
        "Low blood pressure",
        "Elevated temperature",
        "Heart rate is very fast",
        "Pain free",
        "No pain",
        "Denies pain",
        "Severe pain",
        "Septic shock",
    )
}
V8_OTHER = {
    "a lab value that is a vital": AT + "HR 80 bpm.\nLabs: SpO2 95 %.",
    "a lab value with a slip in a vital's name": AT + "HR 80 bpm.\nLabs: temperture 38.2 °C.",
    "a lab value named like a vital": AT + "HR 80 bpm.\nLabs: T 38.2 mmol/L.",
    "an arterial saturation among the labs": AT + "HR 80 bpm.\nLabs: SaO2 95 %.",
    "a vital's unit among the labs": AT + "HR 80 bpm.\nLabs: monitor 88 bpm.",
    "a given that is a vital": AT + "HR 80 bpm.\nThroughout: heart rate: 90 bpm.",
    "a given of a vital at another time": AT + "HR 80 bpm.\nThroughout: usual heart rate: 60 bpm.",
    "a given that is computed from vitals": AT + "HR 80 bpm.\nThroughout: pulse pressure: 40 mmHg.",
}
OTHER_RULES = {
    "a time twice": (AT + "HR 80 bpm.\n" + AT + "RR 18 breaths/min.", "V2.time_not_unique"),
    "a time twice in two forms": (
        AT + "HR 80 bpm.\n1 January 2150 10:00:00: RR 18 breaths/min.",
        "V2.time_not_unique",
    ),
    "a row twice": (HEAD + ROW + "\n" + ROW, "V2.time_not_unique"),
    "an earlier visit that is later": (
        AT + "HR 80 bpm.\nEarlier visit (not this one), 2151-01-01 10:00:00: HR 88 bpm.",
        "V8.earlier_visit",
    ),
    "a state among the givens": (AT + "HR 80 bpm.\nThroughout: fever: no.", "V8.state_word"),
    "a state before the table": ("An afebrile patient.\n" + HEAD + ROW, "V8.state_word"),
    "a state below the table": (HEAD + ROW + "\nNo fever.", "V8.state_word"),
}


def rule_of(text: str, *, frame: bool = False) -> str:
    with pytest.raises(UnreadableError) as caught:
        read(text, frame=frame)
    assert str(caught.value)
    return caught.value.rule


@pytest.mark.parametrize("text", V1.values(), ids=V1.keys())
def test_what_has_no_sole_reading(text: str) -> None:
    assert rule_of(text) == "V1.unreadable"


@pytest.mark.parametrize("text", V5.values(), ids=V5.keys())
def test_what_is_in_another_unit(text: str) -> None:
    assert rule_of(text) == "V5.unit"


@pytest.mark.parametrize("text", V8_STATE.values(), ids=V8_STATE.keys())
def test_words_that_imply_a_state(text: str) -> None:
    assert rule_of(text) == "V8.state_word"


@pytest.mark.parametrize("text", V8_OTHER.values(), ids=V8_OTHER.keys())
def test_another_value_of_a_vital(text: str) -> None:
    assert rule_of(text) == "V8.other_value"


@pytest.mark.parametrize(("text", "rule"), OTHER_RULES.values(), ids=OTHER_RULES.keys())
def test_other_rules(text: str, rule: str) -> None:
    assert rule_of(text) == rule
