"""Counts beside thresholds, lists and steps; numbers that count nothing."""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answers import CHANGE, COUNT, HR, NONE, ONE, TEMP, Row

ROWS: list[Row] = [
    # numbers that count nothing
    ("one line of JSON", ONE, "End with one line of JSON.", "unparsable", None, False),
    ("one JSON line after the phrase", ONE, "The final answer is in one JSON line:", "unparsable", None, False),
    ("one line of JSON in JSON", ONE, '{"answer": "one line of JSON"}', "unparsable", None, False),
    ("one decimal after the phrase", ONE, "Answer: one decimal", "unparsable", None, False),
    ("rounded to one decimal", ONE, "Answer with a number in °C, rounded to one decimal.", "unparsable", None, False),
    ("rounded to 1 decimal", ONE, "Answer with a number, rounded to 1 decimal.", "unparsable", None, False),
    ("one more piece", ONE, "I need one more piece of text.", "unparsable", None, False),
    ("one as a subject", ONE, "One should check each record for tachycardia.", "unparsable", None, False),
    ("no one", ONE, "No one answered.", "unparsable", None, False),
    ("one third", ONE, "One third.", "unparsable", None, False),
    ("the number of a list", ONE, "1. First read all records.", "unparsable", None, False),
    ("the number of a list with a bracket", ONE, "1)", "unparsable", None, False),
    ("the number of a step", ONE, "Step 1: look at the records.", "unparsable", None, False),
    ("the number of a question", ONE, "Question 1:", "unparsable", None, False),
    ("list numbers beside the only value", HR, "1. Look at record 2.\n2. The heart rate was 110 bpm.", "correct", "110", False),
    ("a whole answer with a stop is no list", ONE, "1.", "correct", "1", False),
    ("a number in brackets is no list", ONE, "(1)", "correct", "1", False),
    ("the only words after the phrase", ONE, "The answer is one.", "correct", "1", False),
    ("words before records", ONE, "Only one record shows it.", "correct", "1", False),
    ("words before another counted thing", ONE, "There was one episode of tachycardia out of three records.", "correct", "1", False),
    ("a range of words before records", COUNT, "I see two to three records.", "unparsable", None, False),
    ("a bound in words before records", COUNT, "I see at least three records.", "unparsable", None, False),
    ("words and then the time", TEMP, "It was thirty-seven point five at 09:12:30.", "correct", "37.5", False),
    ("words of several parts before anything", HR, "The heart rate was one hundred and ten in that record.", "correct", "110", False),
    # bullets
    ("a bullet before a value", TEMP, "- 37.5 °C", "correct", "37.5", False),
    ("a dash before a value", TEMP, "Temperature - 37.5 °C", "correct", "37.5", False),
    ("a colon and a dash before a value", TEMP, "The temperature: - 37.5", "correct", "37.5", False),
    ("answer and a dash", TEMP, "Answer - 37.5", "correct", "37.5", False),
    ("a bullet below the phrase", TEMP, "Answer:\n- 37.5", "correct", "37.5", False),
    ("a bullet before a count", ONE, "- 1", "correct", "1", False),
    ("a bullet is no minus", CHANGE, "- 0.25", "incorrect", "0.25", False),
    ("in JSON, where no bullets stand, it is", CHANGE, '{"answer": "- 0.25"}', "correct", "-0.25", False),
    ("in a box as well", CHANGE, r"\boxed{- 0.25}", "correct", "-0.25", False),
    # counts beside thresholds
    ("a threshold with its unit before the count", ONE, "The heart rate above 100 bpm (tachycardia) is recorded in 1 records.", "correct", "1", False),
    ("a count in words before the threshold", ONE, "In one of the records the heart rate was above 100 bpm.", "correct", "1", False),
    ("a threshold in a marked answer", ONE, "Answer: The heart rate was above 100 bpm in 1 record.", "correct", "1", False),
    ("a threshold, then a count in words", ONE, "The answer is that the heart rate was above 100 bpm in one record.", "correct", "1", False),
    ("a threshold, a count and a total", ONE, "The heart rate was above 100 bpm in 1 of 3 records.", "correct", "1", False),
    ("the values, then the count", ONE, "The values are 88, 110 and 50, so it was high in 1 record.", "correct", "1", False),
    ("a total before the values is not the count", COUNT, "The 3 records have 88, 110 and 50.", "unparsable", None, False),
    ("all records", COUNT, "In all 3 records the heart rate was above 40 bpm.", "correct", "3", False),
    ("a range before records", COUNT, "Above 100 bpm in 1 to 3 records.", "unparsable", None, False),
    ("a range beside a threshold", COUNT, "It was above 100 bpm in 1-3 records.", "unparsable", None, False),
    ("a bounded count", COUNT, "Above 100 bpm in at least 3 records.", "unparsable", None, False),
    # a count of nothing
    ("no record above it", NONE, "No record was above 100 mmHg.", "correct", "0", False),
    ("no record above it in JSON", NONE, '{"answer": "no record was above 100"}', "correct", "0", False),
    ("zero, and no record above it", NONE, "The answer is zero: no record was above 100.", "correct", "0", False),
    ("there is no record of one above it", NONE, "There is no record of a MAP above 100.", "correct", "0", False),
    ("no record above it, where there is one", ONE, "No record was above 100 bpm.", "incorrect", "0", False),
    ("no records to count in", NONE, "No record is available to count values above 100.", "abstained", None, False),
    ("no record of a value is no zero where none is counted", HR, "There is no record of a heart rate above 100.", "abstained", None, False),
    # directions in words
    ("a magnitude and a direction in words", CHANGE, '{"answer": "a decrease of 0.25"}', "incorrect", "0.25", False),
]  # fmt: skip
