"""Benchmark of the annotate page: simulated annotators over HTTP, compared with Potato on the same machine.

    CLINICNUM_PEERS=FOLDER python -m clinicnum.scripts.dev.bench_annotate [--seconds 20] [--json FILE]
        [--only ours|potato] [--beside-job]
    python -m clinicnum.scripts.dev.bench_annotate --one 10000

An item is three requests: load it, save a first judgement, submit it. Ours is the real application, started
as `clinicnum serve` on a SQLite database with durable commits and the audit log; Potato is started as
`potato start` from the environment made by `scripts/dev/oracles peers`, with the same texts and eight radio
labels. `--one N` lets one annotator do N items and compares the save times at the end with those of an
annotator who has just begun. With `--beside-job` a job of the worker runs the small model meanwhile.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from clinicnum.annotations.study_inputs import Material
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test import potato_for_comparison
from clinicnum.scripts.dev.load_test.acknowledged_labels import balance
from clinicnum.scripts.dev.load_test.background_job import running_job
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Annotator
from clinicnum.scripts.dev.load_test.parallel_annotators import Measurements, percentile, work
from clinicnum.scripts.dev.load_test.server_process import ServerProcess, free_port
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD, made_up, open_made_up

OVERLAP = 3
WARM_S = 3.0
LOADS = ((8, 0.0), (32, 5.0), (64, 5.0), (64, 0.0))
"""(annotators, seconds of thinking time per item)."""
EDGE = 100
"""Items compared by `--one` at the beginning and at the end."""
Figures = dict[str, Any]


def main() -> None:
    """Run the requested benchmarks, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="measured time of each load")
    parser.add_argument("--items", type=int, default=2000, help="items of the made-up study")
    parser.add_argument(
        "--one", type=int, help="one annotator does this many items, nothing else is measured"
    )
    parser.add_argument("--only", choices=("ours", "potato"), help="leave the other out")
    parser.add_argument(
        "--beside-job", action="store_true", help="while a worker runs the small model; ours alone"
    )
    parser.add_argument("--json", type=Path, help="also write all figures here")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cn-bench-") as scratch:
        if flags.one:
            figures: Figures = {"one": one_annotator(Path(scratch), flags.one)}
        else:
            only = "ours" if flags.beside_job else flags.only
            figures = side_by_side(
                Path(scratch), flags.items, flags.seconds, only, beside_job=flags.beside_job
            )
    if flags.json:
        flags.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def side_by_side(
    folder: Path, items: int, seconds: float, only: str | None, *, beside_job: bool = False
) -> Figures:
    """Run every load on `clinicnum serve`, optionally during a job of its worker, then on Potato."""
    ours = partial(load_clinicnum, beside_job=beside_job)
    material = made_up(items)
    found: list[Figures] = []
    print(
        "annotators thought whose       items/s  load p50      p95 save p50      p95   submit      p95 errors"
    )
    for count, thought in LOADS:
        for whose, measure in (("clinicnum", ours), ("potato", load_potato)):
            if only is None or (only == "ours") == (whose == "clinicnum"):
                place = folder / f"{whose}-{count}-{thought:.0f}"
                place.mkdir()
                found.append(measure(place, material, count, thought, seconds))
                print(_line(found[-1]), flush=True)
        if only is None:
            ratio = found[-2]["items_per_s"] / max(found[-1]["items_per_s"], 1e-9)
            print(f"{'':>21}ratio of items a second to Potato's: {ratio:.2f}", flush=True)
    return {"items": items, "seconds": seconds, "loads": found}


def load_clinicnum(
    folder: Path, material: Material, count: int, thought: float, seconds: float, *, beside_job: bool = False
) -> Figures:
    """Run `clinicnum serve` under one load, and check the acknowledged labels afterwards."""
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    names = open_made_up(engine, material, annotators=count, overlap=OVERLAP)
    server = ServerProcess.clinicnum_serve(url, folder / "log").start()
    try:
        annotators = [Annotator(Connection(server.port)) for _ in names]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda one, name: one.log_in(name, PASSWORD), annotators, names))
        with running_job(engine, folder) if beside_job else nullcontext():
            before = server.cpu_s()
            measured = work(annotators, seconds=seconds, thought_s=thought, warm_s=WARM_S)
            spent = server.cpu_s() - before
    finally:
        server.kill()
    ledger = asdict(balance(engine, annotators))
    engine.dispose()
    print(f"{'':>21}{ledger}", file=sys.stderr)
    return _figures("clinicnum", count, thought, measured, spent) | {"ledger": ledger}


