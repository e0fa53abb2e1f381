"""What texts come to that mark no answer, or go on after it: conclusions, expressions, invented questions."""

from typing import Any

import pytest

from clinicnum.parsing import ValueKind, parse_answer, parse_flexibly

YES_NO = ("yes", "no")
RENAL = ("Pyruvate carboxylase", "Glycogen phosphorylase", "Glucose 6 phosphatase")
MOMENTUM = ("0.025 kg m/s", "3.8 kg m/s", "6.0 kg m/s")
ANIMALS = ("garter snakes", "hawks", "grasshoppers")
SCORE = "What is the patient's Caprini score?"
CHANCE = "What is the probability of two red balls?"
PRESSURE = "What is the mean arterial pressure? (mmHg)"
ECHO = "Below is an instruction.\n\n### Instruction:\nAdd 3 and 4.\n\n### Response:\nThe sum is 7."
INVENTED = (
    "So she has 18 left. The answer is 18.\n\nQ: There are 3 cars. How many wheels?\nA: The answer is 12."
)


def read(text: str, kind: ValueKind, asked: str, options: tuple[str, ...]) -> tuple[str | None, str | None]:
    """What is read as marked, and what flexibly."""
    about: dict[str, Any] = {"kind": kind, "asked": asked, "options": options}
    marked = parse_answer(text, **about)
    flexible = parse_flexibly(text, marked, **about)
    return tuple(reading.found.written if reading.found else None for reading in (marked, flexible))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "asked", "value"),
    [
        ("It was founded on January 15, 1843, by settlers.", "In what year was it founded?", "1843"),
        ("Age 2, immobility 3.\nHer score would be at least 8 points.", SCORE, "8"),
        ("Score: 3 + 4 = 7\n0 to 4: low\n5 to 9: high\n", SCORE, "7"),
        ("His score is 11.\nA score of 5 or more is high risk.\nClinical judgement matters.", SCORE, "11"),
        ("(8/17) * (7/16) = 7/34. So the probability of 2 red balls is 7/34.", CHANCE, "0.205882352941"),
        ("Pha: 2 lần. Thời gian là t = 0,0785 s.", "How long does it take, in s?", "0.0785"),
        ("The sales of 2019 had a total area of 77,482 acres. This is large.", "What area?", "77482"),
        (ECHO, "Add 3 and 4.", "7"),
        ("det [[0, 1], [2, 3]] is -2.", "What is the determinant?", "-2"),
        ("After that there are three objects left.", "How many objects are left?", "3"),
        ("First x = 1. Finally, x = 3 and y = 2.", "Find the value of x.", "3"),
        (
            "| Item | Points |\n|---|---|\n| Age | 2 |\n| **Total** | **6** |\n\nHigh risk (> 4 points).",
            SCORE,
            "6",
        ),
        ("GAD-7 = 9\n\nYearly relapse is 12 % with this score.", "What is the GAD-7 score?", "9"),
        ("The score is 7/15.", "What is the coma score?", "7"),
        ("The MAP is 88 mmHg. If the arm was raised, it may be 6 mmHg too low.", PRESSURE, "88"),
        ("The MAP is 88 mmHg. The maximum recommended value is 110 mmHg.", PRESSURE, "88"),
        ("Der mittlere Druck liegt bei etwa 88 mmHg. Das ist gut (70–105 mmHg).", "Wie hoch ist er?", "88"),
        ("Au total, 4 mesures dépassent 60 (à 08:00 et 10:00).", "Combien de mesures dépassent 60 ?", "4"),
        ("Insgesamt lagen 4 Werte über 60: um 08:00 und 10:00 Uhr.", "Wie viele Werte lagen über 60?", "4"),
        ("Four readings were above 60: 71, 80, 82 and 90.", "How many readings were above 60?", "4"),
        ("There are sixteen beds left.", "How many beds are left?", "16"),
        ("There are no beds with a monitor.", "How many beds have a monitor?", "0"),
        ("Logo, o valor total é R$ 2.340,50.", "Qual é o valor total?", "2340.50"),
        ("原来有20支，用了5支，所以现在一共有15支。", "还有多少支？", "15"),
        ("[3. KẾT LUẬN]:\nBiên độ giảm khoảng 3,75%.", "Sau một chu kì, năng lượng mất 7%. Hỏi?", "3.75"),
        ("7 + 4 + 2 = 13 points in all.\nThe risk is high in patients with 5 or more.", SCORE, "13"),
        ("The order of S_4 * Z_2 is 48.", "What is the order of S_4 * Z_2?", "48"),
        ("No fever is recorded. The score for this patient is 3.", "What is the patient's score?", "3"),
        (
            "About 90 patients visit the clinic each day. Weather and season change the number a great deal.",
            "How many patients visit the clinic each day? Explain your reasoning.",
            "90",
        ),
        ("It went from 60 to 75 mmHg, a difference of 15 mmHg.", "What is the difference? (mmHg)", "15"),
        ("Each bag is 500 mL and the need is 1,500 mL, so 1500/500 = 3 bags.", "How many bags?", "3"),
        ("Dose: 30 kg * 5 mg/kg = 150 mg\n\nVolume: 150 / 25 = 6 mL", "What is the dose? (mg)", "150"),
        ("Colour 2, pulse 2, tone 1 → Apgar 5", "What is the Apgar score?", "5"),
        ("**Gesamt: 3 Punkte**\n\nAb 2 Punkten wird behandelt.", "Wie viele Punkte hat er?", "3"),
        ("MAP＝264÷3＝88.04\n\n小数第1位まで求めると88.0となる。", "平均動脈圧はいくらか。", "88.0"),
        ("TC - HDL = 145\n\nA target of < 130 is advised.", "What is non-HDL? (mg/dL)", "145"),
        ("Sensitivity = 45/(45+5) = 90%. Specificity = 70/100 = 70%.", "What is the sensitivity? (%)", "90"),
        ("The fee is $30. Wait, I left out the tax. With it the bill is $33.", "What is the fee?", "33"),
        (
            "In 2019 there were 5. Globally, 16.3 million texts are sent a minute.",
            "How many texts?",
            "16300000.0",
        ),
    ],
)
def test_numbers_that_a_text_comes_to(text: str, asked: str, value: str) -> None:
    assert read(text, "number", asked, ())[1] == value


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("Low sugar, vitamins. The enzyme that is missing is glucose 6 phosphatase.", RENAL, "C"),
        ("p = 0.15 * 40. Multiplying, we get p = 6 kg m/s.", MOMENTUM, "C"),
        (
            "The most affected would be the grasshoppers, as they feed the garter snakes.",
            ANIMALS,
            "C",
        ),
        ("No, it does not have the largest area.", YES_NO, "B"),
        ("Nothing in B is missing. The most likely is C) Glucose 6 phosphatase. B is rare.", RENAL, "C"),
    ],
)
def test_options_that_a_text_comes_to(text: str, options: tuple[str, ...], letter: str) -> None:
    assert read(text, "choice", "Which would be most affected?", options)[1] == letter


