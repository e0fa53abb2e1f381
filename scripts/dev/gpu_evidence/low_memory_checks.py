"""Checks with too little memory: local client at load, prefill and decode; engine at load and later."""

import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from clinicnum.scripts.dev.gpu_evidence.evidence_check import Check, is_one_line_error
from clinicnum.scripts.dev.gpu_evidence.evidence_configuration import Setting, last_line, run, session, texts
from clinicnum.scripts.dev.gpu_evidence.kill_checks import engine_processes, lines_of

LIMITED = "clinicnum.scripts.dev.gpu_evidence.limit_memory"
_MORE_THAN_A_CHUNK = 300
"""New tokens: more than the cache first has room for, so that it must grow while decoding."""
_FOR_THREADS = 256 << 20
"""Address space of a server without a model; with less it cannot start its threads."""
_BYTES = {"bfloat16": 2, "float32": 4}


def local_checks(setting: Setting, count: int) -> Iterator[Check]:
    """Checks of the local client: too little memory at load must give an error, at prefill and at decode
    smaller batches, with all `count` instances answered.
    """
    weights, token = sizes(setting)
    longer = replace(setting, new_tokens=max(setting.new_tokens, _MORE_THAN_A_CHUNK))
    limit = ("--limit", str(count))

    out = setting.folder / "no-memory-load.jsonl"
    code, said = run(setting.local(out, *limit), module=LIMITED, before=("load", str(weights // 2)))
    right = is_one_line_error(code, said, "memory") and not out.exists()
    yield Check("local client, too little memory to load", right, last_line(said))

    plain = setting.folder / "memory-enough.jsonl"
    code, said = run(longer.local(plain, *limit))
    if code:
        yield Check("local client, memory enough", False, last_line(said))
        return
    expected = texts(plain)
    most = max(len(ids) for ids in prompts_of(setting)[:count]) + longer.new_tokens
    for stage in ("prefill", "decode"):
        out = setting.folder / f"no-memory-{stage}.jsonl"
        before = (stage, str(token * most * count // 4))
        code, said = run(longer.local(out, *limit), module=LIMITED, before=before)
        yield _went_on(f"local client, too little memory at {stage}", code, said, out, expected)


def _went_on(name: str, code: int, said: str, out: Path, expected: dict[str, str]) -> Check:
    """Whether a run that lacked memory halved its batches and answered every instance."""
    if code:
        return Check(name, False, last_line(said))
    found, times = texts(out), session(out).get("counts", {}).get("out_of_memory", 0)
    same = sum(expected[key] == text for key, text in found.items() if key in expected)
    words = (
        f"batches halved {times} times; {len(found)} of {len(expected)} texts, {same} as with memory enough"
    )
    return Check(name, bool(times) and found.keys() == expected.keys() and all(found.values()), words)


def engine_checks(setting: Setting, expected: dict[str, str]) -> Iterator[Check]:
    """Checks of the engine: too little memory at load must give an error; when memory runs out later, the
    same command must complete the run.
    """
    name = f"{setting.engine}, too little memory to load"
    out = setting.folder / "engine-no-memory.jsonl"
    weights, _ = sizes(setting)
    with _starved(setting, weights // 2) as starved:
        code, said = run(starved.through(out))
    right = is_one_line_error(code, said, "did not start (out of memory") and not out.exists()
    yield Check(name, right, last_line(said))

    out = setting.folder / "engine-memory-gone.jsonl"
    command = [sys.executable, "-m", "clinicnum.scripts.cli", *setting.through(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:  # noqa: S603 - our own
        while running.poll() is None and lines_of(out) < 1:
            time.sleep(0.002)
        with _no_more(setting, engine_processes(running.pid)):
            said = running.communicate()[1]
    kept = lines_of(out)
    # All are there, or some could not be run and are counted, or it stopped and says why.
    first = running.returncode in {0, 1} or is_one_line_error(running.returncode, said)
    again, _ = run(setting.through(out))
    found = texts(out)
    words = f"exit code {running.returncode}, {kept} kept: {last_line(said)}; then {len(found)} of "
    words += str(len(expected))
    yield Check(
        f"{setting.engine}, no more memory while it is asked",
        first and again == 0 and found.keys() == expected.keys(),
        words,
    )


def sizes(setting: Setting) -> tuple[int, int]:
    """(bytes of the weights in the dtype used, bytes per token in the cache)."""
    from transformers import AutoConfig

    shape = AutoConfig.from_pretrained(setting.model, local_files_only=True)
    each = _BYTES[setting.dtype]
    stored = sum(path.stat().st_size for path in setting.model.glob("*.safetensors"))
    head = shape.hidden_size // shape.num_attention_heads
    return stored * each // 2, 2 * shape.num_hidden_layers * shape.num_key_value_heads * head * each


def prompts_of(setting: Setting) -> list[list[int]]:
    """The token ids of each prompt of the benchmark."""
    from clinicnum.inference.local import load_tokenizer
    from clinicnum.scripts.dev.gpu_evidence.token_rates import prompts, requests

    return [*prompts(load_tokenizer(setting.model), requests(setting)).values()]


@contextmanager
def _starved(setting: Setting, size: int) -> Iterator[Setting]:
    """The setting with too little memory: the GPU is filled but for `size` bytes, or the program limited."""
    if setting.device == "cuda":
        with _filled(size):
            yield setting
        return
    folder = setting.folder / "starved"
    folder.mkdir(exist_ok=True)
    program = folder / setting.installed.program.name
    start = f'[ "$1" = --version ] || ulimit -v {(size + _FOR_THREADS) // 1024}'
    program.write_text(f'#!/bin/sh\n{start}\nexec {shlex.quote(str(setting.installed.program))} "$@"\n')
    program.chmod(0o755)
    yield replace(setting, installed=replace(setting.installed, program=program))


@contextmanager
def _no_more(setting: Setting, processes: list[psutil.Process]) -> Iterator[None]:
    """During the block the engine gets no more memory than it has: the rest of the GPU is filled, or on a CPU
    its address space is limited.
    """
    if setting.device == "cuda":
        with _filled(0):
            yield
        return
    for one in processes:
        one.rlimit(psutil.RLIMIT_AS, (one.memory_info().vms, psutil.RLIM_INFINITY))
    yield


@contextmanager
def _filled(left: int) -> Iterator[None]:
    command = [sys.executable, "-m", LIMITED, "fill", str(left)]
    filler: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
    with filler:
        filler.stdout.readline()
        yield
        filler.stdin.close()
