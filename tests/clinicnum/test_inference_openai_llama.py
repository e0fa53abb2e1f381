"""The client against llama.cpp's server: log-probabilities, a key, a window that is too short.

Where `scripts/dev/llama_server` has not built it, it is not built here: that takes a quarter of an hour.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.local import LocalClient
from clinicnum.inference.openai import OpenAIClient
from clinicnum.prompt import Message
from tests.clinicnum.serving import Served, llama_cpp_server

KEY = "sk-a-secret-key"
SHORT = Decoding(max_new_tokens=8)


def asked(name: str, text: str) -> Request:
    return Request(
        name, (Message(role="system", content="Answer briefly."), Message(role="user", content=text))
    )


REQUESTS = [asked(str(i), f"What is {i} plus {2 * i}?") for i in range(6)]


@pytest.fixture(scope="module")
def llama_server(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with llama_cpp_server(small_model, tmp_path_factory.mktemp("llama"), KEY) as served:
        yield served


@pytest.fixture(scope="module")
def completions(llama_server: Served) -> dict[str, Completion]:
    client = OpenAIClient(llama_server.url, llama_server.model, api_key=KEY, concurrency=4)
    return {c.instance_id: c for c in client.complete(REQUESTS, decoding=SHORT)}


def test_the_same_weights_say_the_same(completions: dict[str, Completion], small_model: Path) -> None:
    local = LocalClient.load(small_model, dtype="float32")
    here = {c.instance_id: c for c in local.complete(REQUESTS, decoding=SHORT)}
    for name, completion in here.items():
        there = completions[name]
        assert (there.text, there.finish_reason) == (completion.text, completion.finish_reason)
        assert there.prompt_tokens == completion.prompt_tokens
        if completion.tokens is not None:
            assert there.tokens is not None
            assert [t.end for t in there.tokens] == [t.end for t in completion.tokens]
            # llama.cpp keeps its attention cache in half precision.
            differences = [
                abs(a.logprob - b.logprob) for a, b in zip(there.tokens, completion.tokens, strict=True)
            ]
            assert max(differences) < 0.05


def test_log_probabilities_belong_to_pieces_of_the_text(completions: dict[str, Completion]) -> None:
    for completion in completions.values():
        assert completion.tokens is not None
        ends = [token.end for token in completion.tokens]
        assert ends == sorted(ends)
        assert ends[-1] == len(completion.text)
        assert all(token.logprob <= 0 for token in completion.tokens)


def test_a_prompt_longer_than_the_window_is_one_error(llama_server: Served) -> None:
    client = OpenAIClient(llama_server.url, llama_server.model, api_key=KEY)
    long = asked("long", "97 bpm. " * 600)
    said = {c.instance_id: c for c in client.complete([long, REQUESTS[0]], decoding=SHORT)}
    assert said["0"].error is None
    error = said["long"]
    assert (error.finish_reason, error.transient, error.text) == ("error", False, "")
    assert error.error is not None
    assert error.error.endswith("serve the model with a longer window, or leave the instance out")
    assert "bpm" not in error.error


def test_the_key_and_the_name_are_asked_for(llama_server: Served) -> None:
    assert OpenAIClient(llama_server.url, "smollm2", api_key=KEY).check() == "smollm2"
    with pytest.raises(InputError, match=r"\(HTTP 401\); give the key"):
        OpenAIClient(llama_server.url, "smollm2").check()
    with pytest.raises(InputError, match="has no model 'other', it has smollm2; name the model"):
        OpenAIClient(llama_server.url, "other", api_key=KEY).check()
