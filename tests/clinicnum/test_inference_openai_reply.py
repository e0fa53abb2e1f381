"""What servers write back, and what is made of it."""

import json
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import AsyncRetrying, RetryCallState

from clinicnum.inference.client_interface import Completion, Decoding, Request, Token
from clinicnum.inference.openai.completion import align_tokens, read_reply
from clinicnum.inference.openai.error_response import safe_line, server_message, verdict
from clinicnum.inference.openai.request_body import Dialect
from clinicnum.inference.openai.retry_delay import AttemptFailed, parse_retry_after, wait_between
from clinicnum.prompt import Message


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


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0.0),
        ("3", 3.0),
        ("0.25", 0.25),
        ("-5", 0.0),
        ("86400", 600.0),
        ("nan", 0.0),
        ("soon", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:59:30 GMT", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", 30.0),
    ],
)
def test_a_server_may_say_when_to_come_back(header: str | None, seconds: float) -> None:
    assert parse_retry_after(header, now=NOON) == seconds


def waited(attempt: int, retry_after_s: float = 0.0) -> float:
    """Seconds before the attempt after `attempt` (1 is the first)."""
    state = RetryCallState(AsyncRetrying(), None, (), {})
    state.attempt_number = attempt
    trouble = AttemptFailed("http_429", "slow down", retry_after_s)
    state.set_exception((AttemptFailed, trouble, None))  # type: ignore[arg-type]
    return wait_between(0.5)(state)


def test_waits_double_up_to_a_minute_and_are_spread() -> None:
    for attempt in range(1, 12):
        drawn = [waited(attempt) for _ in range(400)]
        highest = min(60, 0.5 * 2 ** (attempt - 1))
        assert 0 <= min(drawn) < 0.05 * highest
        assert 0.95 * highest < max(drawn) <= highest
    assert min(waited(4, 7.0) for _ in range(50)) >= 7


BODIES = {
    "a message in an error": ({"error": {"message": "too\nlong", "type": "x"}}, "HTTP 400: too long"),
    "a message": ({"object": "error", "message": "too long", "code": 400}, "HTTP 400: too long"),
    "a detail": ({"detail": "too long"}, "HTTP 400: too long"),
    "a list of details": (
        {"detail": [{"loc": ["body", "seed"], "msg": "bad", "input": "Heart rate"}]},
        "HTTP 400: body.seed: bad",
    ),
    "a word": ({"error": "too long"}, "HTTP 400: too long"),
    "nothing": ({}, "HTTP 400"),
}


@pytest.mark.parametrize("case", BODIES.values(), ids=BODIES)
def test_the_servers_words_are_one_line(case: tuple[Any, str]) -> None:
    body, line = case
    assert safe_line(400, server_message(json.dumps(body).encode()), secrets=["k"], prompt=["p"]) == line


def test_a_web_page_is_not_repeated() -> None:
    assert server_message(b"<!doctype html><html>502</html>") == ""
    assert server_message(b"Bad Gateway") == "Bad Gateway"


SENT = 'You are a nurse.\nHeart rate 97 bpm at "06:27", temperature 37.2.'
LEAKS = {
    "as it was": f"cannot read: {SENT}",
    "escaped": f"cannot read: {json.dumps(SENT)}",
    "a part of it": "cannot read 'rate 97 bpm at 06:27, temp'",
    "the key": "no such key: sk-secret",
}


@pytest.mark.parametrize("message", LEAKS.values(), ids=LEAKS)
def test_neither_prompt_nor_key_is_repeated(message: str) -> None:
    line = safe_line(400, message, secrets=["", "sk-secret"], prompt=[SENT])
    assert line == "HTTP 400: its message repeats what was sent and is left out"


def test_a_long_message_is_shortened() -> None:
    assert len(safe_line(400, "word " * 1000, secrets=[], prompt=[])) < 260


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (429, "", "again"),
        (408, "", "again"),
        (500, "", "again"),
        (529, "", "again"),
        (400, "maximum context length is 8192 tokens", "final"),
        (413, "", "final"),
        (422, "", "final"),
        (401, "", "end"),
        (403, "", "end"),
        (404, "", "end"),
        (307, "", "end"),
        (400, "Server is pinned to 'a'; requested 'b'.", "end"),
        (400, "The model `b` does not exist.", "end"),
    ],
)
def test_what_follows_from_a_status(status: int, message: str, expected: str) -> None:
    assert verdict(status, message) == expected


REQUEST = Request("i", (Message(role="system", content="s"), Message(role="user", content="u")))
LEARNT = {
    "no system role": (400, "System role not supported", {"messages"}),
    "roles in turn": (500, "Conversation roles must alternate user/assistant/user/assistant", {"messages"}),
    "an unknown word": (
        422,
        "Unexpected fields in the request: {'repetition_penalty'}",
        {"repetition_penalty"},
    ),
    "unknown words": (
        400,
        "Unrecognized request arguments supplied: seed, repetition_penalty",
        {"seed", "repetition_penalty"},
    ),
    "no logprobs": (400, "logprobs are not supported with reasoning models.", {"logprobs"}),
    "a new name": (
        400,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        {"max_tokens", "max_completion_tokens"},
    ),
}


@pytest.mark.parametrize("case", LEARNT.values(), ids=LEARNT)
def test_what_a_server_does_not_take_is_learnt_once(case: tuple[int, str, set[str]]) -> None:
    status, message, changed = case
    dialect = Dialect()
    before = dialect.payload(REQUEST, model="m", decoding=Decoding())
    assert dialect.learn(status, message, before)
    after = dialect.payload(REQUEST, model="m", decoding=Decoding())
    assert {key for key in before | after if before.get(key) != after.get(key)} == changed
    assert not dialect.learn(status, message, after)  # the same words again are another matter


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "This model's maximum context length is 10 tokens; lower max_tokens or max_completion_tokens"),
        (429, "logprobs are not supported now"),
        (401, "System role not supported"),
        (400, ""),
    ],
)
def test_other_refusals_teach_nothing(status: int, message: str) -> None:
    dialect = Dialect()
    payload = dialect.payload(REQUEST, model="m", decoding=Decoding())
    assert not dialect.learn(status, message, payload)
    assert dialect == Dialect()


def test_greedy_text_is_asked_for() -> None:
    payload = Dialect().payload(REQUEST, model="m", decoding=Decoding(max_new_tokens=3, seed=4))
    assert payload == {
        "model": "m",
        "messages": list(REQUEST.messages),
        "temperature": 0,
        "max_tokens": 3,
        "logprobs": True,
        "seed": 4,
        "repetition_penalty": 1.0,
    }
