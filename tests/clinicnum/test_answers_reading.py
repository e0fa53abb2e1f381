"""What a person reads out of an answer: signs, marks, guesses, abstentions, thinking, odd writings."""

import sys
import unicodedata

import pytest

from clinicnum.errors import InputError
from clinicnum.parsing.minus_signs import DASHES, with_plain_signs
from clinicnum.parsing.thinking import split_thinking, with_tags
from clinicnum.scoring import score
from clinicnum.stats.accuracy import accuracy_table
from clinicnum.types import Instance
from tests.clinicnum.answering import generation, instance
from tests.clinicnum.answers import CHANGE, COUNT, HR, MAP, NONE, NOTHING, TEMP, TIME

DROP = instance(answer="-7.02", answer_exact="-7.02", decimals=2, unit="%")
LOSS = instance(answer="-2400", answer_exact="-2400", decimals=0, unit=None)
TWO = instance(answer="2", answer_exact="2", answer_type="count", decimals=0, unit=None)
UNKNOWN_MAP = NOTHING.model_copy(
    update={"question": "What was the mean arterial pressure (MAP) at 2180-05-10 06:27:00, in mmHg?"}
)


def verdicts(gold: Instance, text: str) -> tuple[str, bool, bool | None]:
    judged = score(instance=gold, generation=generation(text, of=gold))
    return judged.status, judged.lenient, judged.flexible


GUESSES = [
    "The systolic pressure is not charted, so the MAP must have been close to 90 mmHg.",
    "Kein systolischer Wert, vermutlich aber etwa 90 mmHg.",
    "La pression n'a pas été documentée ; on peut l'estimer à 90 mmHg.",
    "No consta la presión sistólica, pero se estima en 90 mmHg.",
    "未记录收缩压，但估计约为90 mmHg。",
    "収縮期血圧の記録はないが、約90mmHgと推定される。",
    '{"answer": "not documented, but likely 93.3"}',
    "The systolic pressure is not documented; assuming 120 mmHg, the MAP is 93.3 mmHg.",
    "Since SBP is not documented, I estimate MAP at 92.7 mmHg.",
    "The systolic pressure is not recorded. Using the previous systolic (98 mmHg): MAP = 76.0 mmHg",
    "It cannot be stated with certainty, but most likely it is 88.",
    "SBP missing -> taking the later value, the MAP is about 90 mmHg",
]


@pytest.mark.parametrize("text", GUESSES)
def test_a_guess_is_no_abstention(text: str) -> None:
    judged = score(instance=UNKNOWN_MAP, generation=generation(text, of=UNKNOWN_MAP))
    assert judged.status != "correct"
    assert not judged.strict
    assert not judged.lenient
    assert not judged.flexible


def test_every_dash_and_minus_of_unicode_is_a_sign() -> None:
    named = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == "Pd"]
    named = [c for c in named if "WAV" not in unicodedata.name(c)]  # they mean "about"
    minuses = "\u2043\u2212\u02d7\u207b\u208b\u2796\ufe63\uff0d"
    assert set(named) | set(minuses) == set(DASHES)
    for dash in DASHES:
        assert verdicts(DROP, f'{{"answer": "{dash}7.02"}}') == ("correct", True, True), f"U+{ord(dash):04X}"


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        (DROP, '{"answer": "minus 7.02"}'),
        (DROP, '{"answer": "negative 7.02"}'),
        (DROP, "The answer is - 7.02%"),
        (DROP, "The answer is −**7.02**"),
        (DROP, "The answer is -$7.02$"),
        (DROP, "The change is −**7.02** %."),
        (LOSS, "The answer is -$2,400"),
    ],
)
def test_the_sign_in_any_writing(gold: Instance, text: str) -> None:
    assert verdicts(gold, text)[1]


@pytest.mark.parametrize(
    "text", ["110–120", "110 –120 bpm", "120 minus 70", "- 36.5", "HR-110", "SBP minus 70", "120 bpm –70"]
)
def test_what_is_no_sign(text: str) -> None:
    assert with_plain_signs(text) == text


