"""Benchmark of generation: instances per second with all validity rules, and peak memory, by benchmark size.

    python -m clinicnum.scripts.dev.bench_generate [--sizes 10000,100000,1000000]

Each size runs in a process of its own. Start-up (imports, the bank) is timed separately. For comparison, a
plain pandas row loop writes the same `structured` and `templated` texts and nothing else: no gold, no check.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

QUOTAS = {"retrieval": 240, "arithmetic": 600, "comparison": 383, "aggregation": 201}
"""The mix of the preset `paper`."""
COMPARED = 3_000
"""Number of instances that the pandas loop writes too."""


def measure(size: int, representations: tuple[str, ...]) -> dict[str, Any]:
    """Generate about `size` instances in this process and measure it."""
    begun = time.perf_counter()
    import clinicnum.records.synthetic  # noqa: F401  numpy comes with it, which is start-up too
    from clinicnum.api.record_sources import Wanted, open_source
    from clinicnum.generation.benchmark import generate
    from clinicnum.generation.presets import QUESTIONS_PER_STAY
    from clinicnum.io.jsonl import write_lines
    from clinicnum.templates.bank import load_bank

    questions = size // len(representations)
    scale = questions / sum(QUOTAS.values())
    quotas = {name: round(count * scale) for name, count in QUOTAS.items()}
    stays = -(-questions // QUESTIONS_PER_STAY)
    bank = load_bank()
    started = time.perf_counter()
    source = open_source(Wanted("synthetic", None, "", False), seed=0, stays=stays, scope="stay")
    benchmark = generate(
        contexts=source.supply,
        templates=bank,
        representations=representations,  # type: ignore[arg-type]
        quotas=quotas,  # type: ignore[arg-type]
        seed=0,
    )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.jsonl"
        written = write_lines(out, benchmark.lines)
        ended = time.perf_counter()
        megabytes = out.stat().st_size / 1e6
    return {
        "instances": written,
        "stays": stays,
        "start_up_s": started - begun,
        "seconds": ended - started,
        "per_second": written / (ended - started),
        "us_per_instance": 1e6 * (ended - started) / written,
        "written_mb": megabytes,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def compare() -> dict[str, Any]:
    """Compare generation, with gold, distractors and every rule, with a row loop that only makes the same
    texts; returns number of instances, seconds of both, their ratio, and how many texts differ.
    """
    import pandas as pd

    from clinicnum.generation.benchmark import generate
    from clinicnum.records.loaded_records import contexts
    from clinicnum.records.synthetic import synthetic
    from clinicnum.templates.bank import load_bank

    pool = contexts(synthetic(seed=0, stays=COMPARED // 4).records, "stay")
    scale = COMPARED / 2 / sum(QUOTAS.values())
    quotas = {name: round(count * scale) for name, count in QUOTAS.items()}
    begun = time.perf_counter()
    benchmark = generate(
        contexts=pool,
        templates=load_bank(),
        representations=("structured", "templated"),
        quotas=quotas,  # type: ignore[arg-type]
        seed=0,
    )
    lines = list(benchmark.lines)
    ours = time.perf_counter() - begun
    made = [json.loads(line) for line in lines]
    frames = [pd.DataFrame(one["records"]) for one in made]
    begun = time.perf_counter()
    texts = [
        structured(frame) if one["representation"] == "structured" else templated(frame)
        for one, frame in zip(made, frames, strict=True)
    ]
    loop = time.perf_counter() - begun
    different = sum(text != one["context"] for text, one in zip(texts, made, strict=True))
    return {
        "instances": len(made),
        "ours_s": ours,
        "loop_s": loop,
        "ratio": loop / ours,
        "texts_differ": different,
    }


NAMED = (
    ("temperature_c", "temperature", "°C"),
    ("heart_rate_bpm", "heart rate", "bpm"),
    ("resp_rate_bpm", "respiratory rate", "breaths/min"),
    ("spo2_pct", "SpO2", "%"),
    ("sbp_mmhg", "systolic pressure", "mmHg"),
    ("dbp_mmhg", "diastolic pressure", "mmHg"),
    ("pain", "pain", "/10"),
)


def structured(frame: Any) -> str:
    """A row-by-row version of the structured representation, for comparison."""
    lines = ["Vital signs of one patient; a dash means not documented."]
    lines.append("| time | " + " | ".join(f"{label} ({unit})" for _, label, unit in NAMED) + " |")
    lines.append("|---" * (1 + len(NAMED)) + "|")
    for _, row in frame.iterrows():
        cells = [row["charttime"], *(_shown(row[name], name) or "-" for name, _, _ in NAMED)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def templated(frame: Any) -> str:
    """A row-by-row version of the templated representation, for comparison."""
    lines = ["Vital signs of one patient."]
    for _, row in frame.iterrows():
        parts = list(_parts(row))
        lines.append(f"At {row['charttime']}, {', '.join(parts[:-1])} and {parts[-1]}.")
    return "\n".join(lines)


def _parts(row: Any) -> Iterator[str]:
    for name, label, unit in NAMED:
        value = _shown(row[name], name)
        gap = "" if name == "pain" else " "
        yield f"{label} was {value}{gap}{unit}" if value else f"{label} was not documented"


def _shown(value: Any, name: str) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.1f}" if name == "temperature_c" else f"{value:.0f}"


def main() -> None:
    """Print one line per size, then the ratio to the row loop."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="instances, separated by commas")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.one:
        print(json.dumps(measure(flags.one, ("structured", "templated", "note"))))
        return
    print("instances   stays  start-up  seconds  a second  us each  peak MB")
    for size in flags.sizes.split(","):
        command = [sys.executable, "-m", "clinicnum.scripts.dev.bench_generate", "--one", size]
        # S603: this module itself, with a number as argument.
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
        one = json.loads(done.stdout)
        print(
            f"{one['instances']:>9}{one['stays']:>8}{one['start_up_s']:>10.1f}{one['seconds']:>9.1f}"
            f"{one['per_second']:>10.0f}{one['us_per_instance']:>9.0f}{one['peak_mb']:>9.0f}",
            flush=True,
        )
    both = compare()
    print(
        f"{both['instances']} structured and templated instances: ours {both['ours_s']:.2f} s, a pandas row "
        f"loop for the same texts alone {both['loop_s']:.2f} s: ratio {both['ratio']:.2f} "
        f"({both['texts_differ']} texts differ)"
    )


if __name__ == "__main__":
    main()
