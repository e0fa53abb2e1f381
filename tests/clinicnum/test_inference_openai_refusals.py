"""What follows from a server's refusal: when to come back, what to tell people, what to ask for next."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from tenacity import AsyncRetrying, RetryCallState

from clinicnum.inference.client_interface import Decoding, Request
from clinicnum.inference.openai.error_response import safe_line, server_message, verdict
from clinicnum.inference.openai.request_body import Dialect
from clinicnum.inference.openai.retry_delay import AttemptFailed, parse_retry_after, wait_between
from clinicnum.prompt import Message

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
