"""Three real servers behind one address, as a router without health checks has them: one is killed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.clinicnum.serving import Fault, Served, faulty_proxy, transformers_server
from tests.runs.conftest import COUNT, texts

DIES_AT = 5
"""The request at which it is killed: each server has one under way then."""


@pytest.fixture
def fleet(
    model_server: Served, small_model: Path, model_programs: Path, tmp_path: Path
) -> Iterator[list[Served]]:
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        folders = [tmp_path / name for name in ("second", "third")]
        for folder in folders:
            folder.mkdir()
        servers = [transformers_server(small_model, one, model_programs) for one in folders]
        started = [pool.submit(stack.enter_context, one) for one in servers]
        yield [model_server, *(one.result() for one in started)]


def kill(server: Served) -> None:
    port = server.url.removesuffix("/v1").rpartition(":")[2]
    for one in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # ended meanwhile, and perhaps not yet waited for
            if port in one.cmdline():
                one.kill()


def test_a_dead_server_among_three_loses_nothing(
    tmp_path: Path, bench: Path, unbroken: Path, fleet: list[Served], capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g.jsonl"

    def one_dies(number: int, head: str, body: str) -> Fault:
        if number == DIES_AT:
            kill(fleet[-1])
        return None

    with faulty_proxy(fleet[0].url, one_dies, *(one.url for one in fleet[1:])) as router:
        run = ["run", "--benchmark", str(bench), "--model", fleet[0].model, "--out", str(out)]
        how = ["--client", "openai", "--base-url", router.url, "--concurrency", "3", "--max-new-tokens", "6"]
        assert run_command([*run, *how]) == 0
        asked = len(router.bodies)
    assert f"{COUNT} generated" in capfd.readouterr().err
    assert texts(out) == texts(unbroken)
    counts = (read_meta(out) or {})["sessions"][-1]["counts"]
    assert counts["completed"] == COUNT
    assert counts["http_502"] == counts["retries"] > 0
    assert asked >= COUNT + counts["retries"]
