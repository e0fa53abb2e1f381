"""Values in doubt, which only the flexible verdict reads, and what neither verdict takes for a value."""

from typing import Any

import pytest

from clinicnum.parsing import ValueKind, parse_answer, parse_flexibly

INTEGRAL = "Use eight steps to approximate the integral."
CHANGE = "大林組の経常利益率は何ポイント変化したか。"
CLERK = ("Amy Meyer, the sales clerk", "Cannot be determined.", "Lori Larson, the dentist")
CRIED = ("Roosevelt Banks", "Ayanna Branch", "Can't be determined.")
TESTS = ("Give a transfusion", "Call the ethics board", "Respect the instructions")
WHO_CRIED = "Roosevelt Banks and Ayanna Branch had to wait. Which person cried?"
KEPT = "Which person kept the job?"
STAFF = ("Tom Lee, the nurse", "Cannot be determined.", "Ann Ray, the cook")
SYMPTOMS = ("بخار", "کھانسی")
TRUE, YES = ("True", "False"), ("Yes", "No")
Case = tuple[str, ValueKind, str, tuple[str, ...]]


def read(case: Case) -> tuple[str | None, str | None]:
    """What is read as marked, and what is read flexibly."""
    text, kind, asked, options = case
    about: dict[str, Any] = {"kind": kind, "asked": asked, "options": options}
    marked = parse_answer(text, **about)
    flexible = parse_flexibly(text, marked, **about)
    first, second = (reading.found.written if reading.found else None for reading in (marked, flexible))
    return first, second


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (("It is 4. The answer is 4.\nNow for the rest. The answer is 7.", "number", "How many?", ()), "7"),
        (("The answer is: you will hear it 51.9 seconds later.", "number", "When?", ()), "51.9"),
        (
            (
                "A score of 3 or so is typical of such patients.\nI looked at 24.06 with great care.",
                "number",
                "What is the FIB-4 index?",
                (),
            ),
            None,
        ),
        (
            (
                "There were wonderful flakes, 67 by my eye, on the sill. Their shapes differ a lot.",
                "number",
                "How many snowflakes fell?",
                (),
            ),
            "67",
        ),
        (
            (
                "It depends on how you define it, but one estimate is that there are 129 kinds.",
                "number",
                "How many kinds are there?",
                (),
            ),
            "129",
        ),
    ],
)
def test_a_value_in_doubt_is_for_the_flexible_verdict_alone(case: Case, value: str | None) -> None:
    assert read(case) == (None, value)


def test_an_answer_that_is_taken_back_leaves_the_later_one_without_doubt() -> None:
    assert read(("The answer is 88. Wait. The answer is 110.", "number", "What is it?", ()))[0] == "110"
    assert read(("The answer is 5. The answer is 5.0.", "number", "What is it?", ()))[0] == "5.0"


@pytest.mark.parametrize(
    "case",
    [
        ("Therefore, the answer is ... [the calculated value from Step 7]", "number", INTEGRAL, ()),
        ("Final Answer:\n$-\\frac{\\pi}{6}$", "number", "What is the arcsine?", ()),
        ("Answer: 1.1ポイント低下", "number", CHANGE, ()),
        ("Final Answer: Give a transfusion while calling the board.", "choice", "What next?", TESTS),
        ("If Ayanna Branch cried, then she would have cried at the office.", "choice", WHO_CRIED, CRIED),
        (
            "Option (A) would be good news for him. The one with good news was Lori Larson, the dentist.",
            "choice",
            "Who had good news?",
            CLERK,
        ),
        (
            "The pharmacist was free of drugs because they had none. The line cook was also free of drugs.",
            "choice",
            "A line cook and a pharmacist had their bags searched. Who was free of drugs?",
            ("Can't answer.", "The pharmacist", "The line cook"),
        ),
        (
            "Option A is not very attractive, so that’s out.\n\n"
            "Option B is Kathleen Schneider, who is not very attractive.\n\n"
            "Option C is not enough information.",
            "choice",
            "Q: Who is not very attractive?\nA: Let’s think step by step.",
            ("Kathleen Schneider", "Peter Vang", "Not enough info."),
        ),
        (
            "اقتباس میں تاریخ کا ذکر نہیں ہے۔ سوویت یونین کا زوال 1991 میں ہوا۔",
            "number",
            "سوویت یونین کب آیا؟",
            (),
        ),
    ],
)
def test_formulas_falls_and_what_is_merely_supposed_are_no_answers(case: Case) -> None:
    assert read(case) == (None, None)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "\n".join(f"For the {n} glass he pays 5 * 1/2 = $2.5." for n in ORDINALS)
            + "\nFor the tenth glass he pays 5 * 1",
            "How much does he pay for the glasses?",
        ),
        (
            "He hires as many workers as let him make a profit of $40/hr. So he pays them all at $40/hr.",
            "How many workers will he hire?",
        ),
        (
            "In 2018 it was $56.7. So the net change is -$12.6.",
            "What is the percentage change in other sales?",
        ),
        (
            "Today is 05. Mary put in 6 cups.\nFinal: How many more cups does she add?",
            "How many more cups does she add?",
        ),
        ("There are 520 cars.\nThird part = all cars - first part", "How many cars are in the third part?"),
        ("1. So she works 3 * 3 = 9 hours.\n2.", "How many hours does she work in 4 weeks?"),
        ("The sum is 4 × 26.\nEach article takes 4 hours →", "How many hours does she write?"),
        (
            "comparison of 5 year cumulative total return among the s&p 500 index , and a peer group",
            "What is the growth in the 5 year cumulative total return of the peer group?",
        ),
    ],
)
def test_a_text_that_loops_or_stops_or_gives_another_kind_has_no_answer(text: str, asked: str) -> None:
    assert read((text, "number", asked, ()))[1] is None


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (
            (
                "Roosevelt Banks came with Ayanna Branch.\nAction: Finish[Ayanna Branch]",
                "choice",
                WHO_CRIED,
                CRIED,
            ),
            "B",
        ),
        (("1969ء", "number", "کس سال؟", ()), "1969"),
        (("3 Maret 1942.", "date", "Kapan?", ()), "03/03/1942"),
        (("Das war am 5. März 1942.", "date", "Wann?", ()), "03/05/1942"),
        (
            (
                "Thus\n\\[\\boxed{\\frac{\\sqrt{65}}{2}}\\]",
                "choice",
                "距离为（ ）",
                ("12", "4\\sqrt{5}", "\\frac{\\sqrt{65}}{2}"),
            ),
            "C",
        ),
    ],
)
def test_marked_answers_of_agents_and_in_other_languages(case: Case, value: str) -> None:
    assert read(case)[0] == value


