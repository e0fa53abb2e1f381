"""What counts as right, line by line. Each row: what is shown, the gold, the text, status, strict.

The golds: `HR` 110 bpm; `TEMP` 37.5 °C; `INDEX` 0.72 of exactly 0.7241 (no unit); `MAP` 93.3 mmHg of exactly
280/3 = 93.333...; `CHANGE` -0.25; `COUNT` 3; `ONE` 1; `NONE` 0; `TIME` 2180-05-10 09:12:30, with records at 06:27:00 and 09:12:30
of that day and 18:05:00 of the next; `NOTHING` has no answer.
"""
# ruff: noqa: E501 -- a row of the table is one line

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinicnum.errors import InputError
from clinicnum.scoring import score
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance

HR = instance()
TEMP = instance(answer="37.5", answer_exact="37.5", decimals=1, unit="°C")
INDEX = instance(answer="0.72", answer_exact="0.7241", decimals=2, unit=None)
MAP = instance(answer="93.3", answer_exact="280/3", decimals=1, unit="mmHg")
CHANGE = instance(answer="-0.25", answer_exact="-0.25", decimals=2, unit=None)
SHARE = instance(answer="57.1", answer_exact="400/7", decimals=1, unit="%")
BIG = instance(answer="1200", answer_exact="1200", decimals=0, unit=None)
COUNT = instance(answer="3", answer_exact="3", answer_type="count", decimals=0, unit=None)
ONE = instance(answer="1", answer_exact="1", answer_type="count", decimals=0, unit=None)
NONE = instance(answer="0", answer_exact="0", answer_type="count", decimals=0, unit=None)
TIME = instance(
    answer="2180-05-10 09:12:30", answer_exact=None, answer_type="datetime", decimals=None, unit=None
)
NOTHING = instance(answer=None, answer_exact=None, answer_type="unanswerable", decimals=None, unit=None)

