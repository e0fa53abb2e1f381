"""Numbers in units, asked and other."""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answers import INDEX, MAP, SHARE, TEMP, Row

ROWS: list[Row] = [
    # units
    ("the unit of temperature", TEMP, '{"answer": "37.5 °C"}', "correct", "37.5", True),
    ("the unit glued to the number", TEMP, "37.5C", "correct", "37.5", False),
    ("degrees written out", TEMP, "The answer is 37.5 degrees Celsius.", "correct", "37.5", False),
    ("the same number in °F is another value", TEMP, '{"answer": "37.5 °F"}', "incorrect", "37.5", False),
    ("a right value in °F is not converted here", TEMP, '{"answer": "99.5 °F"}', "incorrect", "99.5", False),
    ("kPa for mmHg", MAP, '{"answer": "93.3 kPa"}', "incorrect", "93.3", False),
    ("a percentage for a ratio", INDEX, '{"answer": "0.72 %"}', "incorrect", "0.72", False),
    ("a percentage where one is asked", SHARE, '{"answer": "57.1%"}', "correct", "57.1", True),
    ("percent written out", SHARE, "57.1 percent", "correct", "57.1", False),
]  # fmt: skip
