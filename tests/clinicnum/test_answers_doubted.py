"""Values that are no answers: repeated from the question, taken back by the text, or merely mentioned."""

from typing import Any

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


CELLS = ("B-cells, dendritic cells and macrophages", "Platelets", "T-cells", "All nucleated cells")
TESTS = ("Vitamin B12", "B-type natriuretic peptide", "C-reactive protein", "D-dimer")
BURNS = ("wood", "stone", "iron", "glass")


@pytest.mark.parametrize(
    ("text", "options", "letter"),
    [
        ("A: B-cells, dendritic", CELLS, "A"),
        ("B-cells, dendritic cells and macrophages", CELLS, "A"),
        ("The answer is T-cells.", CELLS, "C"),
        ("B-Platelets", CELLS, "B"),
        ("Answer: C-reactive protein", TESTS, "C"),
        ("Answer: B-type natriuretic peptide", TESTS, "B"),
    ],
)
def test_a_letter_that_begins_a_word_is_no_option(text: str, options: tuple[str, ...], letter: str) -> None:
    for reading in both(text, options):
        assert reading == letter


@pytest.mark.parametrize(
    "text",
    [
        "- Wood is dry and takes fire at once.\n- Stone does not.\n- Iron melts.\n- Glass is burns-proof.",
        "Option B) stone is true, as it burns. Option D) glass is true, as it burns. The iron of the",
    ],
)
def test_a_text_that_goes_through_the_options_or_calls_several_right_chooses_none(text: str) -> None:
    assert both(text, BURNS, "Which of these burns?") == (None, None)


def both(text: str, options: tuple[str, ...], asked: str = "Which one?") -> tuple[str | None, str | None]:
    """The letter that is read as marked, and the one that is read flexibly."""
    about: dict[str, Any] = {"kind": "choice", "asked": asked, "options": options}
    marked = parse_answer(text, **about)
    flexible = parse_flexibly(text, marked, **about)
    first, second = (reading.found.written if reading.found else None for reading in (marked, flexible))
    return first, second


def test_a_number_to_compute_with_is_no_result() -> None:
    height = "What is the height of the triangle?"
    assert read("The height is equal to its area divided by 25.", height)[1] is None
    assert read("The height is 50 divided by 25. So it is 2.", height)[1] == "2"


def test_what_is_counted_is_read_though_the_question_has_the_same_number() -> None:
    asked = "Sally has 3 brothers. Each brother has 2 sisters. How many sisters does Sally have?"
    assert read("Sally has 2 sisters.", asked)[1] == "2"


@pytest.mark.parametrize(
    "text",
    [
        "I gave 2 apples to the neighbour and 2 to the man.\nThen I ate 1 of them all.",
        "There are 7 of us.\n" + "He took 4 apples in total.\n" * 8 + "He took 4",
        "The sides are 3 and 4.\nThe angle is 90 degrees.\nOnce I have the exact reading, I will go on.",
    ],
)
def test_a_text_that_repeats_the_question_or_itself_or_asks_back_has_no_answer(text: str) -> None:
    asked = "I gave 2 apples to the neighbour and 2 to the man. Then I ate 1 of them all. What is left of 10?"
    assert read(text, asked)[1] is None


def test_an_invented_question_in_brackets_ends_the_text() -> None:
    text = "So 540 meters. The answer is 540.\n[Question]How many came?\n[Answer]The answer is 20."
    assert read(text, "How many meters does he run?") == ("540", "540")
