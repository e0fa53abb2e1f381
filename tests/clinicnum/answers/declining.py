"""What declines to answer, and what only says that something else is missing."""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answers import CHANGE, COUNT, HR, INDEX, NOTHING, ONE, TEMP, TIME, Row

ROWS: list[Row] = [
    # abstentions and nothing
    ("not documented, where it is", HR, '{"answer": "not documented"}', "abstained", None, False),
    ("null", HR, '{"answer": null}', "abstained", None, False),
    ("n/a", HR, '{"answer": "N/A"}', "abstained", None, False),
    ("unknown", HR, "The answer is unknown.", "abstained", None, False),
    ("a refusal that mentions the gold", HR, "I cannot determine it; 110 may be a typo.", "abstained", None, False),
    ("a refusal with the phrase and the gold", HR, "I cannot give the answer: 110 is doubtful.", "abstained", None, False),
    ("an apology", HR, "I'm sorry, but I don't know.", "abstained", None, False),
    ("not enough information", HR, "There is not enough information.", "abstained", None, False),
    ("a curly apostrophe", HR, "The heart rate isn’t documented.", "abstained", None, False),
    ("a value after a remark that something else is missing", HR, 'Pain is not documented. {"answer": 110}', "correct", "110", True),
    ("a value first, a remark after", HR, '{"answer": "110 (pain was not documented)"}', "correct", "110", False),
    ("nothing", HR, "", "empty", None, False),
    ("blanks only", HR, " \n\t ", "empty", None, False),
    ("words only", HR, "The patient is stable.", "unparsable", None, False),
    # unanswerable
    ("a remark on something missing in the same sentence", HR, "The pain is not documented, but the answer is 110.", "correct", "110", False),
    ("declining is right where there is no answer", NOTHING, '{"answer": "not documented"}', "correct", None, True),
    ("declining in prose is right too", NOTHING, "The weight is not documented.", "correct", None, False),
    ("null is declining", NOTHING, '{"answer": null}', "correct", None, True),
    ("a value is wrong where there is no answer", NOTHING, '{"answer": 70}', "incorrect", "70", False),
    ("a time is a value as well", NOTHING, '{"answer": "2180-05-10 06:27:00"}', "incorrect", "2180-05-10 06:27:00", False),
    ("silence is not declining", NOTHING, "", "empty", None, False),
    # a remark that something else is missing; all questions ask for the heart rate
    ("a value in prose, then another thing missing", HR, "The heart rate was 110 bpm. The pain score is not documented.", "correct", "110", False),
    ("another thing missing in the same sentence of prose", HR, "The heart rate was 110 bpm and pain was not documented.", "correct", "110", False),
    ("another thing missing first, in prose", HR, "The pain score is not documented. The heart rate was 110 bpm.", "correct", "110", False),
    ("the asked thing missing, another given", HR, "The heart rate is not documented. The pain score was 110.", "abstained", None, False),
    ("a list of what is there and what is missing", HR, "- heart rate: 110 bpm\n- pain: not documented", "correct", "110", False),
    ("a list in which the asked thing is missing", HR, "- pain: 110\n- heart rate: not documented", "abstained", None, False),
    ("two things missing", HR, "Pain is not documented. The heart rate is not recorded; 110 is a guess.", "abstained", None, False),
    ("another thing missing and no value", HR, "The pain score is not documented.", "abstained", None, False),
    ("a marked answer, then another thing missing", HR, "The answer is: heart rate was 110 bpm and pain was not documented.", "correct", "110", False),
    ("a marked answer with a comma and another thing missing", HR, "The answer is HR 110 bpm, pain not recorded", "correct", "110", False),
    ("JSON that ends in such a remark is not in the asked form", HR, '{"answer": "HR 110, pain not recorded"}', "correct", "110", False),
    ("a marked answer that declines the asked thing of one record", HR, "The answer is: for record 110, the heart rate is not documented.", "abstained", None, False),
    ("a marked refusal before a number", HR, '{"answer": "Not documented, but 110"}', "abstained", None, False),
    ("a time, then another thing missing", TIME, "It was at 2180-05-10 09:12:30. Pain was not recorded.", "correct", "2180-05-10 09:12:30", False),
    ("another value does not spoil a refusal that is right", NOTHING, "The weight is not documented. The heart rate was 110.", "correct", None, False),
    ("a negative value, then a remark in JSON", CHANGE, '{"answer": "-0.25 (not stated directly, computed)"}', "correct", "-0.25", False),
    ("a negative value, then a remark", CHANGE, "The answer is -0.25, a value that is not given in the records.", "correct", "-0.25", False),
    ("a typographic minus, then a remark", CHANGE, '{"answer": "−0.25, not given directly"}', "correct", "-0.25", False),
    ("a leading dot, then a remark", INDEX, '{"answer": ".72, not given directly"}', "correct", "0.72", False),
    ("number words, then a remark", COUNT, '{"answer": "three (not stated directly)"}', "correct", "3", False),
    # placeholders
    ("a value in prose, then the instruction repeated", TEMP, 'The temperature is 37.5 °C.\n{"answer": ...}', "correct", "37.5", False),
    ("a value in prose, then its placeholder in words", TEMP, 'The temperature is 37.5 °C.\n{"answer": "number"}', "correct", "37.5", False),
    ("the placeholder alone", TEMP, '{"answer": ...}', "unparsable", None, False),
    ("the placeholder after the instruction", ONE, 'End with one line of JSON: {"answer": ...}', "unparsable", None, False),
]  # fmt: skip
