"""GPU checks and measurements in one command, with a dry run on any machine.

    python -m clinicnum.scripts.dev.gpu_evidence             on a GPU, with vLLM and 7 B random weights
    python -m clinicnum.scripts.dev.gpu_evidence --dry-run   on a CPU, llama.cpp in vLLM's place, 27 M

Steps: `table` (greedy texts of every architecture), `rates` (tokens per second of plain `generate`, our own
loop, the engine alone, the engine through `clinicnum run`), `memory` (too little at load, prefill, decode),
`kill` (engine and clinicnum killed in mid-run, then resumed). Results go to FOLDER/figures.json and
figures.md after each step. Exit code 0: all checks passed; 1: a check failed; 2: it could not begin; 75: no
GPU yet.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from clinicnum.errors import InputError
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.install_small_model import cache_folder, ensure_small_model
from clinicnum.scripts.commands.inference.engines.arguments import ENGINES
from clinicnum.scripts.commands.inference.engines.find_engine import find_engine
from clinicnum.scripts.dev.gpu_evidence.evidence_check import Check
from clinicnum.scripts.dev.gpu_evidence.evidence_configuration import Setting, apart, last_line
from clinicnum.scripts.dev.gpu_evidence.evidence_report import Figures, about, same_texts
from clinicnum.scripts.dev.gpu_evidence.kill_checks import kill_checks
from clinicnum.scripts.dev.gpu_evidence.low_memory_checks import engine_checks, local_checks
from clinicnum.scripts.dev.gpu_evidence.random_weights import MADE, make_model
from clinicnum.scripts.dev.gpu_evidence.token_rates import (
    ALONE,
    LEAST_SHARE,
    OWN,
    THROUGH,
    Round,
    measure,
    table,
    through,
)
from clinicnum.types import OPERATIONS, REPRESENTATIONS

ROOT = Path(__file__).resolve().parents[3]
STEPS = ("table", "rates", "memory", "kill")
_LEAST_PROMPTS = len(OPERATIONS) * len(REPRESENTATIONS)
_ALL_FLOAT32 = ("-ctk", "f32", "-ctv", "f32", "-fa", "off")
"""Without this llama.cpp keeps keys and values in half precision, which changes its texts."""
WAITS = 75
"""Exit code where there is no GPU: EX_TEMPFAIL, try again elsewhere."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps; returns the exit code."""
    asked = _parser().parse_args(arguments)
    if asked.dry_run:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        # Waiting threads that spin would fight with whatever else the machine does.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    if not asked.dry_run and not _has_gpu():
        print(
            "no GPU is visible: this waits for one; on this machine "
            "`python -m clinicnum.scripts.dev.gpu_evidence --dry-run` runs the same steps on the CPU",
            file=sys.stderr,
        )
        return WAITS
    try:
        if asked.folder:
            asked.folder.mkdir(parents=True, exist_ok=True)
            return _all(asked, asked.folder.resolve())
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="gpu-evidence-", dir=cache_folder()) as folder:
            return _all(asked, Path(folder))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m clinicnum.scripts.dev.gpu_evidence",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--dry-run", action="store_true", help="on the CPU, tiny, with llama.cpp")
    parser.add_argument("--only", default=",".join(STEPS), help="steps, with commas; default: all")
    parser.add_argument("--folder", type=Path, help="keeps weights, generations, logs and figures")
    parser.add_argument("--size", choices=sorted(MADE), help="default: 7b; tiny in a dry run")
    parser.add_argument("--seed", type=int, default=0, help="of the weights")
    parser.add_argument("--model", type=Path, help="a model folder instead of random weights")
    parser.add_argument("--tokenizer", type=Path, help="of the random weights; default: the small model's")
    parser.add_argument("--engine", choices=sorted(ENGINES), help="default: vllm; llama.cpp in a dry run")
    parser.add_argument("--engine-path", type=Path, help="as of `clinicnum run`")
    parser.add_argument("--engine-arg", action="append", default=[], help="as of `clinicnum run`")
    parser.add_argument("--prompts", type=int, help="a multiple of 12; default: 504; 24 in a dry run")
    parser.add_argument("--local-prompts", type=int, help="of these, for the local ways; default: all")
    parser.add_argument("--new-tokens", type=int, help="of each text; default: 128; 24 in a dry run")
    parser.add_argument("--at-once", type=int, help="requests under way; default: as `clinicnum run` does")
    parser.add_argument("--rounds", type=int, help="default: 3; 1 in a dry run")
    return parser