def load_potato(folder: Path, material: Material, count: int, thought: float, seconds: float) -> Figures:
    """Run Potato under one load, and count the acknowledged labels that its files lack."""
    config, port = potato_for_comparison.write_task(folder, material, overlap=OVERLAP), free_port()
    program = str(peer_python().parent / "potato")
    server = ServerProcess([program, "start", str(config), "-p", str(port)], folder / "log", port).start()
    labels = potato_for_comparison.labels()
    try:
        annotators = [
            potato_for_comparison.PotatoAnnotator(Connection(port), f"person{number}", labels[number % 8])
            for number in range(count)
        ]
        for one in annotators:
            one.register(PASSWORD)
        before = server.cpu_s()
        measured = work(annotators, seconds=seconds, thought_s=thought, warm_s=WARM_S)
        spent = server.cpu_s() - before
    finally:
        server.kill()
    acknowledged, lost = potato_for_comparison.saved(folder, annotators)
    print(f"{'':>21}acknowledged {acknowledged}, of these not in its files {lost}", file=sys.stderr)
    figures = _figures("potato", count, thought, measured, spent)
    return figures | {"ledger": {"acknowledged": acknowledged, "lost": lost}}


def peer_python() -> Path:
    """The Python interpreter of Potato's environment. Raises InputError if it does not exist."""
    folder = Path(os.environ.get("CLINICNUM_PEERS", ".peers")).absolute()
    if not (folder / "bin" / "potato").exists():
        raise InputError(
            f"{folder}: Potato is not there; make its environment: scripts/dev/oracles peers; or --only ours"
        )
    return folder / "bin" / "python"


def _figures(whose: str, count: int, thought: float, measured: Measurements, cpu_s: float) -> Figures:
    waits = {
        f"{step}_{name}_ms": None if value is None else round(1000 * value, 2)
        for step, values in measured.waits.items()
        for name, share in (("p50", 0.5), ("p95", 0.95))
        for value in [percentile(values, share)]
    }
    requests = sum(len(values) for values in measured.waits.values())
    return {
        "whose": whose,
        "annotators": count,
        "thought_s": thought,
        "items_per_s": measured.items_per_second,
        "requests": requests,
        "server_cores": cpu_s / (measured.seconds + WARM_S),
        "errors": len(measured.errors),
        "first_errors": measured.errors[:3],
        **waits,
    }


def _line(one: Figures) -> str:
    waits = (
        f"{one[f'{step}_{p}_ms'] or 0:>9.1f}" for step in ("load", "save", "submit") for p in ("p50", "p95")
    )
    return (
        f"{one['annotators']:>10}{one['thought_s']:>7.0f} s  {one['whose']:<10}{one['items_per_s']:>9.1f}"
        f"{''.join(waits)}{one['errors']:>8}"
    )


def one_annotator(folder: Path, items: int) -> Figures:
    """Save times of an annotator who has nearly finished all `items`, and of one who has done ten.

    The two take turns, item by item, on separate servers and databases, so that changes in the machine's
    load or speed affect both equally.
    """
    material = made_up(items + 10)
    with ExitStack() as stack:
        old = _alone(stack, folder / "old", material, done=items - EDGE)
        new = _alone(stack, folder / "new", material, done=10)
        for _ in range(10):
            old[1].submit()
        edges = _in_turn(new, old)
    for place, edge in zip(("from item 10", f"to item {items}"), edges, strict=True):
        print(f"{EDGE} items {place}: {edge}")
    first, last = edges
    ratios = {key: round(last[key] / first[key], 3) for key in first}
    print(f"end to beginning: {ratios}")
    return {"items": items, "first": first, "last": last, "ratios": ratios}


def _alone(
    stack: ExitStack, folder: Path, material: Material, *, done: int
) -> tuple[ServerProcess, Annotator]:
    """A server of its own for one annotator, who has submitted `done` items."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'study.db'}"
    engine = open_database(url)
    (name,) = open_made_up(engine, material, annotators=1, overlap=1)
    engine.dispose()
    server = ServerProcess.clinicnum_serve(url, folder / "log").start()
    stack.callback(server.kill)
    annotator = Annotator(Connection(server.port))
    annotator.log_in(name, PASSWORD)
    annotator.load()
    for _ in range(done):
        annotator.submit()
    return server, annotator


def _in_turn(*pairs: tuple[ServerProcess, Annotator]) -> list[dict[str, float]]:
    """Let the annotators take turns; returns for each, in their order, the median wait of each kind of
    request in ms, and the CPU time of the annotator's server per item in ms.
    """
    before = [server.cpu_s() for server, _ in pairs]
    measured = [Measurements(seconds=1.0) for _ in pairs]
    for _ in range(EDGE):
        for one, (_, annotator) in zip(measured, pairs, strict=True):
            for step, request in (
                ("load", annotator.load),
                ("save", annotator.judge),
                ("submit", annotator.submit),
            ):
                one.timed(step, request)
    spent = [server.cpu_s() - was for (server, _), was in zip(pairs, before, strict=True)]
    return [
        {f"{step}_ms": round(1000 * (percentile(got, 0.5) or 0), 2) for step, got in one.waits.items()}
        | {"cpu_ms_an_item": round(1000 * cpu / EDGE, 2)}
        for one, cpu in zip(measured, spent, strict=True)
    ]


if __name__ == "__main__":
    try:
        main()
    except ClinicnumError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