Row = tuple[str, Instance, str, str, bool]
ROWS: list[Row] = [
    # JSON, the asked form
    ("the asked JSON", HR, '{"answer": 110}', "correct", True),
    ("JSON without a blank keeps every digit", HR, '{"answer":110}', "correct", True),
    ("fifty is fifty and not five", instance(answer="50"), '{"answer":50}', "correct", True),
    ("a gold of 5 is not met by 50", instance(answer="5"), '{"answer":50}', "incorrect", False),
    ("JSON after reasoning", HR, 'HR was 88, then 110.\n{"answer": 110}', "correct", True),
    ("JSON before more prose", HR, '{"answer": 110} is what the record of 09:12:30 says.', "correct", True),
    ("JSON in a fence", HR, '```json\n{"answer": 110}\n```', "correct", True),
    ("JSON over several lines", HR, '{\n  "reasoning": "second record",\n  "answer": 110\n}', "correct", True),
    ("the last of several objects counts", HR, '{"answer": 88}\nNo: {"answer": 110}', "correct", True),
    ("the last of several objects counts, also if wrong", HR, '{"answer": 110} {"answer": 88}', "incorrect", False),
    ("an object without answer is passed over", HR, '{"answer": 110} {"note": 88}', "correct", True),
    ("an object whose braces stand in a string", HR, '{"note": "a } b {", "answer": 110}', "correct", True),
    ("a quoted number", HR, '{"answer": "110"}', "correct", True),
    ("a quoted number with the asked unit", HR, '{"answer": "110 bpm"}', "correct", True),
    ("the asked unit in other words", HR, '{"answer": "110 beats per minute"}', "correct", True),
    ("a unit that merely has the wrong name", HR, '{"answer": "110 mmHg"}', "correct", False),
    ("a longer sentence in the JSON", HR, '{"answer": "110 bpm at 09:12:30"}', "correct", False),
    ("the value nested with its unit", HR, '{"answer": {"value": 110, "unit": "bpm"}}', "correct", False),
    ("answer inside another object", HR, '{"result": {"answer": 110}}', "correct", False),
    ("final_answer instead of answer", HR, '{"final_answer": 110}', "correct", False),
    ("a capital Answer", HR, '{"Answer": 110}', "correct", False),
    ("a list of one", HR, '{"answer": [110]}', "correct", False),
    ("a list of two", HR, '{"answer": [110, 88]}', "unparsable", False),
    ("a boolean", HR, '{"answer": true}', "unparsable", False),
    ("single quotes", HR, "{'answer': 110}", "correct", False),
    ("no quotes at the key", HR, "{answer: 110}", "correct", False),
    ("a missing closing brace", HR, '{"answer": 110', "correct", False),
    ("a missing closing quote", HR, '{"answer": "110 bpm', "correct", False),
    ("a trailing comma", HR, '{"answer": 110,}', "correct", False),
    ("a later malformed object counts", HR, '{"answer": 88} or rather {\'answer\': 110}', "correct", False),
    ("the instruction repeated after the answer", HR, '{"answer": 110}\nEnd with {"answer": ...}', "correct", True),
    ("a placeholder in quotes is no answer", HR, '{"answer": 110}\n{"answer": "<number>"}', "correct", True),
    ("JSON that holds a range binds", HR, '110\n{"answer": "110-120"}', "unparsable", False),
    ("an empty string", HR, '{"answer": ""}', "unparsable", False),
    ("NaN is no number", HR, '{"answer": NaN}', "unparsable", False),
    # decimals and rounding
    ("the asked decimals", MAP, '{"answer": 93.3}', "correct", True),
    ("one digit more, rightly rounded", MAP, '{"answer": 93.33}', "correct", False),
    ("many digits more, rightly rounded", MAP, '{"answer": 93.333333333}', "correct", False),
    ("more digits, wrongly rounded", MAP, '{"answer": 93.34}', "incorrect", False),
    ("more digits, cut where they should round up", SHARE, '{"answer": 57.142}', "incorrect", False),
    ("one digit too few", MAP, '{"answer": 93}', "incorrect", False),
    ("one digit more on an inexact gold", INDEX, '{"answer": 0.724}', "correct", False),
    ("all digits of an inexact gold", INDEX, '{"answer": 0.7241}', "correct", False),
    ("zeros that claim digits which are not there", INDEX, '{"answer": 0.7200}', "correct", False),
    ("a digit that is off", INDEX, '{"answer": 0.725}', "incorrect", False),
    ("the gold with a trailing zero", TEMP, '{"answer": 37.50}', "correct", False),
    ("a whole number with decimals", HR, '{"answer": 110.0}', "correct", False),
    ("a decimal gold without its zero", instance(answer="37.0", decimals=1), '{"answer": 37}', "correct", False),
    ("a leading dot", INDEX, '{"answer": ".72"}', "correct", False),
    ("a tie in the next digit, up", instance(answer="0.2", answer_exact="0.1625", decimals=1), "0.163", "correct", False),
    ("a tie in the next digit, down", instance(answer="0.2", answer_exact="0.1625", decimals=1), "0.162", "correct", False),
    ("neither side of that tie", instance(answer="0.2", answer_exact="0.1625", decimals=1), "0.164", "incorrect", False),
    ("without an exact gold more digits cannot be right", instance(answer_exact=None), "110.2", "incorrect", False),
    ("an exponent", BIG, '{"answer": 1.2e3}', "correct", False),
    ("a huge exponent", HR, '{"answer": 1e999999999}', "unparsable", False),
    ("a number of a thousand digits", HR, f'{{"answer": {"1" * 1000}}}', "unparsable", False),
    # signs
    ("a negative number", CHANGE, '{"answer": -0.25}', "correct", True),
    ("the sign matters", CHANGE, '{"answer": 0.25}', "incorrect", False),
    ("a typographic minus", CHANGE, '{"answer": "−0.25"}', "correct", False),
    ("a plus sign", HR, '{"answer": "+110"}', "correct", False),
    ("minus in words", CHANGE, "The answer is minus zero point two five.", "correct", False),
    # units
    ("the unit of temperature", TEMP, '{"answer": "37.5 °C"}', "correct", True),
    ("the unit glued to the number", TEMP, "37.5C", "correct", False),
    ("degrees written out", TEMP, "The answer is 37.5 degrees Celsius.", "correct", False),
    ("the same number in °F is another value", TEMP, '{"answer": "37.5 °F"}', "incorrect", False),
    ("a right value in °F is not converted here", TEMP, '{"answer": "99.5 °F"}', "incorrect", False),
    ("kPa for mmHg", MAP, '{"answer": "93.3 kPa"}', "incorrect", False),
    ("a percentage for a ratio", INDEX, '{"answer": "0.72 %"}', "incorrect", False),
    ("a percentage where one is asked", SHARE, '{"answer": "57.1%"}', "correct", True),
    ("percent written out", SHARE, "57.1 percent", "correct", False),
    # other marks
    ("boxed", HR, r"so we get \boxed{110}", "correct", False),
    ("boxed with a unit in text", MAP, r"\boxed{93.3\,\text{mmHg}}", "correct", False),
    ("the last box counts", HR, r"\boxed{88}, no: \boxed{110}", "correct", False),
    ("JSON goes before a box", HR, r'{"answer": 110} \boxed{88}', "correct", True),
    ("a box goes before a phrase", HR, r"The answer is 88. \boxed{110}", "correct", False),
    ("the answer is", HR, "There are three records. The answer is 110.", "correct", False),
    ("the answer is, with a unit", HR, "The answer is 110 bpm, recorded at 09:12:30.", "correct", False),
    ("Answer with a colon", HR, "88 at first.\nAnswer: 110", "correct", False),
    ("Answer in bold", HR, "**Answer:** **110** bpm", "correct", False),
    ("Answer with the value in the next line", HR, "Answer:\n\n110", "correct", False),
    ("the answer to the question is", HR, "The answer to your question is 110.", "correct", False),
    ("the answer would be", HR, "I think the final answer would be 110", "correct", False),
    ("the last phrase counts", HR, "The answer is 88. Wait. The answer is 110.", "correct", False),
    ("a phrase without value is passed over", HR, "The answer is 110. I hope my answer is helpful.", "correct", False),
    ("an equation after the phrase", MAP, "The answer is (120 - 80)/3 + 80 = 93.3", "correct", False),
    ("an equation in the JSON", HR, '{"answer": "120 - 10 = 110"}', "correct", False),
    ("about, in the phrase", HR, "The answer is approximately 110 bpm.", "correct", False),
    ("denied", HR, "The answer is not 110.", "unparsable", False),
    # lone values
    ("a lone number", HR, "110", "correct", False),
    ("a lone number with unit and stop", HR, "110 bpm.", "correct", False),
    ("a lone number in a sentence", HR, "The heart rate was 110 bpm.", "correct", False),
    ("times beside a lone number do not count", HR, "At 2180-05-10 09:12:30 it was 110.", "correct", False),
    ("the same number twice is one number", HR, "110. So it was 110 bpm.", "correct", False),
    ("two different numbers", HR, "It rose to 110 from 88.", "unparsable", False),
    ("a digit in a name is no number", HR, "SpO2 aside, the heart rate was 110.", "correct", False),
    ("an ordinal is no number", HR, "In the 2nd record it was 110.", "correct", False),
    ("a one-line equation", instance(answer="40"), "120 - 80 = 40 mmHg", "correct", False),
    ("a thousands comma", BIG, "1,200", "correct", False),
    ("a thousands comma in JSON", BIG, '{"answer": "1,200"}', "correct", False),
    ("a thin blank between thousands", BIG, "1\u202f200", "correct", False),
    ("a decimal comma is refused", TEMP, "37,5", "unparsable", False),
    ("number words", HR, "one hundred and ten", "correct", False),
    ("number words with a hyphen and a point", TEMP, "thirty-seven point five", "correct", False),
    ("number words in JSON", COUNT, '{"answer": "three"}', "correct", False),
    ("a count in a sentence", COUNT, "There are three such records.", "correct", False),
    ("one as a pronoun is no number", COUNT, "One of them is high; there are three.", "correct", False),
    ("none is zero where something is counted", instance(answer="0", answer_type="count"), "None.", "correct", False),
    ("none is no number elsewhere", instance(answer="0"), "None.", "unparsable", False),
    ("full-width digits", HR, "１１０", "correct", False),
    # ranges, pairs, bounds
    ("a range with a hyphen", HR, "110-120", "unparsable", False),
    ("a range with a dash", HR, "The answer is 110–120 bpm", "unparsable", False),
    ("a range in words", HR, "The answer is 110 to 120.", "unparsable", False),
    ("between", HR, "between 110 and 120", "unparsable", False),
    ("alternatives", HR, "The answer is 110 or 88.", "unparsable", False),
    ("plus or minus", HR, "The answer is 110 ± 5", "unparsable", False),
    ("a blood pressure pair", instance(answer="120"), '{"answer": "120/80"}', "unparsable", False),
    ("a lower bound", HR, "The answer is at least 110.", "unparsable", False),
    ("a greater sign", HR, '{"answer": ">110"}', "unparsable", False),
    ("or more", HR, "The answer is 110 or more.", "unparsable", False),
    ("a threshold beside no value", COUNT, "I counted records above 100.", "unparsable", False),
    ("a count with its threshold", COUNT, "The answer is 3 records with a heart rate above 100.", "correct", False),
    ("a fraction", INDEX, '{"answer": "88/120"}', "unparsable", False),
    # abstentions and nothing
    ("not documented, where it is", HR, '{"answer": "not documented"}', "abstained", False),
    ("null", HR, '{"answer": null}', "abstained", False),
    ("n/a", HR, '{"answer": "N/A"}', "abstained", False),
    ("unknown", HR, "The answer is unknown.", "abstained", False),
    ("a refusal that mentions the gold", HR, "I cannot determine it; 110 may be a typo.", "abstained", False),
    ("a refusal with the phrase and the gold", HR, "I cannot give the answer: 110 is doubtful.", "abstained", False),
    ("an apology", HR, "I'm sorry, but I don't know.", "abstained", False),
    ("not enough information", HR, "There is not enough information.", "abstained", False),
    ("a curly apostrophe", HR, "The heart rate isn’t documented.", "abstained", False),
    ("a value after a remark that something else is missing", HR, 'Pain is not documented. {"answer": 110}', "correct", True),
    ("a value first, a remark after", HR, '{"answer": "110 (pain was not documented)"}', "correct", False),
    ("nothing", HR, "", "empty", False),
    ("blanks only", HR, " \n\t ", "empty", False),
    ("words only", HR, "The patient is stable.", "unparsable", False),
    # unanswerable
    ("a remark on something missing in the same sentence", HR, "The pain is not documented, but the answer is 110.", "correct", False),
    ("declining is right where there is no answer", NOTHING, '{"answer": "not documented"}', "correct", True),
    ("declining in prose is right too", NOTHING, "The weight is not documented.", "correct", False),
    ("null is declining", NOTHING, '{"answer": null}', "correct", True),
    ("a value is wrong where there is no answer", NOTHING, '{"answer": 70}', "incorrect", False),
    ("a time is a value as well", NOTHING, '{"answer": "2180-05-10 06:27:00"}', "incorrect", False),
    ("silence is not declining", NOTHING, "", "empty", False),
    # a remark that something else is missing; all questions ask for the heart rate
    ("a value in prose, then another thing missing", HR, "The heart rate was 110 bpm. The pain score is not documented.", "correct", False),
    ("another thing missing in the same sentence of prose", HR, "The heart rate was 110 bpm and pain was not documented.", "correct", False),
    ("another thing missing first, in prose", HR, "The pain score is not documented. The heart rate was 110 bpm.", "correct", False),
    ("the asked thing missing, another given", HR, "The heart rate is not documented. The pain score was 110.", "abstained", False),
    ("a list of what is there and what is missing", HR, "- heart rate: 110 bpm\n- pain: not documented", "correct", False),
    ("a list in which the asked thing is missing", HR, "- pain: 110\n- heart rate: not documented", "abstained", False),
    ("two things missing", HR, "Pain is not documented. The heart rate is not recorded; 110 is a guess.", "abstained", False),
    ("another thing missing and no value", HR, "The pain score is not documented.", "abstained", False),
    ("a marked answer, then another thing missing", HR, "The answer is: heart rate was 110 bpm and pain was not documented.", "correct", False),
    ("a marked answer with a comma and another thing missing", HR, "The answer is HR 110 bpm, pain not recorded", "correct", False),
    ("JSON that ends in such a remark is not in the asked form", HR, '{"answer": "HR 110, pain not recorded"}', "correct", False),
    ("a marked answer that declines the asked thing of one record", HR, "The answer is: for record 110, the heart rate is not documented.", "abstained", False),
    ("a marked refusal before a number", HR, '{"answer": "Not documented, but 110"}', "abstained", False),
    ("a time, then another thing missing", TIME, "It was at 2180-05-10 09:12:30. Pain was not recorded.", "correct", False),
    ("another value does not spoil a refusal that is right", NOTHING, "The weight is not documented. The heart rate was 110.", "correct", False),
    ("a negative value, then a remark in JSON", CHANGE, '{"answer": "-0.25 (not stated directly, computed)"}', "correct", False),
    ("a negative value, then a remark", CHANGE, "The answer is -0.25, a value that is not given in the records.", "correct", False),
    ("a typographic minus, then a remark", CHANGE, '{"answer": "−0.25, not given directly"}', "correct", False),
    ("a leading dot, then a remark", INDEX, '{"answer": ".72, not given directly"}', "correct", False),
    ("number words, then a remark", COUNT, '{"answer": "three (not stated directly)"}', "correct", False),
    # numbers that count nothing
    ("one line of JSON", ONE, "End with one line of JSON.", "unparsable", False),
    ("one JSON line after the phrase", ONE, "The final answer is in one JSON line:", "unparsable", False),
    ("one line of JSON in JSON", ONE, '{"answer": "one line of JSON"}', "unparsable", False),
    ("one decimal after the phrase", ONE, "Answer: one decimal", "unparsable", False),
    ("rounded to one decimal", ONE, "Answer with a number in °C, rounded to one decimal.", "unparsable", False),
    ("rounded to 1 decimal", ONE, "Answer with a number, rounded to 1 decimal.", "unparsable", False),
    ("one more piece", ONE, "I need one more piece of text.", "unparsable", False),
    ("one as a subject", ONE, "One should check each record for tachycardia.", "unparsable", False),
    ("no one", ONE, "No one answered.", "unparsable", False),
    ("one third", ONE, "One third.", "unparsable", False),
    ("the number of a list", ONE, "1. First read all records.", "unparsable", False),
    ("the number of a list with a bracket", ONE, "1)", "unparsable", False),
    ("the number of a step", ONE, "Step 1: look at the records.", "unparsable", False),
    ("the number of a question", ONE, "Question 1:", "unparsable", False),
    ("list numbers beside the only value", HR, "1. Look at record 2.\n2. The heart rate was 110 bpm.", "correct", False),
    ("a whole answer with a stop is no list", ONE, "1.", "correct", False),
    ("a number in brackets is no list", ONE, "(1)", "correct", False),
    ("the only words after the phrase", ONE, "The answer is one.", "correct", False),
    ("words before records", ONE, "Only one record shows it.", "correct", False),
    ("words before another counted thing", ONE, "There was one episode of tachycardia out of three records.", "correct", False),
    ("a range of words before records", COUNT, "I see two to three records.", "unparsable", False),
    ("a bound in words before records", COUNT, "I see at least three records.", "unparsable", False),
    ("words and then the time", TEMP, "It was thirty-seven point five at 09:12:30.", "correct", False),
    ("words of several parts before anything", HR, "The heart rate was one hundred and ten in that record.", "correct", False),
    # bullets
    ("a bullet before a value", TEMP, "- 37.5 °C", "correct", False),
    ("a dash before a value", TEMP, "Temperature - 37.5 °C", "correct", False),
    ("a colon and a dash before a value", TEMP, "The temperature: - 37.5", "correct", False),
    ("answer and a dash", TEMP, "Answer - 37.5", "correct", False),
    ("a bullet below the phrase", TEMP, "Answer:\n- 37.5", "correct", False),
    ("a bullet before a count", ONE, "- 1", "correct", False),
    ("a bullet is no minus", CHANGE, "- 0.25", "incorrect", False),
    ("in JSON, where no bullets stand, it is", CHANGE, '{"answer": "- 0.25"}', "correct", False),
    ("in a box as well", CHANGE, r"\boxed{- 0.25}", "correct", False),
    # counts beside thresholds
    ("a threshold with its unit before the count", ONE, "The heart rate above 100 bpm (tachycardia) is recorded in 1 records.", "correct", False),
    ("a count in words before the threshold", ONE, "In one of the records the heart rate was above 100 bpm.", "correct", False),
    ("a threshold in a marked answer", ONE, "Answer: The heart rate was above 100 bpm in 1 record.", "correct", False),
    ("a threshold, then a count in words", ONE, "The answer is that the heart rate was above 100 bpm in one record.", "correct", False),
    ("a threshold, a count and a total", ONE, "The heart rate was above 100 bpm in 1 of 3 records.", "correct", False),
    ("the values, then the count", ONE, "The values are 88, 110 and 50, so it was high in 1 record.", "correct", False),
    ("a total before the values is not the count", COUNT, "The 3 records have 88, 110 and 50.", "unparsable", False),
    ("all records", COUNT, "In all 3 records the heart rate was above 40 bpm.", "correct", False),
    ("a range before records", COUNT, "Above 100 bpm in 1 to 3 records.", "unparsable", False),
    ("a range beside a threshold", COUNT, "It was above 100 bpm in 1-3 records.", "unparsable", False),
    ("a bounded count", COUNT, "Above 100 bpm in at least 3 records.", "unparsable", False),
    # placeholders
    ("a value in prose, then the instruction repeated", TEMP, 'The temperature is 37.5 °C.\n{"answer": ...}', "correct", False),
    ("a value in prose, then its placeholder in words", TEMP, 'The temperature is 37.5 °C.\n{"answer": "number"}', "correct", False),
    ("the placeholder alone", TEMP, '{"answer": ...}', "unparsable", False),
    ("the placeholder after the instruction", ONE, 'End with one line of JSON: {"answer": ...}', "unparsable", False),
    # a count of nothing
    ("no record above it", NONE, "No record was above 100 mmHg.", "correct", False),
    ("no record above it in JSON", NONE, '{"answer": "no record was above 100"}', "correct", False),
    ("zero, and no record above it", NONE, "The answer is zero: no record was above 100.", "correct", False),
    ("there is no record of one above it", NONE, "There is no record of a MAP above 100.", "correct", False),
    ("no record above it, where there is one", ONE, "No record was above 100 bpm.", "incorrect", False),
    ("no records to count in", NONE, "No record is available to count values above 100.", "abstained", False),
    ("no record of a value is no zero where none is counted", HR, "There is no record of a heart rate above 100.", "abstained", False),
    # directions in words
    ("a magnitude and a direction in words", CHANGE, '{"answer": "a decrease of 0.25"}', "incorrect", False),
    # dates and times
    ("the asked time", TIME, '{"answer": "2180-05-10 09:12:30"}', "correct", True),
    ("another time", TIME, '{"answer": "2180-05-10 06:27:00"}', "incorrect", False),
    ("ISO with T", TIME, '{"answer": "2180-05-10T09:12:30"}', "correct", False),
    ("ISO with T, fraction and Z", TIME, "2180-05-10T09:12:30.000Z", "correct", False),
    ("an offset from UTC is another time", TIME, "2180-05-10T09:12:30+02:00", "unparsable", False),
    ("slashes, year first", TIME, "2180/05/10 09:12:30", "correct", False),
    ("month first is read only if it must be so", instance(**TIME.model_dump() | {"answer": "2180-05-13 09:12:30"}), "05/13/2180 09:12:30", "correct", False),
    ("day first is read only if it must be so", instance(**TIME.model_dump() | {"answer": "2180-05-13 09:12:30"}), "13/05/2180 09:12:30", "correct", False),
    ("day or month first, both possible", TIME, "05/10/2180 09:12:30", "unparsable", False),
    ("equal day and month leave no doubt", instance(**TIME.model_dump() | {"answer": "2180-05-05 09:12:30"}), "05/05/2180 09:12:30", "correct", False),
    ("a month name", TIME, "May 10, 2180 at 09:12:30", "correct", False),
    ("a month name after the day", TIME, "on 10 May 2180, 09:12:30", "correct", False),
    ("an ordinal day", TIME, "the 10th of May 2180 at 9:12:30 AM", "correct", False),
    ("the twelve-hour clock", TIME, "May 10, 2180 9:12:30 am", "correct", False),
    ("the wrong half of the day", TIME, "May 10, 2180 9:12:30 PM", "incorrect", False),
    ("a weekday before it", TIME, "The answer is Wednesday, May 10, 2180, 09:12:30.", "correct", False),
    ("time before date", TIME, "09:12:30 on 2180-05-10", "correct", False),
    ("compact digits", TIME, "20800510".replace("2080", "2180") + "T091230", "correct", False),
    ("no seconds, and one record fits", TIME, "2180-05-10 09:12", "correct", False),
    ("no date, and one record fits", TIME, "It was at 09:12:30.", "correct", False),
    ("no year, and one record fits", TIME, "May 10 at 09:12", "correct", False),
    ("no date, and no record fits", TIME, '{"answer": "23:59"}', "incorrect", False),
    ("a date alone", TIME, "2180-05-10", "unparsable", False),
    ("a date that does not exist", TIME, "2180-02-30 09:12:30", "unparsable", False),
    ("an hour that does not exist", TIME, "2180-05-10 25:12:30", "unparsable", False),
    ("two times", TIME, "2180-05-10 06:27:00 and 2180-05-10 09:12:30", "unparsable", False),
    ("a time and a later remark", TIME, "The answer is 2180-05-10 09:12:30, not 06:27.", "correct", False),
    ("a list of all times", TIME, "06:27:00\n09:12:30\n18:05:00", "unparsable", False),
    ("a number where a time is asked", TIME, '{"answer": 110}', "unparsable", False),
    ("declining to name a time", TIME, "No such record exists.", "abstained", False),
]  # fmt: skip