MARKED = [
    (MAP, "120 and 80 give it.\n\n## Final Answer\n\n93.3 mmHg"),
    (MAP, "### Final Answer:\n**93.3**"),
    (HR, "120/80 and\n50 apart.\nResult: 110 bpm (of 3 records)"),
    (HR, "88 is first.\n50 is last.\nA: 110"),
    (HR, "88, 110, 50.\nAns: 110"),
    (HR, "Of 88, 110 and 50, the answer equals 110."),
    (HR, 'Of 88 and 110: {"value": 110}'),
    (HR, 'Of 88 and 110: {"result": 110, "unit": "bpm"}'),
    (MAP, 'With 120 and 80: <answer unit="mmHg">93.3</answer>'),
    (HR, '{"answer": "110 bpm (normal range 60-100 bpm)"}'),
    (MAP, "The MAP is 93.3 mmHg (i.e. 12.44 kPa)"),
    (TWO, "Two of the records show a heart rate above 100 bpm."),
    (NONE, '{"answer": "0 out of 9, as there are no such records"}'),
    (TWO, '{"answer": "2 (female, 21 years old, 9 records)"}'),
]


@pytest.mark.parametrize(("gold", "text"), MARKED)
def test_answers_that_are_marked(gold: Instance, text: str) -> None:
    assert verdicts(gold, text) == ("correct", True, True)


UNMARKED = [
    (
        MAP,
        "The systolic is 120 and the diastolic 80. The pulse pressure is 40. Therefore the MAP is 93.3 mmHg.",
    ),
    (MAP, "120 - 80 = 40\n40 / 3 + 80 = 93.3\n\n**93.3 mmHg**"),
    (HR, "The values are 88 and 110. At that time the heart rate was 110 bpm, which is above 100."),
    (HR, "110 bpm (normal range 60-100 bpm)"),
    (NONE, "0 out of 9, as there are no records above 100"),
    (COUNT, "Three of the 9 records are above 100 bpm: those at 06:27, 09:12 and 18:05. So the count is 3."),
]


@pytest.mark.parametrize(("gold", "text"), UNMARKED)
def test_answers_that_a_careful_reader_finds(gold: Instance, text: str) -> None:
    assert verdicts(gold, text)[2] is True


@pytest.mark.parametrize(
    "text",
    [
        "The rates were 88, 110 and 50. We need the one at 09:12. Let's look at the records:",
        "P1 = 150 - (150 - P) = P",
        "The rate of 110 is first. Next we divide by",
    ],
)
def test_a_text_that_comes_to_nothing_has_no_answer(text: str) -> None:
    assert verdicts(HR, text) == ("unparsable", False, False)


def test_the_flexible_verdict_says_what_was_read_and_follows_a_marked_answer() -> None:
    text = "The values are 88 and 110. At that time the heart rate was 88 bpm, which is below 100."
    judged = score(instance=HR, generation=generation(text, of=HR))
    assert (judged.parsed, judged.flexible_parsed, judged.flexible) == (None, "88", False)
    assert score(instance=HR, generation=generation('{"answer": 110} I had 88 first.', of=HR)).flexible


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"answer": 80}\nActually no, it should be 110.', "110"),
        ('{"answer": 80}\nWait, that is wrong. The correct answer is 110.', "110"),
        ('{"answer": 110}\nActually, the patient was tachycardic at 110 bpm.', "110"),
    ],
)
def test_a_later_correction_wins(text: str, value: str) -> None:
    judged = score(instance=HR, generation=generation(text, of=HR))
    assert (judged.parsed, judged.lenient) == (value, True)
    assert judged.strict == (judged.form == "json")


def test_what_is_computed_is_no_abstention() -> None:
    text = "The MAP is not directly recorded; it can be computed as 93.3"
    assert verdicts(MAP, text) == ("correct", True, True)
    assert verdicts(UNKNOWN_MAP, text)[0] == "incorrect"


ABSTAINED = [
    "On ne peut pas calculer cette valeur, car la pression systolique manque.",
    "Der Wert lässt sich nicht bestimmen, da der systolische Druck fehlt.",
    "由于没有收缩压，无法计算。",
    "No systolic pressure was recorded",
    "The systolic pressure is missing",
    '{"answer": "ND"}',
    '{"answer": NaN}',
    '{"answer": ""}',
    '{"answer": "none"}',
    '{"answer": "not computable"}',
    '{"answer": "undetermined"}',
    '{"answer": "—"}',
    "There is no systolic value at 10:48",
    "I would have to know the systolic pressure to answer that, and nobody wrote it down.",
    r"\boxed{\text{unknown}}",
]


@pytest.mark.parametrize("text", ABSTAINED)
def test_abstentions(text: str) -> None:
    assert verdicts(UNKNOWN_MAP, text)[0] == "correct"


