"""Time the explore page on a synthetic database of many models: facet, search, next page, and memory.

Each figure is for whole events of the page, as the server answers them, without the network. By default 20
models answer 10,000 questions each.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import insert
from sqlmodel import Session

import clinicnum
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import GenerationRow, RunRow, ScoreRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.benchmarks.benchmark_storage import instance_key, store_benchmark
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.io.jsonl import content_id
from clinicnum.types import OPERATIONS
from clinicnum.ui.pages.explore.page import ExploreHandlers
from clinicnum.ui.pages.explore.view_query import ViewQuery

WORDS = (
    *("the", "heart", "rate", "pressure", "systolic", "diastolic", "was", "recorded", "at", "first", "last"),
    *("therefore", "answer", "value", "mean", "of", "patient", "record", "from", "table", "compute", "step"),
    *("divide", "minus", "plus", "equals", "so", "that", "is", "above", "below", "time"),
)
TEXT_WORDS = 120
"""Words of an answer: about 750 characters."""


def fill(session: Session, models: int, questions: int) -> list[str]:
    """Store a benchmark and runs with made-up answers; returns run ids."""
    rng = random.Random(0)  # noqa: S311  made-up data
    each = -(-questions // 12)
    quota = ",".join(f"{operation}={each}" for operation in OPERATIONS)
    asked = list(clinicnum.generate(quota=quota, representation="all"))[:questions]
    benchmark = store_benchmark(session, meta={}, instances=asked)
    instances = [(instance_key(benchmark, one.instance_id), one.instance_id) for one in asked]
    runs = []
    for model in range(models):
        run = content_id(["run", model])
        meta = {"model": f"model {model}"}
        session.add(RunRow(id=run, benchmark_id=benchmark, run_id=f"run{model}", meta=meta))
        session.flush()
        rows = [_answer(model, run, *one, rng) for one in instances]
        _store(session, GenerationRow, [generation for generation, _ in rows])
        _store(session, ScoreRow, [score for _, score in rows])
        runs.append(run)
    return runs


def _store(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), 2_000):
        session.execute(insert(table), rows[start : start + 2_000])


def _answer(
    model: int, run: str, instance: str, instance_id: str, rng: random.Random
) -> tuple[dict[str, Any], ...]:
    key = content_id([model, instance])
    right = rng.random() < 0.3 + 0.03 * model
    text = f'{" ".join(rng.choices(WORDS, k=TEXT_WORDS))} {{"answer": {rng.randrange(1000)}}}'
    status = "correct" if right else rng.choice(("incorrect", "unparsable", "truncated"))
    ids = {"generation_id": key, "run_id": f"run{model}", "instance_id": instance_id}
    generation = {**ids, "text": text, "finish_reason": "stop", "answer_confidence": rng.random()}
    read = {"parsed": "1", "form": "json", "strict": right, "lenient": right, "reason": "made up"}
    score = {"generation_id": key, "status": status, **read}
    return (
        {"id": key, "run": run, "instance": instance, "generation_id": key, "payload": generation},
        {"id": key, "generation": key, "status": status, "payload": score, "current": True},
    )


def events(runs: Sequence[str]) -> dict[str, Callable[[int], ViewQuery]]:
    """By name of an event: a function that gives the query which the page sends the n-th time that it
    happens.
    """
    every = tuple(runs)
    where = [
        {"operation": ("arithmetic",)},
        {"vital": ("spo2_pct",), "representation": ("note",)},
        {"context_length": ("4000-5999", "6000-7999")},
        {"model": ("model 3",), "correct": ("no",)},
        {"template": ("retrieval.sbp", "arithmetic.map"), "gender": ("F",)},
    ]

    def facet(panel: str, **more: Any) -> Callable[[int], ViewQuery]:
        return lambda n: ViewQuery(runs=every, where=where[n % len(where)], panel=panel, **more)

    return {
        "facet, with slices by template": facet("slices", by="template"),
        "facet, with slices by patient": facet("slices", by="patient"),
        "facet, with the map of failures": facet("map"),
        "facet, with the answers": facet("answers"),
        "search": lambda n: ViewQuery(
            runs=every, search=f"{WORDS[n % len(WORDS)]} {WORDS[-n % len(WORDS)]}", panel="answers"
        ),
        "next page": lambda n: ViewQuery(runs=every, panel="answers", page=n + 2),
        "page sorted by confidence": lambda n: ViewQuery(
            runs=every, panel="answers", order="confidence", page=n + 2
        ),
    }


def timed(call: Callable[[int], object], times: int) -> str:
    """Median and 95th percentile, as text, of a call in wall and CPU milliseconds, after one warm-up call: on
    a busy machine, CPU time is nearer to what a quiet one needs.

    The call gets the number of its repetition, 0 for the warm-up.
    """
    call(0)
    taken = []
    for n in range(times):
        begun = time.perf_counter(), time.process_time()
        call(n)
        taken.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    clock, processor = (np.percentile([1_000 * one[at] for one in taken], (50, 95)) for at in (0, 1))
    return f"p50 {clock[0]:.0f} ms, p95 {clock[1]:.0f} ms (processor {processor[0]:.0f}, {processor[1]:.0f})"


def memory_mb() -> float:
    """Resident memory of this process now, in MiB."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def measure(folder: Path, models: int, questions: int, times: int) -> Iterator[str]:
    """Fill a database in the folder, and yield the figures as lines of text."""
    engine = make_engine(f"sqlite:///{folder / 'explore.db'}")
    migrate(engine)
    with writing(engine) as session:
        user = users.add_user(session, name="rex", role="researcher", password=None).user_id
        runs = fill(session, models, questions)
    yield f"{models * questions:,} generations of {models} models; memory before: {memory_mb():.0f} MB"
    page = ExploreHandlers(Store(engine), Explorer())
    begun = time.perf_counter(), time.process_time()
    page.shown(ViewQuery(runs=tuple(runs)), user)
    clock, processor = time.perf_counter() - begun[0], time.process_time() - begun[1]
    yield f"first view, read from the database: {clock:.1f} s (processor {processor:.1f} s)"
    for name, view in events(runs).items():
        figures = timed(lambda n, view=view: page.shown(view(n), user), times)  # type: ignore[misc]
        yield f"{name}: {figures}"
    yield f"memory after: {memory_mb():.0f} MB"
    engine.dispose()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="2 models and 200 questions, as in the suite")
    parser.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    models, questions, times = (2, 200, 2) if given.small else (20, 10_000, given.times)
    with tempfile.TemporaryDirectory() as folder:
        for line in measure(Path(folder), models, questions, times):
            print(line, flush=True)


if __name__ == "__main__":
    main()