def test_the_table_names_each_row_once() -> None:
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names))
    assert len(names) >= 120


@pytest.mark.parametrize(
    ("gold", "text", "status", "strict"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS]
)
def test_score(gold: Instance, text: str, status: str, strict: bool) -> None:
    result = score(instance=gold, generation=generation(text, of=gold))
    assert (result.status, result.strict) == (status, strict), result
    assert result.lenient == (status == "correct")
    assert result.reason


CUT: list[Row] = [
    ("reasoning without a mark", HR, "The record of 09:12:30 says 110", "truncated", False),
    ("whole JSON before the cut", HR, '{"answer": 110} because the second rec', "correct", True),
    ("JSON cut within the number", HR, '{"answer": 11', "truncated", False),
    ("a phrase cut after a digit", HR, "The answer is 11", "truncated", False),
    ("a phrase with words after the number", HR, "The answer is 110 bpm, since the", "correct", False),
    ("a time cut within its seconds", TIME, "The answer is 2180-05-10 09:12", "truncated", False),
    ("declining in prose, then cut", HR, "The pain is not documented, so let us", "truncated", False),
]


@pytest.mark.parametrize(("gold", "text", "status", "strict"), [r[1:] for r in CUT], ids=[r[0] for r in CUT])
def test_score_of_a_text_that_was_cut_off(gold: Instance, text: str, status: str, strict: bool) -> None:
    result = score(instance=gold, generation=generation(text, of=gold, finish="length"))
    assert (result.status, result.strict) == (status, strict), result


