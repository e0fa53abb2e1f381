"""`clinicnum run` through LiteLLM's proxy in front of llama.cpp's server: `scripts/dev/evidence litellm`.

The suite knows the headers of the proxy's answers only (`test_server_run.py`).
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinicnum.inference.generations_journal import complete_lines
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.clinicnum.serving import Served, free_port, llama_cpp_server, running
from tests.runs.conftest import COUNT, texts

pytestmark = pytest.mark.skipif(
    "CLINICNUM_LITELLM" not in os.environ, reason="LiteLLM's proxy: run by scripts/dev/evidence litellm"
)
UPSTREAM_KEY, MASTER_KEY = "sk-of-the-server", "sk-of-the-proxy"
BEHIND = """
model_list:
  - model_name: behind
    litellm_params:
      model: hosted_vllm/{served.model}
      api_base: {served.url}
      api_key: os.environ/UPSTREAM_KEY
  - model_name: on-bedrock
    litellm_params:
      model: bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0
      aws_region_name: us-east-1
      aws_access_key_id: nobody
      aws_secret_access_key: nothing
      aws_bedrock_runtime_endpoint: http://127.0.0.1:9
general_settings:
  master_key: os.environ/LITELLM_MASTER_KEY
"""


@pytest.fixture(scope="module")
def server(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with llama_cpp_server(small_model, tmp_path_factory.mktemp("llama"), UPSTREAM_KEY) as served:
        yield served


@pytest.fixture(scope="module")
def proxy(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("litellm"), free_port()
    (folder / "config.yaml").write_text(BEHIND.format(served=server))
    program = Path(os.environ["CLINICNUM_LITELLM"]) / "bin" / "litellm"
    command = [str(program), "--config", str(folder / "config.yaml")]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    keys = {"UPSTREAM_KEY": UPSTREAM_KEY, "LITELLM_MASTER_KEY": MASTER_KEY}
    env = keys | {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with running(command, health=f"http://127.0.0.1:{port}/health/liveliness", folder=folder, env=env):
        yield f"http://127.0.0.1:{port}/v1"


def ask(bench: Path, url: str, model: str, key: str, out: Path, *more: str) -> int:
    os.environ["THE_KEY"] = key
    run = ["run", "--client", "openai", "--api-key-env", "THE_KEY", "--benchmark", str(bench)]
    run += ["--base-url", url, "--model", model, "--out", str(out), "--max-new-tokens", "24"]
    return run_command([*run, "--concurrency", "1", *more])


def counted(path: Path) -> set[tuple[object, ...]]:
    found = [line.generation for line in complete_lines(path)]
    return {(one.instance_id, one.finish_reason, one.prompt_tokens, one.completion_tokens) for one in found}


def test_texts_through_the_proxy_are_those_of_the_server(
    tmp_path: Path, bench: Path, server: Served, proxy: str, capfd: pytest.CaptureFixture[str]
) -> None:
    direct, through = tmp_path / "direct.jsonl", tmp_path / "through.jsonl"
    assert ask(bench, server.url, server.model, UPSTREAM_KEY, direct) == 0
    assert ask(bench, proxy, "behind", MASTER_KEY, through) == 0
    assert len(texts(through)) == COUNT
    assert texts(through) == texts(direct)
    here, there = (counted(one) for one in (direct, through))
    assert here == there
    assert all(line.generation.text_confidence for line in complete_lines(through))
    session = (read_meta(through) or {})["sessions"][0]
    assert session["gateway"] == "LiteLLM's proxy, which passes prompts on to 127.0.0.1"
    assert (session["remote"], session["not_taken"]) == (True, [])
    with capfd.disabled():
        print(f"\n{COUNT} of {COUNT} texts, token counts and finish reasons equal through the proxy")


def test_closed_data_stay_and_what_is_wrong_is_one_line(
    tmp_path: Path, bench: Path, proxy: str, capfd: pytest.CaptureFixture[str]
) -> None:
    closed, out = tmp_path / "closed.jsonl", tmp_path / "g.jsonl"
    closed.write_bytes(bench.read_bytes())
    for asked, model, key, why in (
        (closed, "behind", MASTER_KEY, "is LiteLLM's proxy, which passes prompts on to 127.0.0.1, and"),
        (bench, "other", MASTER_KEY, "has no model 'other', it has behind, on-bedrock"),
        (bench, "behind", "sk-wrong", "HTTP 400"),
        # It refuses seed and logprobs for Bedrock; without them it looks for Bedrock, which is not there.
        (bench, "on-bedrock", MASTER_KEY, "BedrockException"),
    ):
        assert ask(asked, proxy, model, key, out, "--retries", "0") == 2
        said = capfd.readouterr().err.strip()
        assert why in said
        assert "\n" not in said
    assert not out.exists()