def _has_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def _all(asked: argparse.Namespace, folder: Path) -> int:
    """Prepare, then run the chosen steps, each of which may fail by itself."""
    chosen = asked.only.split(",")
    if unknown := set(chosen) - set(STEPS):
        raise InputError(
            f"--only {','.join(sorted(unknown))}: no such step; expected some of {','.join(STEPS)}"
        )
    if asked.prompts is not None and asked.prompts < _LEAST_PROMPTS:
        raise InputError(f"--prompts {asked.prompts}: expected at least {_LEAST_PROMPTS}")
    setting = _setting(asked, folder)
    figures = Figures(
        about("cpu" if asked.dry_run else "cuda", f"{setting.engine} {setting.installed.version}")
    )
    figures.about |= {"model": setting.model.name, "number type": setting.dtype}
    figures.about |= {"requests under way": str(setting.at_once), "rows of a batch": str(setting.batch)}
    expected: dict[str, str] = {}
    steps: dict[str, Callable[[], Iterator[Check]]] = {
        "table": lambda: _table(setting),
        "rates": lambda: _rates(setting, figures, asked.rounds or (1 if asked.dry_run else 3), expected),
        "memory": lambda: _memory(setting, expected),
        "kill": lambda: kill_checks(setting, _unbroken(setting, expected)),
    }
    for name in STEPS:
        if name not in chosen:
            continue
        print(f"{name}:", flush=True)
        try:
            for check in steps[name]():
                figures.add(check)
        except Exception as error:  # noqa: BLE001 - a step that fails must not take the others with it
            figures.add(Check(name, False, f"{type(error).__name__}: {last_line(str(error))}"))
        figures.write(folder)
    print("\n".join(["", *figures.markdown()]))
    return 0 if figures.right else 1


def _setting(asked: argparse.Namespace, folder: Path) -> Setting:
    """What the checks run on: the engine that was found, and model and benchmark, made where they are
    missing.

    Raises InputError if the engine is not there, the small model cannot be downloaded, no benchmark can be
    generated, or converting to GGUF fails.
    """
    dry = asked.dry_run
    engine = ENGINES[asked.engine or ("llama.cpp" if dry else "vllm")]
    installed = find_engine(engine, asked.engine_path)
    device, size = "cpu" if dry else "cuda", asked.size or ("tiny" if dry else "7b")
    model = asked.model
    if model is None:
        name = f"random-{size}-seed{asked.seed}-{device}"
        # In a process of its own: what it takes of the GPU is free again afterwards.
        tokenizer = asked.tokenizer or ensure_small_model()
        model = apart(make_model, folder / name, size, asked.seed, device, tokenizer)
    from transformers import AutoConfig

    window = AutoConfig.from_pretrained(model, local_files_only=True).max_position_embeddings
    served = _gguf(model, folder / f"{model.name}.gguf") if engine.name == "llama.cpp" else model
    each = (asked.prompts or (24 if dry else 504)) // _LEAST_PROMPTS
    benchmark = folder / f"benchmark-{each}.jsonl"
    quota = ",".join(f"{operation}={each}" for operation in OPERATIONS)
    if not benchmark.exists():
        made = run_command(["generate", "--preset", "small", "--quota", quota, "--out", str(benchmark)])
        if made != 0:
            raise InputError(f"{benchmark}: not generated (exit code {made}); what failed is said above")
    return Setting(
        folder=folder,
        device="cpu" if dry else "cuda",
        dtype="float32" if dry else "bfloat16",
        model=model.resolve(),
        served=served.resolve(),
        engine=engine.name,
        installed=installed,
        engine_args=(*(_ALL_FLOAT32 if dry and engine.name == "llama.cpp" else ()), *asked.engine_arg),
        at_once=asked.at_once or engine.at_once,
        batch=4 if dry else 32,
        local_prompts=asked.local_prompts,
        new_tokens=asked.new_tokens or (24 if dry else 128),
        window=window,
        benchmark=benchmark,
    )