@pytest.mark.parametrize(
    "text",
    [
        "Let x be 0.25. So, the answer is x.",
        "The cost is 12 for 3. So the value is 1.05 * exp(t).",
        "We had 4 and 6. So v = 10\\sqrt{13} cm/s.",
        "With 3 and 7: Q = 20 - P - 15, where P is set to Q.",
        "It was 2016 when it changed. Let's calculate the score for your patient.\nChatGPT",
        "The 9th costs 3 and the 10th costs 2. So the cost of the 11",
    ],
)
def test_texts_that_come_to_no_number(text: str) -> None:
    assert read(text, "number", "What is the value?", ()) == (None, None)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (INVENTED, "number", "18"),
        ("Total = 61.\nFINAL_ANSWER: 61", "number", "61"),
        ("It makes 3 of 4.\nResposta: 75", "number", "75"),
        ("Answer: △5.30%", "number", "-5.30"),
        ("The answer is that it takes 240ms to receive.", "number", "240"),
        ("If x is 1, B is 2. Therefore, the correct option letter is C.", "choice", "C"),
        ("A: Azithromycin and admission.", "choice", "A"),
    ],
)
def test_answers_that_are_marked_in_other_ways(text: str, kind: ValueKind, value: str) -> None:
    assert read(text, kind, "How much is it?", ("", "", "", ""))[0] == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Therefore, the answer is (1-p)^4.", "number"),
        ("Therefore, the answer is L = v / 4400.", "number"),
        ("Answer: 9,389.4 ÷ △516.0 × 100", "number"),
        ("A = 10Q - 15 - P", "number"),
        ("ANSWER: \\(\\sqrt{89}\\)", "number"),
        ("Answer: √89", "number"),
        ("Therefore, the answer is:\n\nC(5,k) = 5! / (k! (5-k)!)", "number"),
        ("So, the correct answer is A) Bathtub and D) Shower stall.", "choice"),
        ("A: ovary B: hair C: weight D: tremor", "choice"),
    ],
)
def test_what_marks_no_single_answer(text: str, kind: ValueKind) -> None:
    assert read(text, kind, "What is it?", ("bathtub", "hotel", "store", "shower")) == (None, None)


def test_a_root_or_factorials_that_are_worked_out_have_their_value() -> None:
    assert read("The answer is $\\sqrt{89} \\approx 9.43$.", "number", "How long?", ())[0] == "9.43"
    assert read("The answer is 5!", "number", "How many?", ())[0] == "5"


def test_a_share_is_no_count_and_what_the_question_gives_no_result() -> None:
    posts = "In 2017 the service had 155,015 post offices. About 90% of post offices are rural."
    assert read(posts, "number", "In 2017, how many post offices did the service have?", ())[1] == "155015"
    bars = "Dan bought 2 bars for a total of $4. We divide: $4 / 2 = $2. Each bar cost $2."
    asked = "Dan has $ 3. He bought 2 bars for $ 4, each one costing the same. How much did each bar cost?"
    assert read(bars, "number", asked, ())[1] == "2"