def test_without_seconds_two_records_in_one_minute_leave_it_open() -> None:
    twins = tuple(
        r.model_copy(update={"charttime": r.charttime.replace(day=10, hour=9, minute=12, second=i)})
        for i, r in enumerate(TIME.records)
    )
    gold = TIME.model_copy(update={"records": twins, "answer": "2180-05-10 09:12:01"})
    result = score(instance=gold, generation=generation("2180-05-10 09:12", of=gold))
    assert (result.status, result.reason) == ("unparsable", "2180-05-10 09:12 fits 3 records")


@pytest.mark.parametrize(
    "text",
    ["9" * 1_000_000, "{" * 1_000_000, '{"answer":' * 100_000, "answer is " * 100_000, "not " * 250_000, '{"a":{"answer":[' * 60_000,
     "one hundred " * 80_000, "1," * 500_000, "\\boxed{" * 140_000, "09:12:" * 160_000, " " * 1_000_000 + "x", "answer to " * 100_000, "-" * 1_000_000, "110 = " * 160_000,
     "pain not recorded, " * 50_000, "heart rate not recorded, " * 50_000, "no record " * 100_000, '{"answer": "' + " " * 399 + 'x"} ' * 20_000, "in 1 record " * 80_000, "one record " * 90_000, "1. " * 300_000],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
@pytest.mark.parametrize("gold", [HR, COUNT, TIME, NOTHING], ids=["number", "count", "time", "nothing"])
def test_a_megabyte_of_anything_is_scored_at_once(gold: Instance, text: str) -> None:
    started = time.process_time()
    score(instance=gold, generation=generation(text, of=gold))
    assert time.process_time() - started < 1


_FRAGMENTS = st.sampled_from(
    ['{"answer": ', "}", "{", '"', "'", "\\boxed{", "The answer is ", "110", "-", ",", ".", "9:12", "2180-05-10", " ", "\n",
     "not documented", "hundred", "point", "e9", "%", "°F", "=", "\x00", "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"), "½", "٣", "[", "null", "am"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(), st.lists(_FRAGMENTS, max_size=30).map("".join)), cut=st.booleans())