def _gguf(model: Path, out: Path) -> Path:
    """Convert a model folder to a float32 GGUF file, and return its path. Raises InputError if that fails."""
    command = [str(ROOT / "scripts" / "dev" / "llama_server"), "--gguf", str(model), "--to", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        raise InputError(last_line(done.stderr).removeprefix("error: "))
    return out


def _table(setting: Setting) -> Iterator[Check]:
    """Run the test suite's table of model architectures on this device; one check, whether all passes."""
    given = {
        "CLINICNUM_DEVICE": setting.device,
        "CLINICNUM_NEW_TOKENS": "20" if setting.device == "cpu" else "300",
    }
    tests = "tests/clinicnum/test_inference_local_architectures.py"
    # No database, so none of its packages; on a GPU the models are too small to fill it one by one.
    how = ["-q", "-p", "no:cacheprovider", "--noconftest", "--timeout=3600"]
    how += ["-n", str(min(12, os.cpu_count() or 1))] if setting.device == "cuda" else []
    command = [sys.executable, "-m", "pytest", *how, tests]
    done = subprocess.run(  # noqa: S603 - our own tests
        command, cwd=ROOT, env=os.environ | given, capture_output=True, text=True, check=False
    )
    yield Check("architecture table", done.returncode == 0, last_line(done.stdout or done.stderr))


def _rates(setting: Setting, figures: Figures, rounds: int, expected: dict[str, str]) -> Iterator[Check]:
    found: list[Round] = measure(setting, rounds)
    figures.table, share = table(found)
    figures.rates = [{name: way.rate for name, way in one.items()} for one in found]
    last = found[-1]
    expected |= last[THROUGH].texts
    figures.notes.append(
        f"Through us / alone: {share:.2f}, median of {rounds} rounds in alternating order (to be at least "
        f"{LEAST_SHARE}). Texts equal to our own loop's: {same_texts(last[THROUGH].texts, last[OWN].texts)}; "
        f"to the engine's alone: {same_texts(last[THROUGH].texts, last[ALONE].texts)}."
    )
    asked = {way.tokens for name, way in last.items() if way.prompts == last[THROUGH].prompts}
    yield Check("all ways wrote the same number of tokens", len(asked) == 1, f"{sorted(asked)}")
    if setting.device == "cpu":
        same = same_texts(last[THROUGH].texts, last[OWN].texts)
        yield Check(
            "through us the texts of our own loop, both in float32", len(set(same.split(" of "))) == 1, same
        )
        return  # what the machine does besides decides about its share
    yield Check(
        f"through us at least {LEAST_SHARE} of the engine alone", share >= LEAST_SHARE, f"{share:.2f}"
    )


def _memory(setting: Setting, expected: dict[str, str]) -> Iterator[Check]:
    yield from local_checks(setting, 8 if setting.device == "cpu" else 64)
    yield from engine_checks(setting, _unbroken(setting, expected))


def _unbroken(setting: Setting, expected: dict[str, str]) -> dict[str, str]:
    """Text by instance of a run that was not interrupted: one that was measured before, otherwise one made
    now.
    """
    if not expected:
        expected |= through(setting, 0).texts
    return expected


if __name__ == "__main__":
    sys.exit(main())