TRUTH = ("True", "False")


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (("No, it is not a subspace.", "choice", "Is W a subspace of R^2?", TRUTH), "B"),
        (("It holds x. Therefore, W is a subspace of R^2.", "choice", "Is W a subspace of R^2?", TRUTH), "A"),
        (
            ("It fails. Therefore, W is not a subspace of R^2.", "choice", "Is W a subspace of R^2?", TRUTH),
            "B",
        ),
        (("Therefore, W may be a subspace of R^2.", "choice", "Is W a subspace of R^2?", TRUTH), None),
        (
            ("It is not clear who cried. So it cannot be determined who cried.", "choice", WHO_CRIED, CRIED),
            "C",
        ),
        (("They both waited.\nThis is good news for Amy Meyer.", "choice", "Who had good news?", CLERK), "A"),
        (("2", "choice", WHO_CRIED, CRIED), "B"),
        (("Lima tahun.", "number", "Berapa lama masa jabatan presiden?", ()), "5"),
        (
            (
                "L = 2 * sqrt(9)\nL = 6\n\nSo the arc length of y = x^{-1} over [1,2] is 6 units.",
                "number",
                "Find the arc length of y = x^{-1} over [1,2].",
                (),
            ),
            "6",
        ),
        (
            (
                "The MELD score of your patient is 30.0. This considers dialysis three times per week.",
                "number",
                "What is the MELD score of the patient with an INR of 2.9?",
                (),
            ),
            "30.0",
        ),
    ],
)
def test_options_that_are_implied_and_unmarked_conclusions(case: Case, value: str | None) -> None:
    assert read(case)[1] == value


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (
            (
                "The area of the rug is approximately 4 square meters.",
                "number",
                "What is the area of a rug that is 4 meters long and 1 meter wide?",
                (),
            ),
            "4",
        ),
        (("Answer: $21_7$", "number", "Compute $13_7 + 5_7$ in base 7.", ()), "21"),
        (("The sum comes to 21_{7}.", "number", "Compute 13 + 5 in base 7.", ()), "21"),
        (("2.کھانسی", "choice", "علامت کیا ہے؟", SYMPTOMS), "B"),
    ],
)
def test_values_after_approximately_with_a_base_or_beside_their_number(case: Case, value: str) -> None:
    assert read(case) == (value, value)


@pytest.mark.parametrize(
    "case",
    [
        ("Answer: $21_7$", "number", "What is the flow?", ()),
        ("1.کھانسی", "choice", "علامت کیا ہے؟", SYMPTOMS),
        ("True/False: The valve of the pump opens to the left.", "choice", "Does the valve open?", TRUE),
        ("Yes or no: the valve of the pump opens to the left.", "choice", "Does the valve open?", YES),
        (
            "1. Tom Lee called his ward this morning and heard that he may stay.\n\n"
            "2. Ann Ray called her kitchen this morning and heard that she may stay.",
            "choice",
            KEPT,
            STAFF,
        ),
    ],
)
def test_a_copied_choice_another_number_and_an_index_of_no_base_are_no_answers(case: Case) -> None:
    assert read(case) == (None, None)