def test_no_text_raises(text: str, cut: bool) -> None:
    for gold in (HR, INDEX, COUNT, TIME, NOTHING):
        result = score(
            instance=gold, generation=generation(text, of=gold, finish="length" if cut else "stop")
        )
        assert result.lenient == (result.status == "correct")
        assert result.lenient or not result.strict


_WRITTEN = (
    '{{"answer": {0}}}', '{{"answer": "{0}"}}', "```json\n{{\"answer\": {0}}}\n```", "{{'answer': {0}}}", r"\boxed{{{0}}}",
    "The answer is {0}.", "Answer: {0}", "**Final answer:** {0}", "{0}", "We find a value of {0}.",
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(value=st.decimals(min_value=-9999, max_value=9999, places=2), places=st.integers(0, 2))
def test_every_number_is_right_against_itself_in_ten_forms(value: Decimal, places: int) -> None:
    written = (
        f"{value:.{places}f}".replace("-0", "0") if not value.quantize(Decimal(1)) else f"{value:.{places}f}"
    )
    gold = instance(answer=written, answer_exact=written, decimals=places, unit=None)
    for form in _WRITTEN:
        result = score(instance=gold, generation=generation(form.format(written), of=gold))
        assert result.lenient, (form, written, result)


@settings(max_examples=50, deadline=None)
@given(value=st.datetimes().map(lambda t: t.replace(microsecond=0, year=max(t.year, 1000))))
def test_every_time_is_right_against_itself_in_ten_forms(value: object) -> None:
    written = f"{value:%Y-%m-%d %H:%M:%S}"
    gold = TIME.model_copy(update={"answer": written, "records": ()})
    for form in ('{{"answer": "{0}"}}', *_WRITTEN[1:]):
        result = score(instance=gold, generation=generation(form.format(written), of=gold))
        assert result.lenient, (form, written, result)


def test_a_prompt_that_could_not_be_run_is_empty_and_says_so() -> None:
    result = score(instance=HR, generation=generation("", finish="error"))
    assert (result.status, result.reason) == ("empty", "the prompt could not be run")


def test_a_kind_of_answer_without_scorer_is_refused_not_guessed() -> None:
    with pytest.raises(InputError, match=r"scoring 'medcalc'.*leave such instances out"):
        score(instance=instance(scoring="medcalc"), generation=generation("110"))
