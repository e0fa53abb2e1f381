"""`clinicnum run --engine ray` with a Ray of this machine: workers and the command itself are killed."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from clinicnum.inference.client_interface import Completion, Decoding, Request
from clinicnum.io.jsonl import read_meta, write_jsonl
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.inference.options import RunOptions
from clinicnum.scripts.commands.inference.ray_cluster.client import RayClient
from clinicnum.scripts.commands.inference.ray_cluster.cluster import Cluster
from clinicnum.scripts.commands.inference.ray_cluster.worker import Worker, plan_of_worker
from tests.runs.conftest import COUNT, SETTINGS, questions, texts
from tests.runs.starting import Starter
from tests.runs.test_engine_run import wrapped

PATIENCE_S = 240
KILLED_AT = 2


def command(bench: Path, model: Path, out: Path, *more: str) -> list[str]:
    run = ["run", "--benchmark", str(bench), "--model", str(model), "--out", str(out), *SETTINGS]
    return [*run, "--engine", "ray", *more]


def wait_for(out: Path, lines: int, starter: Starter) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not (out.exists() and out.read_bytes().count(b"\n") >= lines):
        assert time.monotonic() < deadline, starter.log.read_text()
        time.sleep(0.01)


def of_ray(process: int) -> list[psutil.Process]:
    """The processes that a command started."""
    return psutil.Process(process).children(recursive=True)


def test_a_killed_command_goes_on_and_a_killed_worker_is_replaced(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path, starter: Starter
) -> None:
    out = tmp_path / "g.jsonl"
    run = command(bench, small_model, out, "--ray-workers", "2")
    process = starter.start(*run)
    wait_for(out, KILLED_AT, starter)
    os.kill(process, signal.SIGSTOP)  # it writes no more while one looks
    started = [one for one in of_ray(process) if one.name().startswith(("ray::Worker", "raylet"))]
    assert len(started) == 3
    sockets = [
        one for part in of_ray(process) for one in part.net_connections("tcp") if one.status == "LISTEN"
    ]
    assert {one.laddr.ip.removeprefix("::ffff:") for one in sockets} == {"127.0.0.1"}
    assert starter.kill(process) == -signal.SIGKILL
    kept = out.read_bytes()
    assert KILLED_AT <= kept.count(b"\n") < COUNT
    _, alive = psutil.wait_procs(started, timeout=PATIENCE_S)
    assert alive == []  # nobody keeps a model's memory

    process = starter.start(*run)
    wait_for(out, kept.count(b"\n") + 1, starter)
    worker = next(one for one in of_ray(process) if one.name().startswith("ray::Worker"))
    worker.kill()
    assert starter.ended() == 0, starter.log.read_text()
    said = starter.log.read_text()
    assert f"{kept.count(chr(10).encode())} of {COUNT} are done already" in said
    assert "was lost and is started again: " in said
    assert starter.out.read_text() == ""
    assert out.read_bytes().startswith(kept)
    assert texts(out) == texts(unbroken)
    meta, of_one = read_meta(out) or {}, read_meta(unbroken) or {}
    assert meta["run_id"] == of_one["run_id"]
    session = meta["sessions"][-1]
    assert (session["client"], session["ray"]["workers"], session["device"]) == ("ray", 2, "cpu")
    assert session["counts"]["workers_lost"] == 1


def test_workers_without_memory_end_the_run_in_one_line_and_write_nothing(
    tmp_path: Path, bench: Path, small_model: Path, starter: Starter
) -> None:
    out = tmp_path / "g.jsonl"
    starved = wrapped(tmp_path / "starved", before="ulimit -v 400000")
    more = ("--ray-engine", "transformers", "--engine-path", str(starved))
    starter.start(*command(bench, small_model, out, *more))
    assert starter.ended() == 2
    said = starter.log.read_text().strip().splitlines()
    assert said[-1].startswith(
        "error: --engine ray: all workers were lost (the last: transformers did not start (out of memory; "
    )
    assert not any("Traceback" in line for line in said)
    assert not out.exists()
    assert out.with_name("g.worker-0.transformers.log").stat().st_mode & 0o077 == 0


class Deadly:
    """A worker without a model, which one request ends every time."""

    def load(self) -> dict[str, Any]:
        return {"device": "none"}

    def complete(self, requests: Sequence[Request], decoding: Decoding) -> Iterator[list[Completion]]:
        for one in requests:
            if one.instance_id == "deadly":
                os._exit(1)
            yield [Completion(one.instance_id, "text", "stop", 1, 1, 0.0)]


def test_a_request_that_ends_every_worker_is_left_for_later_and_no_other_is(
    capfd: pytest.CaptureFixture[str],
) -> None:
    cluster = Cluster(None, at_least_cpus=2)
    try:
        size = cluster.size(2, None, None)

        def start(number: int) -> tuple[Any, Any]:
            worker = cluster.start(Deadly, size)
            return worker, worker.load.remote()

        client = RayClient(cluster, start, patience_s=PATIENCE_S)
        names = [*(str(number) for number in range(30)), "deadly", *map(str, range(30, 40))]
        client.start(2, total=len(names))
        found = [*client.complete((Request(one, ()) for one in names), decoding=Decoding())]
    finally:
        cluster.close()
    assert sorted(one.instance_id for one in found) == sorted(names)
    [left] = [one for one in found if one.error]
    assert (left.instance_id, left.transient) == ("deadly", True)
    assert "the worker that was asked for it was lost 3 times" in (left.error or "")
    assert client.counts["workers_lost"] >= 3
    assert capfd.readouterr().err.count("was lost and is started again: ") >= 3


def test_a_worker_that_would_compute_another_run_says_so(
    bench: Path, small_model: Path, tmp_path: Path
) -> None:
    order = RunOptions(benchmark=bench, model=str(small_model), out=tmp_path / "g.jsonl", dtype="float32")
    here = plan_of_worker(order)
    for fingerprint, identity, told in (
        ("other", here.identity, "model files is "),
        (here.fingerprint, here.identity | {"dtype": "bfloat16"}, "dtype is 'float32' on "),
    ):
        said = Worker(order, 0).load(fingerprint, identity)
        assert isinstance(said, str)
        assert said.startswith(told)


def test_what_does_not_fit_ray_is_refused_before_anything_starts(
    tmp_path: Path,
    bench: Path,
    small_model: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = tmp_path / "closed.jsonl"
    write_jsonl(closed, questions(1), {"seed": 0, "credentialed": True})
    out = tmp_path / "g.jsonl"
    for file, more, told in (
        (
            bench,
            ["--ray-engine", "vllm", "--tensor-parallel", "2"],
            "--tensor-parallel: --ray-gpus divides the model",
        ),
        (bench, ["--gpu-memory", "0.5"], "--gpu-memory: belongs to an engine; give --ray-engine too"),
        (bench, ["--client", "openai"], "--client openai and --engine ray"),
        (bench, ["--concurrency", "4"], "--concurrency: belongs to a server"),
        (bench, ["--ray-address", "ray://head:10001"], "is of Ray Client"),
        (closed, ["--ray-address", "head:6379"], "the Ray cluster at head:6379 was not started here, and "),
        (
            bench,
            ["--ray-address", "127.0.0.1:1"],
            "127.0.0.1:1 did not answer ([Errno 111] Connection refused)",
        ),
        (bench, ["--engine", "transformers", "--ray-workers", "2"], "--ray-workers: belongs to Ray"),
    ):
        assert run_command(command(file, small_model, out, *more)) == 2
        assert told in capfd.readouterr().err
    assert run_command(command(bench, small_model, out, "--ray-workers", "2", "--dry-run")) == 0
    assert f"{COUNT} of {COUNT} instances left" in capfd.readouterr().out
    monkeypatch.setenv("RAY_ADDRESS", "head:6379")
    assert run_command(command(closed, small_model, out)) == 2
    assert "or give --allow-remote if the data may leave it" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run_command(command(bench, small_model, out)) == 2
    assert 'pip install "clinicnum[ray]"' in capfd.readouterr().err
    assert not out.exists()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
