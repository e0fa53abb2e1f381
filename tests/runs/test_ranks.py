"""Two real processes under torchrun: their shares are the whole, without overlap, as one writes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clinicnum.errors import InputError
from clinicnum.inference.generations_journal import complete_lines
from clinicnum.inference.shards import Part
from clinicnum.io.jsonl import meta_path, read_meta
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.inference.process_rank import Process, claim_gpus, share_threads, this_process
from tests.runs.conftest import COUNT, SETTINGS, texts

TORCHRUN = (
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--nproc-per-node",
    "2",
    "-m",
    "clinicnum.scripts.cli",
)


def test_two_processes_write_what_one_writes(
    tmp_path: Path, bench: Path, unbroken: Path, small_model: Path
) -> None:
    """They also leave out what one process had done before."""
    out, done = tmp_path / "generations.jsonl", 3
    lines = list(complete_lines(unbroken))
    out.write_bytes(b"".join(line.raw for line in lines[:done]))
    meta_path(out).write_bytes(meta_path(unbroken).read_bytes())
    arguments = ("run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(out), *SETTINGS)
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}
    environment.pop("OMP_NUM_THREADS", None)
    ended = subprocess.run(
        [*TORCHRUN, *arguments], capture_output=True, text=True, env=environment, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stderr
    # The first joins what it has if it ends before the second has begun to write; the last joins the rest.
    assert ended.stderr.count(" joined ") in (1, 2)
    assert ended.stderr.count(" joined ") + ended.stderr.count("; the last one joins") == 2
    assert "joined 0" not in ended.stderr
    assert texts(out) == texts(unbroken)
    assert out.read_bytes().startswith(b"".join(line.raw for line in lines[:done]))
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name, f"{out.name}.meta.json"]
    starts = {s["rank"]: s for s in (read_meta(out) or {})["sessions"]}
    assert set(starts) == {None, 0, 1}
    assert starts[0]["written"] + starts[1]["written"] == COUNT - done
    assert min(starts[rank]["written"] for rank in (0, 1)) > 0
    assert {starts[rank]["world"] for rank in (0, 1)} == {2}
    cores = len(os.sched_getaffinity(0))
    assert {starts[rank]["threads"] for rank in (0, 1)} == {max(1, cores // 2)}
    # A single process goes on where they ended: nothing is left.
    before = out.read_bytes()
    assert run_command(list(arguments)) == 0
    assert out.read_bytes() == before


RANKS = (
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "OMP_NUM_THREADS",
    "ACCELERATE_MIXED_PRECISION",
)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in (*RANKS, *(name for name in os.environ if name.startswith("SLURM_"))):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_a_process_alone_is_the_whole_run(environment: pytest.MonkeyPatch) -> None:
    assert this_process() == Process(None)
    environment.setenv("WORLD_SIZE", "1")
    environment.setenv("RANK", "0")
    assert this_process() == Process(None)
    assert share_threads(this_process(), None) is None
    assert share_threads(this_process(), 3) == 3
    assert os.environ["OMP_NUM_THREADS"] == "3"


def test_a_rank_has_its_share_of_the_cores(environment: pytest.MonkeyPatch) -> None:
    for name, value in zip(RANKS, ("5", "8", "1", "4", "1"), strict=False):
        environment.setenv(name, value)
    process = this_process()
    assert process == Process(Part(5, 8), local_rank=1, local_world=4)
    assert not process.sole_machine
    environment.setattr(os, "sched_getaffinity", lambda _: range(32))
    assert share_threads(process, None) == 8
    environment.setenv("OMP_NUM_THREADS", "6")
    assert share_threads(process, None) == 6


def test_one_process_that_accelerate_started_on_cpu_has_all_cores(environment: pytest.MonkeyPatch) -> None:
    """It sets OMP_NUM_THREADS to 1 and starts one process whatever number was asked."""
    environment.setenv("ACCELERATE_MIXED_PRECISION", "no")
    environment.setenv("OMP_NUM_THREADS", "1")
    environment.setattr(os, "sched_getaffinity", lambda _: range(32))
    assert share_threads(this_process(), None) == 32


@pytest.mark.parametrize(
    ("rank", "world", "named"),
    [("2", "2", "RANK is 2"), ("", "2", "RANK is not set"), ("0", "two", "WORLD_SIZE is 'two'")],
)
def test_a_contradicting_environment_is_named(
    environment: pytest.MonkeyPatch, rank: str, world: str, named: str
) -> None:
    environment.setenv("WORLD_SIZE", world)
    if rank:
        environment.setenv("RANK", rank)
    with pytest.raises(InputError, match=named):
        this_process()


def _slurm(environment: pytest.MonkeyPatch, **values: int) -> Process:
    for name, value in values.items():
        environment.setenv(f"SLURM_{name}", str(value))
    return this_process()


def test_tasks_of_a_slurm_step_share_the_instances(environment: pytest.MonkeyPatch) -> None:
    assert _slurm(environment, NTASKS=8, PROCID=0) == Process(None)  # a batch script that runs it once
    one = _slurm(environment, STEP_ID=0, STEP_NUM_TASKS=8, PROCID=5, LOCALID=1, STEP_NUM_NODES=2)
    assert one == Process(Part(5, 8), local_rank=1, local_world=1)
    assert not one.sole_machine
    assert _slurm(environment, STEP_NUM_NODES=1, LOCALID=5).sole_machine
    with pytest.raises(InputError, match="SLURM_PROCID is 9"):
        _slurm(environment, PROCID=9)


def test_elements_of_a_slurm_array_share_the_instances(
    environment: pytest.MonkeyPatch,
) -> None:
    environment.delenv("SLURM_STEP_ID", raising=False)
    array = {"ARRAY_TASK_COUNT": 4, "ARRAY_TASK_MIN": 2, "ARRAY_TASK_STEP": 3}
    one = _slurm(environment, **array, ARRAY_TASK_ID=8)
    assert one == Process(Part(2, 4), local_rank=0, local_world=1)
    assert not one.sole_machine
    both = _slurm(environment, STEP_ID=0, STEP_NUM_TASKS=2, PROCID=1, LOCALID=1, STEP_NUM_NODES=1)
    assert both.part == Part(5, 8)
    assert not both.sole_machine
    with pytest.raises(InputError, match="SLURM_ARRAY_TASK_ID is 9"):
        _slurm(environment, ARRAY_TASK_ID=9)


@pytest.mark.parametrize(
    ("shown", "local_rank", "count", "own"),
    [
        ("4,5,6,7", 0, 2, "4,5"),
        ("4,5,6,7", 1, 2, "6,7"),
        ("4,5,6,7", 3, 1, "7"),
        ("4,5,6,7", 2, 2, "4,5"),  # more ranks than GPUs for them: shared
        ("GPU-a, GPU-b", 5, 2, "GPU-a,GPU-b"),  # a scheduler shows each rank its own alone
        ("0,1,2", 1, 2, "0,1"),
    ],
)
def test_a_rank_has_the_next_gpus(
    environment: pytest.MonkeyPatch, shown: str, local_rank: int, count: int, own: str
) -> None:
    environment.setenv("CUDA_VISIBLE_DEVICES", shown)
    process = Process(Part(local_rank, 8), local_rank, 8)
    claim_gpus(process, None)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == shown
    claim_gpus(process, count)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == own


def test_gpus_that_are_not_there_are_named(
    environment: pytest.MonkeyPatch,
    bench: Path,
    small_model: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    run = ["run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(tmp_path / "g.jsonl")]
    for shown, told in (
        ("4", "--gpus-per-rank 2: this process is shown 1 GPUs (4)"),
        ("", "this process is shown 0 GPUs (none)"),
        ("4,5", "--gpus-per-rank 2: torch sees 0 of GPUs 4,5"),
    ):
        environment.setenv("CUDA_VISIBLE_DEVICES", shown)
        assert run_command([*run, "--gpus-per-rank", "2"]) == 2
        assert told in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
