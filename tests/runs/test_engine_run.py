"""`clinicnum run --engine`: an engine is started with the small model, asked, killed, hung and starved.

llama.cpp's server takes part where `scripts/dev/llama_server` has built it.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.inference.engines import process, process_supervisor
from tests.runs.conftest import COUNT, SETTINGS, texts

GONE_WITHIN_S = 30
PROGRAM = Path(sys.executable).with_name("transformers")


@pytest.fixture(scope="module")
def penalised(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model with settings beside its weights that change texts where they are not taken away."""
    folder = tmp_path_factory.mktemp("penalised") / small_model.name
    shutil.copytree(small_model, folder, copy_function=os.symlink)
    settings = folder / "generation_config.json"
    kept = json.loads(settings.read_text()) if settings.exists() else {}
    settings.unlink(missing_ok=True)
    settings.write_text(json.dumps(kept | {"repetition_penalty": 2.0, "no_repeat_ngram_size": 1}))
    return folder


@pytest.fixture(params=["transformers", "llama.cpp"])
def engine(request: pytest.FixtureRequest, small_model: Path) -> str:
    gguf = small_model.with_name(f"{small_model.name}-f32.gguf")
    if request.param == "llama.cpp" and not (gguf.is_file() and llama_program(small_model)):
        pytest.skip("llama.cpp is not built: scripts/dev/llama_server, then --gguf for the small model")
    return str(request.param)


def llama_program(small_model: Path) -> Path | None:
    return next(iter(sorted(small_model.parent.glob("llama-server-*/llama-server"))), None)


def command(bench: Path, model: Path, out: Path, *more: str, engine: str = "transformers") -> list[str]:
    run = ["run", "--benchmark", str(bench), "--out", str(out), "--engine", engine, "--concurrency", "1"]
    if engine == "transformers":
        return [*run, "--model", str(model), *SETTINGS, *more]
    settings = [*SETTINGS[: SETTINGS.index("--dtype")], "--tokenizer", str(model)]
    return [*run, "--model", str(model.with_name(f"{model.name}-f32.gguf")), *settings, *more]


def engines_of(out: Path) -> list[psutil.Process]:
    """The engine's processes that were started for this process, keeper and all; no server of a fixture."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # ended meanwhile, and perhaps not yet waited for
            if process_supervisor.__file__ in one.cmdline():
                found += [one, *one.children(recursive=True)]
    return found


@contextmanager
def as_soon_as(
    out: Path, lines: int, do: signal.Signals, then: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """Send the engine a signal once so many generations are on the disk; then do something more."""

    over = threading.Event()

    def wait() -> None:
        while not (out.exists() and out.read_bytes().count(b"\n") >= lines):
            if over.wait(0.02):
                return
        for one in engines_of(out):
            with suppress(psutil.NoSuchProcess):  # ended with the one before it
                if process_supervisor.__file__ not in one.cmdline():
                    one.send_signal(do)
        then()

    watcher = threading.Thread(target=wait)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def test_a_killed_engine_loses_nothing_and_the_run_goes_on(
    tmp_path: Path,
    bench: Path,
    penalised: Path,
    small_model: Path,
    unbroken: Path,
    engine_program: Path,
    capfd: pytest.CaptureFixture[str],
    engine: str,
) -> None:
    out = tmp_path / "g.jsonl"
    own = ("--engine-path", str(engine_program)) if engine == "transformers" else ()
    run = command(bench, penalised if engine == "transformers" else small_model, out, *own, engine=engine)
    with as_soon_as(out, 2, signal.SIGKILL):
        assert run_command(run) == 2
    said = capfd.readouterr().err.strip().splitlines()[-1]
    assert said.startswith(f"error: {engine} ended while it was asked (killed, as a machine does when")
    assert said.endswith("what was generated is kept")
    kept = out.read_bytes()
    assert 2 <= kept.count(b"\n") < COUNT

    assert run_command(run) == 0
    assert out.read_bytes().startswith(kept)
    # Texts as of the local client on the same weights without those settings.
    assert texts(out) == texts(unbroken)
    session = (read_meta(out) or {})["sessions"][-1]
    prompts = "text" if engine == "transformers" else "ids"
    assert (session["client"], session["engine"], session["prompts"]) == ("engine", engine, prompts)
    told = ["--dtype", "float32"] if engine == "transformers" else ["--repeat-penalty", "1"]
    assert " ".join(told) in " ".join(session["engine_arguments"])
    log = out.with_name(f"g.{engine}.log")
    assert log.stat().st_mode & 0o077 == 0
    assert engines_of(out) == []


def test_a_hung_engine_is_stopped_and_said(
    tmp_path: Path,
    bench: Path,
    small_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    engine: str,
) -> None:
    out = tmp_path / "g.jsonl"
    # So little only from then on: a busy machine may keep one that is not hung from answering for longer.
    with as_soon_as(out, 1, signal.SIGSTOP, lambda: monkeypatch.setattr(process, "SILENT_S", 1.0)):
        assert run_command(command(bench, small_model, out, engine=engine)) == 2
    said = capfd.readouterr().err.strip().splitlines()[-1]
    assert said.startswith(f"error: {engine} did not answer for 1 s and was stopped; see ")
    assert out.read_bytes().count(b"\n") >= 1
    assert engines_of(out) == []


def wrapped(
    folder: Path,
    before: str = "",
    version: str | None = None,
    llama: Path | None = None,
    program: Path = PROGRAM,
) -> Path:
    """The engine with a command before its start, or in another version; returns its program."""
    folder.mkdir()
    if llama is not None:  # whose version is its program's hash, too
        made = folder / llama.name
        start = f'[ "$1" = --version ] || {before}' if before else ":"
        made.write_text(f'#!/bin/sh\n{start}\nexec {shlex.quote(str(llama))} "$@"\n')
        made.chmod(0o755)
        return made
    own = '"$@"' if version is None else shlex.join(["-c", f"print({version!r})"])
    python = f"exec {shlex.quote(sys.executable)} {own}"
    start = f'exec {shlex.quote(str(program))} "$@"'
    for name, line in (("python", python), ("transformers", f"{before}\n{start}")):
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    return folder / "transformers"


def test_an_engine_without_memory_or_of_another_version_writes_nothing(
    tmp_path: Path,
    bench: Path,
    small_model: Path,
    engine_program: Path,
    capfd: pytest.CaptureFixture[str],
    engine: str,
) -> None:
    out = tmp_path / "g.jsonl"
    llama = llama_program(small_model) if engine == "llama.cpp" else None
    starved = wrapped(tmp_path / "starved", before="ulimit -v 400000", llama=llama)
    assert run_command(command(bench, small_model, out, "--engine-path", str(starved), engine=engine)) == 2
    said = capfd.readouterr().err.strip().splitlines()[-1]
    assert said.startswith(f"error: {engine} did not start (out of memory; its log says: ")
    assert "see " in said
    assert not out.exists()

    own = ("--engine-path", str(engine_program)) if engine == "transformers" else ()
    first = command(bench, small_model, out, "--limit", "1", *own, engine=engine)
    assert run_command(first) == 0
    kept = out.read_bytes()
    other = wrapped(tmp_path / "other", version="9.9.9", llama=llama)
    capfd.readouterr()
    assert run_command([*first, "--limit", "2", "--engine-path", str(other)]) == 2
    refused = capfd.readouterr().err
    assert "belongs to another run: server_says was" in refused
    assert llama is not None or "9.9.9" in refused
    assert out.read_bytes() == kept


def test_the_engine_of_a_rank_sees_the_gpus_of_the_rank(
    tmp_path: Path, bench: Path, small_model: Path, engine_program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of made-up GPUs: on a CPU the engine does not look for them."""
    torchrun = {"RANK": "1", "WORLD_SIZE": "2", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}
    for name, value in (torchrun | {"CUDA_VISIBLE_DEVICES": "4,5,6,7", "OMP_NUM_THREADS": "2"}).items():
        monkeypatch.setenv(name, value)
    seen = tmp_path / "seen"
    program = wrapped(tmp_path / "engine", before=f"env > {shlex.quote(str(seen))}", program=engine_program)
    more = ("--gpus-per-rank", "2", "--engine-path", str(program))
    assert run_command(command(bench, small_model, tmp_path / "g.jsonl", *more)) == 0
    environment = dict(line.partition("=")[::2] for line in seen.read_text().splitlines())
    assert environment["CUDA_VISIBLE_DEVICES"] == "6,7"
    assert not set(torchrun) & set(environment)
    assert (tmp_path / "g.rank-1-of-2.transformers.log").exists()


