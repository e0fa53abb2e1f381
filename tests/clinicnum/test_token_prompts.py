"""Prompts as token ids, and the answers of engines that return ids, with log-probabilities or without."""

import math
from pathlib import Path
from typing import Any

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.local import LocalClient, ends_and_window, load_tokenizer
from clinicnum.inference.openai.token_prompts import TokenPrompts, settings_that_stay
from clinicnum.prompt import Message

DECODING = Decoding(max_new_tokens=12)
REQUEST = Request("i", (Message(role="user", content="Name two colours, briefly."),))
LOGPROBS = (-0.25, -0.5, -0.125)


@pytest.fixture(scope="module")
def tokenizer(small_model: Path) -> Any:
    return load_tokenizer(small_model)


@pytest.fixture
def prompts(tokenizer: Any) -> TokenPrompts:
    return TokenPrompts(tokenizer, ends=[2], window=64)


def read(prompts: TokenPrompts, **choice: Any) -> Completion:
    body = {"choices": [choice], "usage": {"completion_tokens": 3}}
    found = prompts.read(body, REQUEST, DECODING, 0.5)
    assert isinstance(found, Completion), found
    return found


def test_a_request_holds_what_the_local_client_would_show_the_model(
    prompts: TokenPrompts, small_model: Path
) -> None:
    local = LocalClient.load(small_model, dtype="float32")
    row = local._rows([REQUEST], DECODING)[0]
    sent = prompts.payload(REQUEST, model="m", decoding=DECODING)
    assert sent["prompt"] == row.prompt
    assert (sent["max_tokens"], sent["temperature"], sent["stop_token_ids"]) == (12, 0, [2])
    assert ends_and_window(small_model, local.tokenizer) == (local._ends, local._window)


def test_new_tokens_are_bounded_by_the_window_and_a_longer_prompt_is_an_error(tokenizer: Any) -> None:
    length = len(TokenPrompts(tokenizer, ends=[2], window=64).prompt(REQUEST, DECODING).ids)
    tight = TokenPrompts(tokenizer, ends=[2], window=length + 5)
    assert tight.impossible(REQUEST, DECODING) is None
    assert tight.payload(REQUEST, model="m", decoding=DECODING)["max_tokens"] == 5
    over = TokenPrompts(tokenizer, ends=[2], window=length).impossible(REQUEST, DECODING)
    assert over is not None
    assert (over.finish_reason, over.prompt_tokens) == ("error", length)


def test_returned_ids_are_read_by_the_models_own_tokenizer(prompts: TokenPrompts, tokenizer: Any) -> None:
    ids = tokenizer("Red, blue", add_special_tokens=False)["input_ids"]
    logprobs = [-0.25] * len(ids)
    of_vllm = read(
        prompts,
        text=" something that the engine's detokeniser wrote",
        finish_reason="stop",
        token_ids=[*ids, 2],
        logprobs={"token_logprobs": [*logprobs, -0.5], "tokens": ["?"] * (len(ids) + 1)},
    )
    assert (of_vllm.text, of_vllm.finish_reason, of_vllm.completion_tokens) == (
        "Red, blue",
        "stop",
        len(ids) + 1,
    )
    assert of_vllm.tokens is not None
    assert [one.logprob for one in of_vllm.tokens] == [*logprobs, -0.5]
    assert of_vllm.tokens[-1].end == len("Red, blue")

    entries = [{"id": one, "token": "?", "bytes": [63], "logprob": -0.25} for one in ids]
    of_llama = read(prompts, text="Red, blue", finish_reason="length", logprobs={"content": entries})
    assert (of_llama.text, of_llama.finish_reason) == ("Red, blue", "length")
    assert of_llama.tokens is not None
    assert [one.end for one in of_llama.tokens] == [one.end for one in of_vllm.tokens[:-1]]


def test_ids_that_lack_some_give_way_to_the_text(prompts: TokenPrompts, tokenizer: Any) -> None:
    """llama.cpp leaves out tokens that hold a part of a character."""
    first = tokenizer("97", add_special_tokens=False)["input_ids"]
    entries = [{"id": one, "logprob": -0.25} for one in first[:2]]
    found = read(prompts, text="97 😀", finish_reason="length", logprobs={"content": entries})
    assert (found.text, found.completion_tokens, found.tokens) == ("97 😀", 3, None)


