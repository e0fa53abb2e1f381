"""MEDEC's flag and sentence, and text with answer points."""
# ruff: noqa: E501 -- a row of the table is one line

from tests.clinicnum.answers import Row, elsewhere

NOTE = "0 A man has a fever.\n1 His pulse is 106/min.\n2 Cultures show Neisseria.\n3 He was given 5 mg of morphine."
WRONG = elsewhere(
    context=NOTE,
    answer="2 Cultures show Trichomonas.",
    answer_type="text",
    scoring="medec",
    question="Any error?",
)
FINE = WRONG.model_copy(update={"answer": "CORRECT"})
SHOCK = elsewhere(
    context="Heart rate 120/min, blood pressure 80/50 mmHg.",
    question="Give the shock index, what it means and what to do.",
    answer="The shock index is 1.5, above 0.7: shock. Give noradrenaline, 0.05 mcg/kg/min.",
    answer_type="points",
    scoring="points",
    points=(
        {"id": "index", "text": "The shock index is 1.5.", "value": "1.5"},
        {"id": "meaning", "text": "It is above 0.7, which points to shock."},
        {"id": "drug", "text": "Give noradrenaline.", "value": "noradrenaline"},
        {"id": "dose", "text": "Give 0.05 mcg/kg/min of it.", "value": "0.05 mcg/kg/min"},
    ),
)

ROWS: list[Row] = [
    ("the sentence corrected", WRONG, "2 Cultures show Trichomonas.", "correct", "2 Cultures show Trichomonas.", True),
    ("the right sentence, not corrected well", WRONG, "2 Cultures show mould.", "correct", "2 Cultures show mould.", True),
    ("another sentence", WRONG, "3 He was given 50 mg.", "incorrect", "3 He was given 50 mg.", False),
    ("no error where there is one", WRONG, "CORRECT", "incorrect", "CORRECT", False),
    ("no error where there is none", FINE, "CORRECT", "correct", "CORRECT", True),
    ("an error where there is none", FINE, "2 Cultures show Trichomonas.", "incorrect", "2 Cultures show Trichomonas.", False),
    ("correct in small letters", FINE, "Correct.", "correct", "CORRECT", False),
    ("the note is correct", FINE, "The note is correct.", "correct", "CORRECT", False),
    ("there is no error", FINE, "There is no medical error in this note.", "correct", "CORRECT", False),
    ("correct, and more", FINE, "CORRECT\n\nNo sentence is wrong.", "correct", "CORRECT", False),
    ("correct in JSON", FINE, '{"answer": "CORRECT"}', "correct", "CORRECT", False),
    ("a stop after the id", WRONG, "2. Cultures show Trichomonas.", "correct", "2 Cultures show Trichomonas.", False),
    ("sentence and id", WRONG, "Sentence 2: Cultures show Trichomonas.", "correct", "2 Cultures show Trichomonas.", False),
    ("the id in bold", WRONG, "**2** Cultures show Trichomonas.", "correct", "2 Cultures show Trichomonas.", False),
    ("the sentence in JSON", WRONG, '{"answer": "2 Cultures show Trichomonas."}', "correct", "2 Cultures show Trichomonas.", False),
    ("the sentence after a remark", WRONG, "There is one.\n2 Cultures show Trichomonas.", "correct", "2 Cultures show Trichomonas.", False),
    ("the correction in quotes", WRONG, 'Sentence 2 is wrong: "Cultures show Trichomonas."', "correct", "2 Cultures show Trichomonas.", False),
    ("the id alone", WRONG, "2", "correct", "2", False),
    ("the sentence called wrong", WRONG, "Sentence 2 is wrong.", "correct", "2", False),
    ("the sentence named in prose", WRONG, "The error is in sentence 2.", "correct", "2", False),
    ("the id of no sentence", WRONG, "7 Something else.", "unparsable", None, False),
    ("several sentences", WRONG, "0 A man has a fever.\n2 Cultures show Trichomonas.", "unparsable", None, False),
    ("a correction without an id", WRONG, "Cultures show Trichomonas.", "unparsable", None, False),
    ("a refusal to review", WRONG, "I cannot tell.", "abstained", None, False),
    ("nothing but thought about it", WRONG, "<think>2 or 3?</think>", "empty", None, False),
    ("no review", WRONG, " ", "empty", None, False),
    # answer points
    ("every point", SHOCK, "The shock index is 1.5. It is above 0.7, which points to shock. Start noradrenaline, 0.05 mcg/kg/min.", "correct", "index meaning drug dose", True),
    ("one point left out", SHOCK, "1.5, above 0.7, so shock: start noradrenaline.", "incorrect", "index meaning drug", False),
    ("the value alone", SHOCK, "1.5", "incorrect", "index", False),
    ("the value with more digits", SHOCK, "1.52", "incorrect", "index", False),
    ("another value", SHOCK, "1.6", "incorrect", None, False),
    ("a range that begins with the value", SHOCK, "1.5-2.0", "incorrect", None, False),
    ("the value denied", SHOCK, "It is not 1.5.", "incorrect", None, False),
    ("a phrase", SHOCK, "Noradrenaline!", "incorrect", "drug", False),
    ("a phrase denied", SHOCK, "Give fluids, but no noradrenaline.", "incorrect", None, False),
    ("advice against is no refusal", SHOCK, "Do not give noradrenaline.", "incorrect", None, False),
    ("the dose in another unit", SHOCK, "0.00005 mg/kg/min", "incorrect", "dose", False),
    ("the dose in a wrong unit", SHOCK, "0.05 mg/kg/min", "incorrect", None, False),
    ("words denied", SHOCK, "It is not above 0.7 and does not point to shock.", "incorrect", None, False),
    ("a third of the words", SHOCK, "It is above 0.7.", "incorrect", None, False),
    ("two thirds of the words", SHOCK, "It exceeds 0.7, which points to shock.", "incorrect", "meaning", False),
    ("words without their number", SHOCK, "It is above the limit, which points to shock.", "incorrect", None, False),
    ("points in the thinking do not count", SHOCK, "<think>1.5, noradrenaline</think>I am not sure.", "incorrect", None, False),
    ("a refusal to answer", SHOCK, "I do not know.", "abstained", None, False),
    ("nothing but thinking", SHOCK, "<think>1.5</think>", "empty", None, False),
    ("no answer", SHOCK, "", "empty", None, False),
]  # fmt: skip
