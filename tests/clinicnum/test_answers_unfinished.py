"""Texts that come to no answer: half a sentence, a step on the way, a value of something else."""

from typing import Any

import pytest

from clinicnum.parsing import ValueKind, parse_answer, parse_flexibly

EARNED = "Weng earns $12 an hour. Yesterday she worked 50 minutes. How much did she earn?"
SODIUM = "Serum sodium is 128 mEq/L and glucose is 600 mg/dL. What is the corrected sodium in mEq/L?"
MARBLES = "Tom has 3 times as many marbles as Jim. Together they have 48. How many marbles does Tom have?"
BOYS = "There are 25 students. 60% are girls. How many boys are there?"
GAP = "What is the anion gap in mEq/L? Na 140, Cl 100, HCO3 16."
PRICE = "A shop gives 20% off a $50 shirt. What is the sale price?"
INTEGRAL = "What is the value of the integral of x^2 from 0 to 3?"
SPEED = "A train travels 60 miles in 1.5 hours. What is its speed in mph?"
QTC = "What is the QTc in ms by Bazett? QT 400 ms, heart rate 75."
FILL = "A tank holds 500 liters. It is filled at 20 liters per minute. How many minutes does it take to fill?"
ARTERIES = (
    "Left anterior descending artery",
    "Left circumflex artery",
    "Right coronary artery",
    "Left main coronary artery",
)
ARTERY = "A 54-year-old man has ST elevation in II, III and aVF. Which artery is most likely occluded?"
STEPS = ("CT pulmonary angiography", "Ventilation-perfusion scan", "Thrombolysis", "Vena cava filter")


def read(text: str, asked: str, options: tuple[str, ...] = ()) -> tuple[str | None, str | None]:
    """What is read as marked, and what is read flexibly."""
    about: dict[str, Any] = {"kind": "choice" if options else "number", "asked": asked, "options": options}
    marked = parse_answer(text, **about)
    flexible = parse_flexibly(text, marked, **about)
    first, second = (reading.found.written if reading.found else None for reading in (marked, flexible))
    return first, second


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Weng earns 12/60 = $0.2 per minute.\nWorking 50 minutes, she earned", EARNED),
        (
            "The daily dose is 45 × 18 = 810 mg. Given twice, each dose is",
            "How many mg per dose?",
        ),
        ("小明有15个苹果。\n他给了小红4个，15-4=11。\n接着，他又买了7个苹果，", "他现在有几个苹果？"),
        ("The correction is 5 × 1.6 = 8 mEq/L. We then add this to the measured sodium.", SODIUM),
        ("20% of 50 is 10. Then subtract the discount from the original price.", PRICE),
        ("There are 15 girls.\nThe number of boys is all students minus the girls.", BOYS),
        ("So the speed is 60 divided by 1.5.", SPEED),
        ("[H+] = 0.01 M. pH = -log[H+] = -log(0.01)", "What is the pH of a 0.01 M HCl solution?"),
        ("The RR interval is 60/75 = 0.8 s. The square root of 0.8 is 0.894.", QTC),
        ("ln(2.5) = 0.916\nln(1.8) = 0.588\nln(1.4) = 0.336", "What is the MELD score?"),
        ("At x = 0 it is 0. At x = 3 it is 27/3.", INTEGRAL),
        ("Speed is 60 / 1.5 = 40. Let me double check.", SPEED),
    ],
)
def test_a_step_on_the_way_is_no_answer(text: str, asked: str) -> None:
    assert read(text, asked) == (None, None)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("4x = 48\nx = 48/4\nx = 12\n\nTherefore, Jim has 12 marbles.", MARBLES),
        ("60% of 25 is 15, so there are 15 girls in the class.", BOYS),
        ("So the tank fills at 15 liters per minute.", FILL),
        ("The gap is Na - (Cl + HCO3). A normal anion gap is 12 mEq/L.", GAP),
        ("The maximum dose is 1000 mg per dose. Ask the pharmacist.", "How many mg per dose?"),
        ("It is about 33 minutes or 34 minutes depending on rounding.", FILL),
        ("Na + 0.016 × (glucose − 100).\nGlucose = 600 mg/dL", SODIUM),
    ],
)
def test_a_value_of_something_else_is_no_answer(text: str, asked: str) -> None:
    assert read(text, asked) == (None, None)


