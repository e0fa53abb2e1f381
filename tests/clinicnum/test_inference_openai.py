"""The client against a real server: `transformers serve` with the small model in float32."""

import socket
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Decoding, Request
from clinicnum.inference.local import LocalClient
from clinicnum.inference.openai import OpenAIClient, is_local
from clinicnum.inference.openai.request_loop import Server
from clinicnum.inference.openai.server_address import api_url
from clinicnum.prompt import Message
from tests.clinicnum.serving import Served, free_port

KEY = "sk-a-secret-key"
SHORT = Decoding(max_new_tokens=8)
QUESTIONS = ("What is 2 + 2?", "Name a colour.", "Say just: yes", "Which is higher, 118 or 97?")


def asked(name: str, text: str) -> Request:
    return Request(
        name, (Message(role="system", content="Answer briefly."), Message(role="user", content=text))
    )


REQUESTS = [asked(str(i), text) for i, text in enumerate(QUESTIONS)]


def test_a_server_says_greedily_what_the_local_client_says(model_server: Served, small_model: Path) -> None:
    client = OpenAIClient(model_server.url, model_server.model, concurrency=4)
    local = LocalClient.load(small_model, dtype="float32")

    there = {c.instance_id: c for c in client.complete(REQUESTS, decoding=SHORT)}
    here = {c.instance_id: c for c in local.complete(REQUESTS, decoding=SHORT)}

    assert sorted(there) == sorted(here) == [request.instance_id for request in REQUESTS]
    for name, completion in here.items():
        said = there[name]
        assert (said.text, said.finish_reason) == (completion.text, completion.finish_reason)
        assert (said.prompt_tokens, said.completion_tokens) == (
            completion.prompt_tokens,
            completion.completion_tokens,
        )
        assert said.latency_s is not None
        assert said.latency_s > 0
    assert {completion.finish_reason for completion in there.values()} == {"stop", "length"}
    assert client.counts["completed"] == len(REQUESTS)


def test_the_check_names_the_model_and_learns_what_is_not_taken(model_server: Served) -> None:
    address = model_server.url.removesuffix("/v1")
    client = OpenAIClient(address, model_server.model, api_key=KEY)
    assert client.check() == f"{model_server.model}@main"
    described = client.describe()
    assert described["base_url"] == model_server.url
    assert described["served_model"] == f"{model_server.model}@main"
    assert described["not_taken"] == ["repetition_penalty"]
    assert KEY not in repr(described) + repr(vars(client))


def test_an_unknown_model_ends_the_run_with_one_line(model_server: Served) -> None:
    client = OpenAIClient(model_server.url, "no/such-model")
    with pytest.raises(InputError, match=r"refuses 'no/such-model' .*name the model as the server does$"):
        client.check()
    with pytest.raises(InputError, match="refuses 'no/such-model'"):
        next(client.complete(REQUESTS, decoding=SHORT))


def test_a_server_that_is_down_is_said_in_one_line() -> None:
    client = OpenAIClient(f"http://127.0.0.1:{free_port()}", "m", retries=2, backoff_s=0.01)
    with pytest.raises(InputError, match=r"cannot be reached \(.*\); start the server"):
        client.check()
    with pytest.raises(InputError, match=r"cannot be reached \(.*\); start the server"):
        list(client.complete(REQUESTS, decoding=SHORT))
    assert client.counts["connection"] >= 3


def test_a_wrong_path_is_said_in_one_line(model_server: Served) -> None:
    wrong = model_server.url.removesuffix("/v1") + "/api"
    with pytest.raises(InputError, match=r"HTTP 404: Not Found\); give the address below which"):
        OpenAIClient(wrong, model_server.model).check()


def test_closing_the_iterator_stops_the_requests(model_server: Served) -> None:
    client = OpenAIClient(model_server.url, model_server.model, concurrency=2)
    completions = client.complete(REQUESTS * 5, decoding=SHORT)
    next(completions)
    completions.close()
    assert client.counts["completed"] < 5


def test_no_requests_need_no_server() -> None:
    assert list(OpenAIClient("http://127.0.0.1:9", "m").complete([], decoding=SHORT)) == []


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:8000", True),
        ("https://127.8.9.1/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://0.0.0.0:8000/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://user@example.org@127.0.0.1/v1", True),
        ("http://127.0.0.1@example.org/v1", False),
        ("http://10.0.0.1:8000/v1", False),
        ("http://gpu-node-3:8000/v1", False),
        ("", False),
        ("localhost:8000", False),
        ("http://localhost:port/v1", False),
        ("http://[::]:8000/v1", False),
        ("http://[::ffff:10.0.0.1]/v1", False),
        ("http://[2001:db8::1]/v1", False),
        ("http://[::1].example.org/v1", False),
        ("http://localhost.:8000/v1", False),
        ("http://localhost@example.org/v1", False),
        ("http://127.0.0.1\\@example.org/v1", False),
        ("http://127.0.0.1\t.example.org/v1", False),
        ("http://127.0.0.1%2eexample.org/v1", False),
        ("http://2130706433/v1", False),
        ("http://0x7f000001/v1", False),
    ],
)
def test_only_loopback_is_local(address: str, local: bool) -> None:
    assert is_local(address) is local


@pytest.mark.parametrize("numbers", [["10.0.0.5"], ["127.0.0.1", "10.0.0.5"], []])
def test_a_localhost_that_the_list_of_hosts_sends_elsewhere_is_not_local(
    numbers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of hosts is root's, so what it would say is put in its place."""

    def resolve(*_: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        if not numbers:
            raise OSError("no such name")
        return [(2, 1, 6, "", (number, 0)) for number in numbers]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert not is_local("http://localhost:8000/v1")
    assert is_local("http://127.0.0.1:8000/v1")


def test_neither_a_redirect_nor_a_proxy_carries_prompts_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.org:3128")
    server = Server("http://127.0.0.1:9/v1", "m", "", concurrency=1, timeout_s=1.0, retries=0, backoff_s=0.0)
    http = server.http()
    assert (http.follow_redirects, http.trust_env) == (False, False)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/v1"),
        ("https://example.org/models/v1/", "https://example.org/models/v1"),
    ],
)
def test_an_address_may_leave_v1_out(given: str, used: str) -> None:
    assert api_url(given) == used


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://host:port", "not an address"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is not the address of a server; expected one such as http://"):
        OpenAIClient(address, "m")


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="give the address alone") as caught:
        OpenAIClient("http://me:hunter2@example.org/v1?key=hunter2", "m")
    assert "hunter2" not in str(caught.value)


def test_a_key_that_no_header_carries_is_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="the API key holds a character") as caught:
        OpenAIClient("http://127.0.0.1", "m", api_key="sk-secret\n")
    assert "secret" not in str(caught.value)