def test_without_ids_the_engines_text_is_taken(prompts: TokenPrompts) -> None:
    given = {"tokens": ["Red", ",", " blue"], "token_logprobs": list(LOGPROBS)}
    of_sglang = read(prompts, text="Red, blue", finish_reason="stop", logprobs=given)
    assert of_sglang.tokens is not None
    assert [(one.end, one.logprob) for one in of_sglang.tokens] == [(3, -0.25), (4, -0.5), (9, -0.125)]
    plain = read(prompts, text="<think>hm</think>Red", finish_reason="stop")
    assert (plain.text, plain.thinking, plain.tokens, plain.completion_tokens) == ("Red", "hm", None, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"token_ids": [1, -2, 3]},
        {"token_ids": [True, 2, 3]},
        {"token_ids": "123"},
        {"logprobs": {"content": [{"id": 1.5, "logprob": -1}]}},
        {"logprobs": {"tokens": ["a"], "token_logprobs": [math.nan]}},
        {"logprobs": {"tokens": ["a"], "token_logprobs": [3.0]}},
        {"logprobs": [1]},
    ],
)
def test_ids_and_log_probabilities_that_are_none_are_not_believed(
    prompts: TokenPrompts, wrong: dict[str, Any]
) -> None:
    found = read(prompts, text="Red", finish_reason="stop", **wrong)
    assert (found.text, found.tokens) == ("Red", None)


def test_an_answer_without_text_is_asked_for_again(prompts: TokenPrompts) -> None:
    for body in ({}, {"choices": []}, {"choices": [{"text": None}]}, [], {"choices": [{"message": {}}]}):
        assert prompts.read(body, REQUEST, DECODING, 0.5) == "the answer holds no completion"
    broken = {"choices": [{"text": "Re", "finish_reason": "abort"}]}
    assert prompts.read(broken, REQUEST, DECODING, 0.5) == "the server broke off (finish_reason abort)"


def test_a_parameter_that_is_refused_is_left_out(prompts: TokenPrompts) -> None:
    sent = prompts.payload(REQUEST, model="m", decoding=DECODING)
    assert prompts.learn(422, "Unexpected fields in the request: {'stop_token_ids'}", sent)
    assert "stop_token_ids" not in prompts.payload(REQUEST, model="m", decoding=DECODING)
    assert not prompts.learn(400, "the prompt is too long", sent)
    assert not prompts.learn(401, "unknown key: seed", sent)


def test_text_goes_out_only_if_the_same_ids_are_read_in_it(tokenizer: Any) -> None:
    form = TokenPrompts(tokenizer, ends=[2], window=64, form="text")
    sent = form.payload(REQUEST, model="m", decoding=DECODING)
    assert tokenizer(sent["prompt"])["input_ids"] == list(form.prompt(REQUEST, DECODING).ids)

    class Adds:
        """A server's tokenizer that puts something before every text."""

        def __getattr__(self, name: str) -> Any:
            return getattr(tokenizer, name)

        def __call__(self, text: Any, **options: Any) -> Any:
            found = tokenizer(text, **options)
            return found if isinstance(text, list) else {"input_ids": [7, *found["input_ids"]]}

    with pytest.raises(InputError, match="takes prompts as text only, and would read other tokens"):
        TokenPrompts(Adds(), ends=[2], window=64, form="text").prompt(REQUEST, DECODING)


def test_settings_that_no_request_can_take_away_are_named() -> None:
    harmless = {"eos_token_id": [1, 2], "temperature": 0.6, "top_p": 0.9, "suppress_tokens": None}
    assert settings_that_stay(harmless | {"repetition_penalty": 1.1}) == []
    assert settings_that_stay(harmless | {"suppress_tokens": [5], "bad_words_ids": [[7]]}) == [
        "bad_words_ids",
        "suppress_tokens",
    ]
    assert settings_that_stay([]) == []
