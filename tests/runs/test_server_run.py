"""`clinicnum run --client openai` against a real server that goes away in the middle."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.inference.generations_journal import complete_lines
from clinicnum.inference.runner import run_instances
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation
from tests.clinicnum.serving import Fault, Reply, Served, faulty_proxy
from tests.runs.conftest import questions, texts
from tests.runs.lying import MODEL, body, lying_server

LIMIT, ANSWERED = 4, 2
KEY = "sk-a-secret-key"


def test_a_server_that_goes_down_ends_the_run_and_nothing_done_is_lost(
    tmp_path: Path,
    bench: Path,
    model_server: Served,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "g.jsonl"
    monkeypatch.setenv("MY_KEY", KEY)
    run = ["run", "--benchmark", str(bench), "--model", model_server.model, "--out", str(out)]
    run += [
        "--client",
        "openai",
        "--api-key-env",
        "MY_KEY",
        "--concurrency",
        "1",
        "--timeout",
        "60",
        "--retries",
        "1",
    ]
    run += ["--max-new-tokens", "3", "--limit", str(LIMIT)]

    asked: list[str] = []

    def goes_down(number: int, head: str, body: str) -> Fault:
        asked.extend([body] if "heart rate" in body else [])  # and not to find out what the server takes
        return "down" if len(asked) > ANSWERED else None

    with faulty_proxy(model_server.url, goes_down) as proxy:
        assert run_command([*run, "--base-url", proxy.url, "--dry-run"]) == 0
        assert "estimated: characters / 4" in capfd.readouterr().out
        assert run_command([*run, "--base-url", proxy.url]) == 2
    said = capfd.readouterr().err.strip().splitlines()
    assert f"{ANSWERED} generated" in said[-3]
    assert said[-1].startswith("error: ")
    assert "cannot be reached" in said[-1]
    kept = out.read_bytes()
    assert kept.count(b"\n") == ANSWERED
    # Another address of the same model continues the run.
    assert run_command([*run, "--base-url", model_server.url]) == 0
    assert f"{ANSWERED} of {LIMIT} are done already" in capfd.readouterr().err
    assert out.read_bytes().startswith(kept)
    assert len(texts(out)) == LIMIT
    meta = read_meta(out) or {}
    assert [session["written"] for session in meta["sessions"]] == [ANSWERED, LIMIT - ANSWERED]
    assert meta["sessions"][1]["base_url"] == model_server.url
    assert meta["dtype"] is None
    assert all(line.generation.completion_tokens == 3 for line in complete_lines(out))
    assert KEY not in out.with_name("g.jsonl.meta.json").read_text() + out.read_text()


def test_what_failed_for_now_is_not_done() -> None:
    """A client that knows an error may pass, as the client for servers does."""

    class Client:
        def complete(self, requests: Iterable[Request], *, decoding: Decoding) -> list[Completion]:
            assert [one.instance_id for one in requests] == ["i0", "i1"]
            return [
                Completion("i0", "", "error", None, None, None, error="server failed", transient=True),
                Completion("i1", "", "error", 9_000, 0, None, error="prompt too long"),
            ]

    written: list[Generation] = []
    postponed: list[Completion] = []
    count = run_instances(
        questions(2),
        client=Client(),  # type: ignore[arg-type]
        run_id="r",
        decoding=Decoding(),
        done=(),
        write=written.append,
        postpone=postponed.append,
    )
    assert (count, [one.instance_id for one in postponed]) == (1, ["i0"])
    assert [(one.instance_id, one.error) for one in written] == [("i1", "prompt too long")]


def test_other_weights_under_the_same_name_do_not_continue_a_run(
    tmp_path: Path, bench: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g.jsonl"
    with lying_server() as server:
        server.honest = True
        server.entry |= {"root": "/models/8b", "created": 1, "max_model_len": 4096}
        run = ["run", "--benchmark", str(bench), "--client", "openai", "--base-url", server.url]
        run += ["--model", MODEL, "--out", str(out), "--max-new-tokens", "3"]
        assert run_command([*run, "--limit", "1"]) == 0
        assert (read_meta(out) or {})["server_says"] == {"root": "/models/8b", "max_model_len": 4096}
        server.entry |= {"created": 2}  # the same weights, loaded again
        assert run_command([*run, "--limit", "2"]) == 0
        server.entry |= {"root": "/models/70b"}
        capfd.readouterr()
        assert run_command([*run, "--limit", "3"]) == 2
    refused = capfd.readouterr().err
    assert "belongs to another run: server_says was" in refused
    assert "/models/70b" in refused
    assert out.read_bytes().count(b"\n") == 2


def test_a_gateway_on_this_machine_is_no_server_of_this_machine(
    tmp_path: Path, bench: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With headers as LiteLLM's proxy sends them; `scripts/dev/evidence litellm` asks a real one."""
    headers = (
        ("x-litellm-version", "1.108.7"),
        ("X-LiteLLM-Model-Api-Base", "https://ours.openai.azure.com/openai/"),
    )
    closed = tmp_path / "closed.jsonl"
    closed.write_bytes(bench.read_bytes())
    with (
        lying_server() as server,
        faulty_proxy(server.url, lambda *asked: Reply(200, json.dumps(body()), headers)) as gateway,
    ):
        run = ["run", "--client", "openai", "--base-url", gateway.url, "--model", MODEL, "--limit", "1"]
        refused = [*run, "--benchmark", str(closed), "--out", str(tmp_path / "closed")]
        assert run_command(refused) == 2
        assert (
            "--base-url: 127.0.0.1 is LiteLLM's proxy, which passes prompts on to ours.openai.azure.com, and "
            in capfd.readouterr().err
        )
        assert not any("heart rate" in sent for sent in gateway.bodies)
        assert not (tmp_path / "closed").exists()
        for name, more in (("closed", ["--allow-remote"]), ("open", [])):
            told = closed if more else bench
            assert run_command([*run, "--benchmark", str(told), "--out", str(tmp_path / name), *more]) == 0
            session = (read_meta(tmp_path / name) or {})["sessions"][0]
            assert session["remote"] is True
            assert "ours.openai.azure.com" in session["gateway"]


