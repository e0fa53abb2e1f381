"""Numbers in units: the asked one, a wrong name, another scale.

Converted by hand: 37.5 °C is 99.5 °F and 310.65 K. 280/3 mmHg x 0.133322387 is 12.4434 kPa. 0.7241 is 72.41 %.
70 kg / 0.45359237 is 154.32 lb. 40 mmHg is 5.3329 kPa.
"""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answering import instance
from tests.clinicnum.answers import CHANGE, COUNT, HR, INDEX, MAP, SHARE, TEMP, Row, elsewhere

WEIGHT = instance(answer="70.0", answer_exact="70", decimals=1, unit="kg")
MINUTES = instance(answer="90", answer_exact="90", decimals=0, unit="minutes")
GAS = instance(answer="5.3", answer_exact="5.33", decimals=1, unit="kPa")
DOSE = instance(answer="0.10", answer_exact="0.1", decimals=2, unit="mcg/kg/min")
FLOW = instance(answer="60", answer_exact="60", decimals=0, unit="mL/h")
POINTS = instance(answer="3", answer_exact="3", decimals=0, unit="points")
FAHRENHEIT = instance(answer="99.5", answer_exact="99.5", decimals=1, unit="°F")
SHARE_ELSEWHERE = elsewhere(answer="57.1", question="By what percentage does the heart rate exceed 70?")
INDEX_ELSEWHERE = elsewhere(answer="0.72", question="What is the shock index?")

