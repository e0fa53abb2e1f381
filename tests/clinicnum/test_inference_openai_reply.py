"""What servers write back: texts, thinking, counts, tokens and their log-probabilities."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinicnum.inference.client_interface import Completion, Token
from clinicnum.inference.openai.completion import align_tokens, read_reply


def reply(message: dict[str, Any], **choice: Any) -> Completion | str:
    body = {"choices": [{"message": message, **choice}], "usage": choice.pop("usage", None)}
    return read_reply(body, instance_id="i", max_new_tokens=5, latency_s=1.23456)


def good(message: dict[str, Any], **choice: Any) -> Completion:
    completion = reply(message, **choice)
    assert isinstance(completion, Completion)
    return completion


THINKING = {
    "as reasoning_content": {"reasoning_content": "6 x 7\n", "content": "\n\n42"},
    "as reasoning": {"reasoning": "6 x 7", "content": "42"},
    "in the text": {"content": "<think>\n6 x 7\n</think>\n\n42"},
    "opened by the prompt": {"content": "6 x 7</think>42", "reasoning_content": None},
}


@pytest.mark.parametrize("message", THINKING.values(), ids=THINKING)
def test_thinking_is_kept_apart_wherever_it_stands(message: dict[str, Any]) -> None:
    completion = good(message, finish_reason="stop")
    assert (completion.text, completion.thinking) == ("42", "6 x 7")


def test_a_model_that_was_cut_off_while_thinking_gave_no_answer() -> None:
    completion = good({"reasoning_content": "6 x", "content": None}, finish_reason="length")
    assert (completion.text, completion.thinking, completion.finish_reason) == ("", "6 x", "length")


@pytest.mark.parametrize(
    ("given", "made", "reason"),
    [
        ("stop", 5, "stop"),
        ("length", 5, "length"),
        ("max_tokens", 5, "length"),
        ("eos", 3, "stop"),
        ("tool_calls", 3, "stop"),
        (None, 5, "length"),
        (None, 4, "stop"),
    ],
)
def test_reasons_to_finish(given: str | None, made: int, reason: str) -> None:
    completion = good({"content": "x"}, finish_reason=given, usage={"completion_tokens": made})
    assert completion.finish_reason == reason


def test_counts_of_tokens_and_seconds_are_taken_over() -> None:
    completion = good({"content": "x"}, usage={"prompt_tokens": 7, "completion_tokens": 2})
    assert (completion.prompt_tokens, completion.completion_tokens, completion.latency_s) == (7, 2, 1.235)
    bare = good({"content": "x"}, finish_reason="stop")
    assert (bare.prompt_tokens, bare.completion_tokens) == (None, None)


def test_what_was_withheld_is_a_final_error() -> None:
    completion = good({"content": "half an ans"}, finish_reason="content_filter")
    assert (completion.finish_reason, completion.text, completion.transient) == ("error", "", False)
    assert completion.error is not None
    assert "content_filter" in completion.error


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"message": "x"}]},
        {"error": "busy"},
        "x",
    ],
)
def test_what_is_no_completion_is_said(body: Any) -> None:
    assert (
        read_reply(body, instance_id="i", max_new_tokens=1, latency_s=0) == "the answer holds no completion"
    )


def test_a_generation_that_broke_off_is_no_completion() -> None:
    assert reply({"content": "x"}, finish_reason="abort") == "the server broke off (finish_reason abort)"


def entries(*pieces: str | bytes) -> list[tuple[bytes, float]]:
    return [(p if isinstance(p, bytes) else p.encode(), -float(i)) for i, p in enumerate(pieces, start=1)]


HEART = "♥".encode()  # three bytes
ALIGNED = {
    "text alone": ("97 bpm", entries("97", " bpm"), [(2, -1), (6, -2)]),
    "an end token": ("97", entries("97", "<|im_end|>"), [(2, -1), (2, -2)]),
    "an end token without text": ("97", entries("97", ""), [(2, -1), (2, -2)]),
    "an end token and a line feed": ("97", entries("97", "<|im_end|>", "\n"), [(2, -1), (2, -2), (2, -3)]),
    "thinking before": ("97", entries("<think>", "x", "</think>", "\n\n", "97"), [(2, -5)]),
    "blanks cut off": ("97", entries(" ", "97", "\n", "<|im_end|>"), [(2, -2), (2, -3), (2, -4)]),
    "a blank that is part of a token": ("97 b", entries(" 97", " b"), [(2, -1), (4, -2)]),
    "a character in two tokens": (
        "a♥b",
        entries("a", HEART[:1], HEART[1:], "b"),
        [(1, -1), (1, -2), (2, -3), (3, -4)],
    ),
    "the same text in the thinking": ("97", entries("97", "</think>", "97"), [(2, -3)]),
}


@pytest.mark.parametrize("case", ALIGNED.values(), ids=ALIGNED)
def test_tokens_are_placed_in_the_text(
    case: tuple[str, list[tuple[bytes, float]], list[tuple[int, float]]],
) -> None:
    text, generated, expected = case
    assert align_tokens(text, generated) == tuple(Token(end, logprob) for end, logprob in expected)


@pytest.mark.parametrize("generated", [None, [], entries("something", "else"), entries("9")])
def test_tokens_that_do_not_make_the_text_are_left_out(generated: list[tuple[bytes, float]] | None) -> None:
    assert align_tokens("97", generated) is None


@given(st.text(min_size=1), st.data())
def test_tokens_of_any_text_end_with_the_text(text: str, data: st.DataObject) -> None:
    """Cut anywhere, inside characters too, the ends never fall and the last is the text's length."""
    raw = text.encode(errors="replace")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=5)))
    bounds = [0, *cuts, len(raw)]
    pieces = [raw[a:b] for a, b in pairwise(bounds) if b > a]
    placed = align_tokens(raw.decode(), [(piece, -1.0) for piece in pieces])
    assert placed is not None
    ends = [token.end for token in placed]
    assert ends == sorted(ends)
    assert ends[-1] == len(text)


def test_logprobs_are_read_from_bytes_where_there_are_some() -> None:
    content = [
        {"token": "?", "bytes": [57, 55], "logprob": -0.5},
        {"token": "!", "bytes": None, "logprob": -1},
    ]
    completion = good({"content": "97!"}, finish_reason="stop", logprobs={"content": content})
    assert completion.tokens == (Token(2, -0.5), Token(3, -1.0))
    for broken in (
        {"content": None},
        {"content": [{"token": "97"}]},
        {"content": [{"token": "97", "logprob": None}]},
    ):
        assert good({"content": "97"}, logprobs=broken).tokens is None