def test_tokens_and_costs_are_told_and_no_part_of_the_run(
    tmp_path: Path, bench: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each answer of this server counts 9 tokens of the prompt and 2 of the text."""
    out = tmp_path / "g.jsonl"
    with lying_server() as server:
        server.honest = True
        run = ["run", "--benchmark", str(bench), "--client", "openai", "--base-url", server.url]
        run += ["--model", MODEL, "--out", str(out), "--max-new-tokens", "1000"]
        assert run_command([*run, "--limit", "2"]) == 0
        said = capfd.readouterr().err
        assert "tokens: 18 of prompts and 4 generated, " in said
        assert " tokens a minute" in said
        assert "USD" not in said
        prices = ["--price-input", "500", "--price-output", "10000"]
        assert run_command([*run, *prices, "--limit", "4", "--dry-run"]) == 0
        told = capfd.readouterr().out
        prompts = int(told.split("prompts: ")[1].split(" tokens")[0]) * 500 / 1e6
        assert f"costs: USD {prompts:.2f} to USD {prompts + 20:.2f}, at USD 500 and 10000 for a mill" in told
        assert "tokens a minute on the server" in told
        assert run_command([*run, *prices, "--limit", "4"]) == 0
        said = capfd.readouterr().err
        assert "2 of 4 are done already" in said
        assert f"costs: USD {(18 * 500 + 4 * 10000) / 1e6:.2f}, at USD 500 and 10000 for a million" in said
        for wrong, why in (
            (["--price-input", "1"], "one is missing; give both"),
            (["--price-input", "1", "--price-output", "inf"], "expected amounts in US dollars"),
        ):
            assert run_command([*run, *wrong]) == 2
            assert why in capfd.readouterr().err
    meta = read_meta(out) or {}
    assert [(one["prompt_tokens"], one["new_tokens"]) for one in meta["sessions"]] == [(18, 4), (18, 4)]
    assert "price" not in json.dumps(meta)


def test_template_arguments_reach_the_server_and_are_part_of_the_run(tmp_path: Path, bench: Path) -> None:
    with lying_server() as server:
        server.honest = True
        run = ["run", "--benchmark", str(bench), "--client", "openai", "--base-url", server.url]
        run += ["--model", MODEL, "--max-new-tokens", "3", "--limit", "1"]
        for name, more in (
            ("plain", ()),
            ("low", ("--template-arg", "reasoning_effort=low", "--thinking", "off")),
        ):
            assert run_command([*run, "--out", str(tmp_path / name), *more]) == 0
        sent = json.loads(server.last)["chat_template_kwargs"]
    assert sent == {"enable_thinking": False, "reasoning_effort": "low", "thinking": False}
    plain, low = (read_meta(tmp_path / name) or {} for name in ("plain", "low"))
    assert "template_arguments" not in plain["decoding"]
    assert low["decoding"]["template_arguments"]["reasoning_effort"] == "low"
    assert plain["run_id"] != low["run_id"]