ROWS: list[Row] = [
    ("the unit of temperature", TEMP, '{"answer": "37.5 °C"}', "correct", "37.5", True),
    ("the unit glued to the number", TEMP, "37.5C", "correct", "37.5", False),
    ("degrees written out", TEMP, "The answer is 37.5 degrees Celsius.", "correct", "37.5", False),
    ("degrees without a scale", TEMP, "The answer is 37.5 degrees.", "correct", "37.5", False),
    ("degrees in LaTeX", TEMP, r"\boxed{37.5^\circ\text{C}}", "correct", "37.5", False),
    ("the degree sign of one character", TEMP, '{"answer": "37.5 ℃"}', "correct", "37.5", False),
    ("a rate per minute", HR, '{"answer": "110/min"}', "correct", "110", True),
    ("a rate per minute in words", HR, "110 per minute", "correct", "110", False),
    ("the unit beside the answer", HR, '{"answer": 110, "unit": "bpm"}', "correct", "110", True),
    ("a wrong name beside the answer", HR, '{"answer": 110, "unit": "mmHg"}', "correct", "110", False),
    ("a unit nobody knows", HR, '{"answer": "110 mg/dL"}', "correct", "110", False),
    ("points", POINTS, '{"answer": "3 points"}', "correct", "3", True),
    ("minutes, abbreviated", MINUTES, '{"answer": "90 min"}', "correct", "90", True),
    ("millilitres an hour, spelt otherwise", FLOW, '{"answer": "60 ml/hr"}', "correct", "60", True),
    ("a percentage where one is asked", SHARE, '{"answer": "57.1%"}', "correct", "57.1", True),
    ("percent written out", SHARE, "57.1 percent", "correct", "57.1", False),
    ("a count has no unit", COUNT, '{"answer": "3 records"}', "correct", "3", False),
    # temperature
    ("the same number in °F is another value", TEMP, '{"answer": "37.5 °F"}', "incorrect", "37.5", False),
    ("the right value in °F", TEMP, '{"answer": "99.5 °F"}', "correct", "99.5", False),
    ("the right value in °F, with a zero more", TEMP, '{"answer": "99.50 °F"}', "correct", "99.50", False),
    ("a tenth of a degree Fahrenheit too much", TEMP, '{"answer": "99.6 °F"}', "incorrect", "99.6", False),
    ("a tenth of a degree Fahrenheit too little", TEMP, '{"answer": "99.4 °F"}', "incorrect", "99.4", False),
    ("°F beside the answer", TEMP, '{"answer": 99.5, "unit": "°F"}', "correct", "99.5", False),
    ("the same number with °F beside it", TEMP, '{"answer": 37.5, "unit": "°F"}', "incorrect", "37.5", False),
    ("°F within the answer", TEMP, '{"answer": {"value": 99.5, "unit": "F"}}', "correct", "99.5", False),
    ("°F in LaTeX", TEMP, r"\boxed{99.5^{\circ}\mathrm{F}}", "correct", "99.5", False),
    ("°F without a unit is no °C", TEMP, '{"answer": 99.5}', "incorrect", "99.5", False),
    ("kelvin", TEMP, "310.65 kelvin", "correct", "310.65", False),
    ("kelvin of one decimal, a tie", TEMP, "310.7 kelvin", "correct", "310.7", False),
    ("°C where °F is asked", FAHRENHEIT, '{"answer": "37.5 °C"}', "correct", "37.5", False),
    ("a wrong value in °C where °F is asked", FAHRENHEIT, '{"answer": "37.6 °C"}', "incorrect", "37.6", False),
    ("both scales, the asked one first", TEMP, "The temperature was 37.5 °C (99.5 °F).", "correct", "37.5", False),
    ("both scales, the asked one in brackets", TEMP, "It was 99.5 °F (37.5 °C).", "correct", "99.5", False),
    ("both scales that disagree", TEMP, "It was 37.5 °C (98.6 °F).", "unparsable", None, False),
    # pressure
    ("kPa for mmHg", MAP, '{"answer": "93.3 kPa"}', "incorrect", "93.3", False),
    ("the right value in kPa", MAP, '{"answer": "12.44 kPa"}', "correct", "12.44", False),
    ("the right value in kPa, a digit more", MAP, '{"answer": "12.443 kPa"}', "correct", "12.443", False),
    ("kPa of the rounded gold, with more digits than it has", MAP, '{"answer": "12.439 kPa"}', "incorrect", "12.439", False),
    ("kPa too coarse to tell", MAP, '{"answer": "12.4 kPa"}', "incorrect", "12.4", False),
    ("kPa, the last digit off", MAP, '{"answer": "12.45 kPa"}', "incorrect", "12.45", False),
    ("mmHg where kPa is asked", GAS, '{"answer": "40 mmHg"}', "correct", "40", False),
    ("the wrong mmHg where kPa is asked", GAS, '{"answer": "41 mmHg"}', "incorrect", "41", False),
    # ratios and percentages
    ("a percentage for a ratio", INDEX, '{"answer": "0.72 %"}', "incorrect", "0.72", False),
    ("the right percentage for a ratio", INDEX, '{"answer": "72 %"}', "correct", "72", False),
    ("the right percentage, a digit more", INDEX, '{"answer": "72.4%"}', "correct", "72.4", False),
    ("a percentage, the digit more is wrong", INDEX, '{"answer": "72.1%"}', "incorrect", "72.1", False),
    ("a percentage off by one", INDEX, '{"answer": "73%"}', "incorrect", "73", False),
    ("a ratio to one", INDEX, '{"answer": "0.72:1"}', "correct", "0.72", False),
    ("a change in per cent", CHANGE, '{"answer": "-25%"}', "correct", "-25", False),
    ("a change in per cent without its sign", CHANGE, '{"answer": "25%"}', "incorrect", "25", False),
    ("a fraction where per cent is asked", SHARE, "The answer is 0.571 as a fraction.", "correct", "0.571", False),
    ("a fraction of more digits", SHARE, "The answer is 0.5714 as a ratio.", "correct", "0.5714", False),
    ("a fraction too coarse", SHARE, "The answer is 0.57 as a fraction.", "incorrect", "0.57", False),
    ("a fraction that does not say so", SHARE, '{"answer": 0.571}', "incorrect", "0.571", False),
    ("per cent of a question elsewhere that asks for it", SHARE_ELSEWHERE, '{"answer": "57.1%"}', "correct", "57.1", True),
    ("a fraction of a question elsewhere that asks for per cent", SHARE_ELSEWHERE, "0.571 as a fraction", "correct", "0.571", False),
    ("per cent of a question elsewhere that does not", INDEX_ELSEWHERE, '{"answer": "72%"}', "correct", "72", False),
    # mass, time, flow, dose
    ("pounds for kilograms", WEIGHT, "154.3 lb", "correct", "154.3", False),
    ("pounds too coarse", WEIGHT, "154 lb", "incorrect", "154", False),
    ("grams for kilograms", WEIGHT, '{"answer": "70000 g"}', "correct", "70000", False),
    ("hours for minutes", MINUTES, "The answer is 1.5 hours.", "correct", "1.5", False),
    ("the wrong hours for minutes", MINUTES, '{"answer": "2 h"}', "incorrect", "2", False),
    ("seconds for minutes", MINUTES, '{"answer": "5400 seconds"}', "correct", "5400", False),
    ("millilitres a minute for an hour", FLOW, '{"answer": "1 mL/min"}', "correct", "1", False),
    ("litres an hour", FLOW, '{"answer": "0.06 L/h"}', "correct", "0.06", False),
    ("milligrams for micrograms", DOSE, '{"answer": "0.0001 mg/kg/min"}', "correct", "0.0001", False),
    ("the same number of milligrams", DOSE, '{"answer": "0.10 mg/kg/min"}', "incorrect", "0.10", False),
    ("an hour for a minute", DOSE, '{"answer": "6 mcg/kg/h"}', "correct", "6", False),
    ("a body surface within the unit", elsewhere(answer="8.1"), "The eGFR is 8.1 mL/min/1.73 m².", "correct", "8.1", False),
]  # fmt: skip
