"""The client against a real server behind a proxy that fails on purpose."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.openai import OpenAIClient
from clinicnum.prompt import Message
from tests.clinicnum.serving import Fault, Plan, Reply, Served, faulty_proxy

TWO = Decoding(max_new_tokens=2)
KEY = "sk-a-secret-key"
SYSTEM = "Be brief."
COUNT = 30
"""Instances that, with the requests that fail, let each of `every_fifth_fails` come at least once."""


def asked(count: int) -> list[Request]:
    return [
        Request(str(i), (Message(role="system", content=SYSTEM), Message(role="user", content=f"Say {i}.")))
        for i in range(count)
    ]


def completed(
    server: Served,
    plan: Plan,
    *,
    count: int = 3,
    concurrency: int = 1,
    timeout_s: float = 60,
    retries: int = 3,
) -> tuple[list[Completion], OpenAIClient, list[Fault]]:
    with faulty_proxy(server.url, plan) as proxy:
        client = OpenAIClient(
            proxy.url,
            server.model,
            api_key=KEY,
            concurrency=concurrency,
            timeout_s=timeout_s,
            retries=retries,
            backoff_s=0.05,
        )
        return list(client.complete(asked(count), decoding=TWO)), client, proxy.faults


def every_fifth_fails(number: int, head: str, body: str) -> Fault:
    if number % 5:
        return None
    now = format_datetime(datetime.now(UTC), usegmt=True)
    faults: tuple[Fault, ...] = (
        Reply(503, "", (("Retry-After", now),)) if number > 20 else Reply(500, "Internal Server Error"),
        Reply(429, '{"error": {"message": "slow down"}}', (("Retry-After", "0.2"),)),
        "reset",
        "stall",
    )
    return faults[(number // 5 - 1) % 4]


def test_nothing_is_lost_behind_a_server_that_fails_and_stalls(model_server: Served) -> None:
    """Every fifth request fails, each kind of fault comes, and the twentieth is never answered."""
    completions, client, faults = completed(
        model_server, every_fifth_fails, count=COUNT, concurrency=4, timeout_s=5, retries=6
    )

    assert sorted(c.instance_id for c in completions) == sorted(str(i) for i in range(COUNT))
    assert {c.finish_reason for c in completions} <= {"stop", "length"}
    plain = {c.instance_id: c.text for c in completed(model_server, lambda *_: None, count=6)[0]}
    assert {c.instance_id: c.text for c in completions if c.instance_id in plain} == plain

    planned = Counter(f"http_{f.status}" if isinstance(f, Reply) else f for f in faults if f)
    assert set(planned) == {"stall", "reset", "http_429", "http_500", "http_503"}
    counts = client.counts
    assert {key: counts[key] for key in planned if key.startswith("http_")} == {
        key: number for key, number in planned.items() if key.startswith("http_")
    }
    assert counts["connection"] == planned["reset"]
    assert counts["timeout"] >= planned["stall"]  # a busy machine may be late by itself
    assert counts["completed"] == COUNT
    assert "failed" not in counts
    assert counts["retries"] == sum(counts[k] for k in counts if k not in ("completed", "retries"))


def test_a_server_that_dies_on_the_way_ends_the_run_and_what_it_gave_is_kept(model_server: Served) -> None:
    questions: list[int] = []

    def dies_at_the_sixth(number: int, head: str, body: str) -> Fault:
        questions.extend([number] * ("Say " in body))
        return "down" if len(questions) == 6 else None

    with faulty_proxy(model_server.url, dies_at_the_sixth) as proxy:
        client = OpenAIClient(proxy.url, model_server.model, concurrency=2, retries=3, backoff_s=0.02)
        client.check()
        kept: list[Completion] = []
        with pytest.raises(InputError, match=r"cannot be reached .*; start the server"):
            kept.extend(client.complete(asked(12), decoding=TWO))
    good = [c for c in kept if not c.error]
    assert len(good) in (4, 5)  # five came before the sixth; the last of them may still be under way
    assert all(c.transient for c in kept if c.error)


def test_what_a_request_could_not_get_may_pass_and_is_said_to(model_server: Served) -> None:
    def one_is_poison(number: int, head: str, body: str) -> Fault:
        return Reply(500, "out of memory") if "Say 1." in body else None

    completions, client, _ = completed(model_server, one_is_poison, count=3, retries=1)
    failed = [c for c in completions if c.error]
    assert [(c.instance_id, c.finish_reason, c.transient, c.text) for c in failed] == [
        ("1", "error", True, "")
    ]
    assert failed[0].error == (
        "no answer in 2 attempts (last: HTTP 500: out of memory); run the same command again"
    )
    assert client.counts == {"completed": 2, "http_500": 2, "retries": 1, "failed": 1}


def test_a_server_that_only_fails_ends_the_run(model_server: Served) -> None:
    with pytest.raises(InputError, match=r"failed 8 requests in a row, each 2 times \(last: HTTP 503"):
        completed(model_server, lambda *_: Reply(503), count=30, concurrency=4, retries=1)


def test_a_prompt_that_does_not_fit_is_one_error_and_is_final(model_server: Served) -> None:
    message = "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens."

    def too_long(number: int, head: str, body: str) -> Fault:
        said = json.dumps({"error": {"message": message, "type": "BadRequestError", "code": 400}})
        return Reply(400, said) if "Say 1." in body else None

    completions, client, _ = completed(model_server, too_long, count=3)
    error = next(c for c in completions if c.instance_id == "1")
    assert (error.finish_reason, error.transient) == ("error", False)
    assert error.error == (
        f"the server cannot run it (HTTP 400: {message[:-1]}); "
        "serve the model with a longer window, or leave the instance out"
    )
    assert client.counts == {"completed": 2, "refused": 1, "http_400": 1}


def test_a_wrong_key_ends_the_run_and_is_not_repeated(model_server: Served) -> None:
    def guarded(number: int, head: str, body: str) -> Fault:
        if f"authorization: bearer {KEY}x\r\n" in head.lower():
            return None
        return Reply(401, json.dumps({"error": {"message": f"Incorrect API key provided: {KEY[:8]}***"}}))

    with pytest.raises(InputError, match=r"\(HTTP 401\); give the key that the server expects") as caught:
        completed(model_server, guarded)
    assert KEY[:8] not in str(caught.value)
    with faulty_proxy(model_server.url, guarded) as proxy:
        right = OpenAIClient(proxy.url, model_server.model, api_key=KEY + "x")
        assert right.check() == f"{model_server.model}@main"


def test_a_server_without_a_system_role_is_asked_without_one(model_server: Served) -> None:
    def no_system(number: int, head: str, body: str) -> Fault:
        roles = [turn["role"] for turn in json.loads(body)["messages"]]
        return (
            Reply(400, '{"error": {"message": "System role not supported"}}') if "system" in roles else None
        )

    completions, client, faults = completed(model_server, no_system)
    assert [c.error for c in completions] == [None] * 3
    assert client.describe()["system_folded"] is True
    assert sum(fault is not None for fault in faults) == 1  # asked once, remembered


def test_a_server_without_logprobs_is_asked_without_them(model_server: Served) -> None:
    def no_logprobs(number: int, head: str, body: str) -> Fault:
        asks = "logprobs" in json.loads(body)
        return Reply(400, '{"error": {"message": "logprobs is not supported"}}') if asks else None

    completions, client, faults = completed(model_server, no_logprobs)
    assert [c.error for c in completions] == [None] * 3
    assert client.describe()["not_taken"] == ["logprobs", "repetition_penalty"]
    assert sum(fault is not None for fault in faults) == 1


def test_an_answer_that_is_none_is_asked_for_again(model_server: Served) -> None:
    def garbled(number: int, head: str, body: str) -> Fault:
        said = {1: "<html>welcome</html>", 3: '{"choices": []}', 4: '{"error": "busy"}'}
        return Reply(200, said[number]) if number in said else None

    completions, client, _ = completed(model_server, garbled)
    assert [c.error for c in completions] == [None] * 3
    assert client.counts["garbled"] == 3


def test_a_redirect_is_not_followed(model_server: Served) -> None:
    elsewhere = (("Location", "http://example.org/v1/chat/completions"),)
    with pytest.raises(InputError, match="HTTP 307"):
        completed(model_server, lambda *_: Reply(307, "", elsewhere))


def test_an_interrupt_ends_the_run_at_once(model_server: Served) -> None:
    """Ctrl-C while every request waits: a KeyboardInterrupt and nothing else, within seconds."""
    program = (
        # Started in a shell's background, a process inherits that an interrupt is ignored.
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from clinicnum.inference.openai import OpenAIClient\n"
        "from clinicnum.inference.client_interface import Decoding, Request\n"
        "client = OpenAIClient(sys.argv[1], 'm')\n"
        "requests = [Request(str(i), ({'role': 'user', 'content': 'x'},)) for i in range(4)]\n"
        "try: list(client.complete(requests, decoding=Decoding()))\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    with faulty_proxy(model_server.url, lambda *_: "stall") as proxy:
        process = subprocess.Popen(
            [sys.executable, "-c", program, proxy.url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ,
        )
        try:
            deadline = time.monotonic() + 60
            while len(proxy.bodies) < 4 and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
            process.communicate()
    assert (out, err, process.returncode) == (b"interrupted\n", b"", 0)