def test_a_refusal_to_give_advice_is_no_abstention() -> None:
    text = "I am a language model and cannot give medical advice. Please ask a physician."
    assert verdicts(UNKNOWN_MAP, text)[0] == "unparsable"


@pytest.mark.parametrize(
    "text",
    [
        "<|begin_of_thought|>12 or 13<|end_of_thought|>\n<|begin_of_solution|>110<|end_of_solution|>",
        "<thought>12 or 13</thought>110",
        "<reasoning>12 or 13</reasoning>\n110",
        "<|channel>thought\n12 or 13<channel|>110",
        "<|channel|>analysis<|message|>12 or 13<|end|><|start|>assistant<|channel|>final<|message|>110",
        "◁think▷12 or 13◁/think▷110",
    ],
)
def test_thinking_in_the_tags_of_many_models(text: str) -> None:
    assert verdicts(HR, text)[1]


def test_users_add_tags_of_their_own() -> None:
    tags = with_tags(["<scratch> </scratch>"])
    assert split_thinking("<scratch>1 or 2</scratch> 3", tags=tags) == ("3", "1 or 2")
    assert split_thinking("<THINK>1</THINK>3", tags=tags) == ("3", "1")
    with pytest.raises(InputError, match="expected the opening and the closing tag"):
        with_tags(["<scratch>"])


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        (MAP, r"\boxed{93\frac{1}{3}}"),
        (MAP, "93⅓ mmHg"),
        (TIME, "2180-05-10T09:12:30+00:00"),
        (TIME, "The answer is 2180-05-10 09:12:30 +00:00"),
        (TEMP, "37·5 °C"),
        (TEMP, '{"answer": "310.65 K"}'),
        (instance(answer="8000000", answer_exact="8000000", unit=None), "8 million"),
        (instance(answer="0.00012", answer_exact="0.00012", unit=None), "The answer is 1.2 x 10^-4"),
        (instance(answer="0.5", answer_exact="1/2", decimals=1, unit=None), r"\boxed{\frac{1}{2}}"),
    ],
)
def test_odd_writings(gold: Instance, text: str) -> None:
    assert verdicts(gold, text)[1], text


def test_an_offset_from_utc_other_than_zero_is_not_read() -> None:
    assert verdicts(TIME, "2180-05-10 09:12:30+02:00")[0] == "unparsable"


def test_chinese_answers_are_read() -> None:
    choice = HR.model_copy(update={"scoring": "choice", "options": ("88", "110", "50", "7"), "answer": "D"})
    choice = choice.model_copy(update={"answer_type": "choice", "operation": "external"})
    assert verdicts(choice, "先看选项A和B。\n答案:D")[1]
    assert verdicts(choice, "答案是D")[1]
    assert verdicts(HR, "心率是88，然后是110。所以，答案是：110次")[1]


@pytest.mark.parametrize(
    ("decimals", "answer", "text", "right"),
    [
        (1, "93.3", "12.4 kPa", False),  # 0.75 mmHg a step does not tell 93.3 from 93.2
        (1, "93.3", "12.44 kPa", True),
        (0, "93", "12.4 kPa", True),
        (0, "93", "12 kPa", False),
        (1, "93.3", "12.5 kPa", False),
    ],
)
def test_another_unit_must_tell_the_gold_from_its_neighbours(
    decimals: int, answer: str, text: str, right: bool
) -> None:
    gold = instance(answer=answer, answer_exact="280/3", decimals=decimals, unit="mmHg")
    assert verdicts(gold, text)[1] is right


def test_failed_samples_are_counted_and_in_no_accuracy() -> None:
    golds = [instance(number) for number in range(12)]
    answers = [generation("", of=gold, finish="error") for gold in golds[:8]]
    answers += [generation('{"answer": 110}', of=gold) for gold in golds[8:]]
    pairs = [(gold, score(instance=gold, generation=one)) for gold, one in zip(golds, answers, strict=True)]
    row = accuracy_table(pairs).overall
    assert row is not None
    assert (row.n, row.correct, row.accuracy, row.n_errors, row.statuses["error"]) == (4, 4, 1.0, 8, 8)
    none = accuracy_table(pairs[:8]).overall
    assert none is not None
    assert (none.n, none.accuracy, none.n_errors) == (0, None, 8)


def test_a_change_below_zero_keeps_its_direction() -> None:
    assert verdicts(CHANGE, "The answer is 0.25")[0] == "incorrect"
