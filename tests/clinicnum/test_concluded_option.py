"""A text that ends in an option gives it; what it denies on the way is no decline."""

import pytest

from clinicnum.parsing import Reading, parse_answer

OPTIONS = ("Stop it", "Measure testosterone", "Refer him", "Reassure the mother", "Prescribe sertraline")
ASKED = "Which of the following is the most appropriate next step in management?"
LIST = "".join(f"{letter}) {text} - considered.\n" for letter, text in zip("ABCDE", OPTIONS, strict=True))


def read(text: str) -> Reading:
    return parse_answer(text, kind="choice", asked=ASKED, options=OPTIONS)


@pytest.mark.parametrize(
    "end",
    [
        "The most appropriate next step in management is D) Reassure the mother. He is well.",
        "Therefore, the best step would be D. Reassure the mother.",
        "Based on this, the next step is:\n\nD) Reassure the mother",
    ],
)
def test_the_option_in_which_a_text_ends_is_read_although_a_finding_is_denied(end: str) -> None:
    reading = read(f"No physical abnormalities are found.\n{LIST}\n{end}")
    assert reading.found is not None, reading
    assert reading.found.written == "D"


@pytest.mark.parametrize(
    "end",
    [
        "The most appropriate next step is not D) Reassure the mother.",
        "If the mother insists, the next step is D) Reassure the mother.",
        "The least useful step is D) Reassure the mother.",
        "The best step is D) Reassure the mother and the boy.",
        "The first option is A) Stop it. The second option is B) Measure testosterone.",
        "The best step is A) Stop it. The safest step is D) Reassure the mother.",
        "What is to be chosen is:\nA) Stop it\nB) Measure testosterone",
    ],
)
def test_an_option_that_is_denied_conditional_or_one_of_several_is_not_read(end: str) -> None:
    assert read(f"{LIST}\n{end}").kind == "unparsable"


def test_a_text_that_names_an_option_in_passing_is_not_said_to_hold_no_option_text() -> None:
    reading = read(
        "The boy is well. In such a case doctors reassure the mother before they do anything else. " * 4
    )
    assert reading.why == "no option is marked as the answer, by letter or by text"