def test_what_does_not_fit_an_engine_is_refused_before_anything_starts(
    tmp_path: Path, bench: Path, small_model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for more, told in (
        (["--tensor-parallel", "2"], "--tensor-parallel: transformers has no such setting here"),
        (["--base-url", "http://127.0.0.1:1/v1"], "--base-url: does not belong to --engine transformers"),
        (["--client", "openai"], "--client openai and --engine"),
        (["--engine", "llama.cpp"], "llama.cpp takes a GGUF file; convert the folder with"),
        (["--engine-path", str(tmp_path)], "no program transformers there"),
    ):
        assert run_command(command(bench, small_model, tmp_path / "g.jsonl", *more)) == 2
        assert told in capfd.readouterr().err
    bare = ["run", "--benchmark", str(bench), "--model", str(small_model), "--out", str(tmp_path / "g.jsonl")]
    assert run_command([*bare, "--gpu-memory", "0.5"]) == 2
    assert "--gpu-memory: belongs to an engine; give --engine too" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("children_first", [False, True])
def test_an_engine_dies_with_whoever_started_it(tmp_path: Path, children_first: bool) -> None:
    """The keeper's pipe closes when its owner is killed, and the whole group of the engine goes; also where
    Ray kills the owner's children before the owner.
    """
    started = tmp_path / "pids"
    script = f"sh -c 'echo $$ >> {started}; sleep 600' & echo $$ >> {started}; wait"
    keep = [sys.executable, "-I", process_supervisor.__file__, "sh", "-c", script]
    owner = f"import subprocess, time; subprocess.Popen({keep!r}, stdin=subprocess.PIPE); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", owner]) as process_:
        deadline = time.monotonic() + GONE_WITHIN_S
        while not (started.exists() and len(started.read_text().split()) == 2):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        for one in psutil.Process(process_.pid).children() if children_first else ():
            one.kill()
        process_.kill()
    pids = [int(one) for one in started.read_text().split()]
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("engine", ["llama.cpp"], indirect=True)
def test_a_folder_with_one_gguf_file_is_served_from_that_file(
    engine: str, bench: Path, small_model: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "any.gguf").symlink_to(small_model.with_name(f"{small_model.name}-f32.gguf"))
    out = tmp_path / "out.jsonl"
    asked = command(bench, small_model, out, "--limit", "2", engine=engine)
    asked[asked.index("--model") + 1] = str(folder)
    assert run_command(asked) == 0
    assert len(texts(out)) == 2