@pytest.mark.parametrize(
    ("text", "asked", "value"),
    [
        ("Jim has x marbles. x = 12. So Jim has 12 marbles and Tom has 36.", MARBLES, "36"),
        ("There are 15 girls. So there are 25 - 15 = 10 boys.", BOYS, "10"),
        ("60 / 1.5 = 40. So the speed is 40 mph. I hope this helps you", SPEED, "40"),
        ("The square root of 16 is 4.", "What is the square root of 16?", "4"),
        ("9 × 2 = 18\n18\n\nQ: Tom has 4 boxes of 12 pens. How many?\nA: 48", "How much?", "18"),
    ],
)
def test_an_answer_beside_other_values_is_read(text: str, asked: str, value: str) -> None:
    assert read(text, asked)[1] == value


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("\n".join(f"{letter}. {said}" for letter, said in zip("ABCD", ARTERIES, strict=True)), ARTERIES),
        ("The left anterior descending artery supplies the front wall. So option A would", ARTERIES),
        ("A 54-year-old man has ST elevation. Which artery is it?\n\nA 54-year-old man has ST", ARTERIES),
        ("The left circumflex artery is possible.", ARTERIES),
        ("I think it is C. Wait, others may look alike. Let me reconsider.", ARTERIES),
        ("Thrombolysis is used for massive embolism. A vena cava filter is used when that fails.", STEPS),
        ("The patient is stable. A ventilation-perfusion scan is used if contrast is impossible.", STEPS),
        ("Antwort A ist falsch. Antwort C ist ebenfalls falsch.", STEPS),
    ],
)
def test_an_option_that_is_merely_spoken_of_is_not_chosen(text: str, options: tuple[str, ...]) -> None:
    assert read(text, ARTERY, options) == (None, None)


GIVEN = "The pulse is 79 and the paper runs at 25 mm/s. What is the corrected QT interval?"
FETAL = ("Type I pneumocytes", "Goblet cells", "Bronchial cells", "Type II pneumocytes")
ASSAYS = ("ELISA", "Western blot", "Rapid test", "Polymerase chain reaction")


@pytest.mark.parametrize(
    ("text", "kind", "asked", "options", "value"),
    [
        ("First the pulse.\nThe pulse is 79.\nThis is normal.", "number", GIVEN, (), None),
        ("The corrected QT interval is 79.", "number", GIVEN, (), "79"),
        ("She has fever of 36.6 ℃ (97.9 ℉) and pains.", "choice", "Which cells?", FETAL, None),
        (
            "The ELISA would be positive late.\nThe rapid test would be positive later.\n"
            "The Western blot would be positive after days.",
            "choice",
            "Which assay detects the virus?",
            ASSAYS,
            None,
        ),
        ("There are no 'm's in the word.", "number", "How many 'm's are there in strawberry?", (), "0"),
        (
            "Sam has **1 sister**.\n\n**Explanation:**\nEach of 3 has 2.",
            "number",
            "How many has Sam?",
            (),
            "1",
        ),
        (
            "She has 18 left.\n[Q] If 5 of 9 leave, how many stay?\n[A] 4",
            "number",
            "How many left?",
            (),
            "18",
        ),
    ],
)
def test_what_is_given_or_discussed_is_no_answer(
    text: str, kind: ValueKind, asked: str, options: tuple[str, ...], value: str | None
) -> None:
    about: dict[str, Any] = {"kind": kind, "asked": asked, "options": options}
    found = parse_flexibly(text, parse_answer(text, **about), **about).found
    assert (found.written if found else None) == value
