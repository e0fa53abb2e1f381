import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.parsing.thinking import split_thinking

CASES = {
    "plain text stays as it is": (" 42 \n", False, " 42 \n", None),
    "a block before the answer": ("<think>\n6 x 7\n</think>\n\n42", False, "42", "6 x 7"),
    "blanks before the block": ("\n <think>a</think>b", False, "b", "a"),
    "the long tag": ("<thinking>a</thinking> b", False, "b", "a"),
    "square brackets": ("[THINK]a[/THINK]b", False, "b", "a"),
    "two blocks in a row": ("<think>a</think>\n<think>b</think>\nc", False, "c", "a\n\nb"),
    "an empty block is no thinking": ("<think>\n\n</think>\n\n42", False, "42", None),
    "a block that never closes leaves no answer": ("<think>6 x 7 is", False, "", "6 x 7 is"),
    "opened by the prompt": ("6 x 7</think>42", True, "42", "6 x 7"),
    "opened by the prompt and cut off": ("6 x 7 is", True, "", "6 x 7 is"),
    "opened by the prompt, unknown to the caller": ("6 x 7\n</think>\n42", False, "42", "6 x 7"),
    "a block after other words is part of the answer": (
        "I <think>so</think> 42",
        False,
        "I <think>so</think> 42",
        None,
    ),
    "gpt-oss, its special tokens dropped": ("analysis6 x 7assistantfinal88", False, "88", "6 x 7"),
    "gpt-oss thinks twice": (
        "analysisone.assistantanalysistwo.assistantfinal {1}",
        False,
        "{1}",
        "one.\n\ntwo.",
    ),
    "an analysis in words": ("Analysis: 6 x 7 is 42", False, "Analysis: 6 x 7 is 42", None),
    "analysis without an end": ("analysis of 6 x 7: 42", False, "analysis of 6 x 7: 42", None),
    "nothing": ("", False, "", None),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_thinking_is_kept_apart(case: tuple[str, bool, str, str | None]) -> None:
    text, opened, answer, thinking = case
    assert split_thinking(text, opened) == (answer, thinking)


@given(st.lists(st.sampled_from(["<think>", "</think>", "[THINK]", " ", "\n", "4", "a"])), st.booleans())
def test_the_answer_is_the_end_of_any_text(parts: list[str], opened: bool) -> None:
    text = "".join(parts)
    answer, thinking = split_thinking(text, opened)
    assert text.endswith(answer)
    assert thinking is None or thinking.strip() == thinking != ""
