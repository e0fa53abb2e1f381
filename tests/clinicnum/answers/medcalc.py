"""MedCalc-Bench's rule: limits for decimals, exactness for scores, dates, weeks and days."""
# ruff: noqa: E501 -- a row of the table is one line

from typing import Any

from clinicnum.types import Instance
from tests.clinicnum.answers import Row, elsewhere


def _calculated(answer: str, lower: str = "", upper: str = "", **changes: Any) -> Instance:
    """An item of MedCalc-Bench; where no limits are given, the answer is both, as in its file."""
    fields: dict[str, Any] = {"answer_type": "number", "question": "What is it?"}
    fields |= {"slots": {"Output Type": "decimal"}, "scoring": "medcalc"} | changes
    return elsewhere(answer=answer, lower=lower or answer, upper=upper or answer, **fields)


WHOLE = {"Output Type": "integer"}
CLEARANCE = _calculated("25.238", "23.9761", "26.4999")
GAP = _calculated("-1.25", "-1.3125", "-1.1875")
SODIUM = _calculated("0.247", "0.23465", "0.25935", question="Return the FENa as a percentage value.")
RATIO = _calculated("0.53", "0.5035", "0.5565")
SCORE = _calculated("4", slots=WHOLE)
WELLS = _calculated("-1", slots=WHOLE)
DUE = _calculated("09/23/2014", slots={"Output Type": "date"}, answer_type="datetime")
AGE = _calculated("('4 weeks', '3 days')", slots=WHOLE, answer_type="text")

ROWS: list[Row] = [
    ("a decimal within the limits", CLEARANCE, '{"answer": "25.2"}', "correct", "25.2", True),
    ("a whole number within the limits", CLEARANCE, '{"answer": 25}', "correct", "25", True),
    ("the lower limit", CLEARANCE, "23.9761", "correct", "23.9761", False),
    ("the upper limit", CLEARANCE, "26.4999", "correct", "26.4999", False),
    ("just below the limits", CLEARANCE, "23.97", "incorrect", "23.97", False),
    ("just above the limits", CLEARANCE, "26.5", "incorrect", "26.5", False),
    ("a decimal with its unit", CLEARANCE, '{"answer": "25.2 mL/min"}', "correct", "25.2", False),
    ("a decimal in a sentence", CLEARANCE, "The answer is 25.2 mL/min.", "correct", "25.2", False),
    ("a comma for the stop", CLEARANCE, "25,238", "incorrect", "25238", False),
    ("what the source's script stored for an error", CLEARANCE, "name 'N' is not defined", "unparsable", None, False),
    ("a negative decimal", GAP, '{"answer": -1.2}', "correct", "-1.2", True),
    ("a negative decimal without its sign", GAP, '{"answer": 1.2}', "incorrect", "1.2", False),
    ("per cent where it is asked", SODIUM, "0.247%", "correct", "0.247", False),
    ("per cent without its sign", SODIUM, "0.25", "correct", "0.25", False),
    ("per cent where it is not asked", RATIO, "53%", "correct", "53", False),
    ("a decimal where per cent is not asked", RATIO, "0.53", "correct", "0.53", False),
    ("a score", SCORE, '{"answer": "4"}', "correct", "4", True),
    ("a score with a decimal", SCORE, "4.0", "correct", "4.0", False),
    ("a score rounded down, as the source does", SCORE, "4.4", "correct", "4.4", False),
    ("a half rounds to even, down", SCORE, "4.5", "correct", "4.5", False),
    ("a half rounds to even, up", SCORE, "3.5", "correct", "3.5", False),
    ("a score that rounds to another", SCORE, "3.4", "incorrect", "3.4", False),
    ("one off", SCORE, "5", "incorrect", "5", False),
    ("a score out of its most", SCORE, '{"answer": "4 out of 9"}', "correct", "4", False),
    ("a score in points", SCORE, '{"answer": "4 points"}', "correct", "4", False),
    ("a score over its most is refused", SCORE, '{"answer": "4/9"}', "unparsable", None, False),
    ("a negative score", WELLS, '{"answer": "-1"}', "correct", "-1", True),
    ("a negative score without its sign", WELLS, '{"answer": "1"}', "incorrect", "1", False),
    ("the asked date", DUE, '{"answer": "09/23/2014"}', "correct", "09/23/2014", True),
    ("a date without its zero", DUE, '{"answer": "9/23/2014"}', "correct", "09/23/2014", False),
    ("a date by its month's name", DUE, "September 23, 2014", "correct", "09/23/2014", False),
    ("a date, year first", DUE, "2014-09-23", "correct", "09/23/2014", False),
    ("a date in a sentence", DUE, "The due date is 09/23/2014.", "correct", "09/23/2014", False),
    ("a day later", DUE, "09/24/2014", "incorrect", "09/24/2014", False),
    ("the day before the month", DUE, "23/09/2014", "unparsable", None, False),
    ("a year of two digits", DUE, "09/23/14", "unparsable", None, False),
    ("two dates", DUE, "From 12/17/2013 I get 09/23/2014.", "unparsable", None, False),
    ("two dates and a mark", DUE, "From 12/17/2013. The answer is 09/23/2014", "correct", "09/23/2014", False),
    ("no date", DUE, "next September", "unparsable", None, False),
    ("the asked weeks and days", AGE, '{"answer": "(4 weeks, 3 days)"}', "correct", "(4 weeks, 3 days)", True),
    ("a tuple of texts", AGE, "('4 weeks', '3 days')", "correct", "(4 weeks, 3 days)", False),
    ("a list of texts", AGE, '{"answer": ["4 weeks", "3 days"]}', "correct", "(4 weeks, 3 days)", False),
    ("a bare tuple in JSON", AGE, '{"answer": (4 weeks, 3 days)}', "correct", "(4 weeks, 3 days)", False),
    ("a tuple of numbers", AGE, "(4, 3)", "correct", "(4 weeks, 3 days)", False),
    ("weeks and days in words", AGE, "The answer is 4 weeks and 3 days.", "correct", "(4 weeks, 3 days)", False),
    ("weeks and days in short", AGE, "4w3d", "correct", "(4 weeks, 3 days)", False),
    ("weeks plus days", AGE, "4+3", "correct", "(4 weeks, 3 days)", False),
    ("days alone", AGE, "31 days", "correct", "(4 weeks, 3 days)", False),
    ("weeks alone", AGE, "4 weeks", "incorrect", "(4 weeks, 0 days)", False),
    ("a day more", AGE, "4 weeks, 4 days", "incorrect", "(4 weeks, 4 days)", False),
    ("weeks with a decimal", AGE, "4.4 weeks", "unparsable", None, False),
    ("what the source's script stored for another error", AGE, "cannot access local variable 'ground_truth'", "unparsable", None, False),
    ("a refusal", CLEARANCE, "It cannot be calculated from this note.", "abstained", None, False),
    ("an empty answer", CLEARANCE, "", "empty", None, False),
]  # fmt: skip
