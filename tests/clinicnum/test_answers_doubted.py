"""Values that are no answers: repeated from the question, taken back by the text, or merely mentioned."""

import pytest

from clinicnum.parsing import parse_answer, parse_flexibly

RISK = "What is the risk of a cardiovascular event in the next 10 years, in %?"
PHASE = "What is the phase at t = 2 s?"
ARC = ("100", "220", "310")


def read(text: str, asked: str) -> tuple[str | None, str | None]:
    """The number that is read as marked, and the one that is read flexibly."""
    marked = parse_answer(text, kind="number", asked=asked)
    flexible = parse_flexibly(text, marked, kind="number", asked=asked)
    return (
        marked.found.written if marked.found else None,
        flexible.found.written if flexible.found else None,
    )


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Use a calculator, which gives the 10-year risk.", RISK),
        (
            "Please give the threshold that splits it into 2 regions.",
            "Split the image into 2 regions. Which threshold?",
        ),
        (
            "A man who is 76 inches tall has a healthy weight.",
            "What is the ideal weight of a man of 76 inches?",
        ),
    ],
)
def test_a_number_of_the_question_is_no_answer(text: str, asked: str) -> None:
    assert read(text, asked) == (None, None)


@pytest.mark.parametrize(
    ("text", "asked", "value"),
    [
        ("Vậy, pha tại t = 2 s là 20.", PHASE, "20"),
        (
            "So E = (hc)/(400 nm) = 2.93 eV.",
            "Light of 400 nm falls on lithium (phi = 2.93 eV). Which energy?",
            "2.93",
        ),
        (
            "He has 5 apples left.",
            "He had 8 apples and ate 3. How many apples of his 5 apples are left?",
            "5",
        ),
        ("The risk is 10 %.", RISK, "10"),
    ],
)
def test_what_is_counted_or_has_another_unit_is_an_answer(text: str, asked: str, value: str) -> None:
    assert read(text, asked)[1] == value


def test_a_lone_value_far_from_the_end_is_only_mentioned() -> None:
    text = "It snows in 67 countries. " + "How much falls varies with the weather and with the place. " * 10
    assert read(text, "How many snowflakes fall in a winter?")[0] is None
    assert (
        read("It snows. " * 60 + "In all, 67 flakes fall.", "How many snowflakes fall in a winter?")[0]
        == "67"
    )


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Not among the options. The closest answer is B) 220, but it is not correct.", None),
        ("The answer is B, although this option is wrong.", None),
        ("The answer is B, but A is not correct.", "B"),
        ("The answer is B. However, the other values are not right.", "B"),
        ("The answer is A.\nCritique: it may be too small.\nRevised answer: 100 and also 310.", None),
        ("The answer is A.\nRevised answer: B", "B"),
    ],
)
def test_an_answer_that_the_text_takes_back_is_none(text: str, letter: str | None) -> None:
    marked = parse_answer(text, kind="choice", asked="What is the arc?", options=ARC)
    assert (marked.found.written if marked.found else None) == letter
