"""Benchmark of the bank page: a curator's waits over HTTP with thousands of templates and a few runs.

    python -m clinicnum.scripts.dev.bench_bank [--templates 5000] [--items 2000] [--runs 3] [--rounds 100]
        [--json FILE]

The real application, started as `clinicnum serve` on a SQLite database with copies of the packaged templates
under other ids, real instances of them, and computed health. One curator loads the page, searches, turns the
page, sorts by discrimination and opens a version, one request after the other. The target is 300 ms at p95.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_health, template_versions
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Refused
from clinicnum.scripts.dev.load_test.parallel_annotators import percentile
from clinicnum.scripts.dev.load_test.server_process import ServerProcess
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD, made_up
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template

TARGET_MS = 300
PREDICT = "/bank/gradio_api/run/predict"
UNFILTERED = ("", "", "standing")
"""Tag, operation and status as initially set on the page."""
WORDS = ("pressure", "heart rate", "highest", "first below", "mean", "score", "temperature", "news2")
WARM = 5


def main() -> None:
    """Fill the database, start the server, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--templates", type=int, default=5000)
    parser.add_argument("--items", type=int, default=2000, help="instances")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=100, help="of the five requests")
    parser.add_argument("--json", type=Path, help="also write all figures here")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cn-bench-") as scratch:
        url = f"sqlite:///{Path(scratch) / 'bank.db'}"
        engine = open_database(url)
        counted = fill(engine, flags.templates, flags.items, flags.runs)
        engine.dispose()
        print(f"{flags.templates} templates, {flags.items} instances, {flags.runs} runs", end="")
        print(f": counted in {counted:.1f} s")
        server = ServerProcess.clinicnum_serve(url, Path(scratch) / "log").start()
        try:
            waits = measure(Connection(server.port), flags.rounds)
        finally:
            server.kill()
    figures = {step: _figures(values) for step, values in waits.items()}
    print("request        p50      p95      max  ms")
    for step, one in figures.items():
        print(f"{step:<10}{one['p50_ms']:>8.1f} {one['p95_ms']:>8.1f} {one['max_ms']:>8.1f}")
    worst = max(one["p95_ms"] for one in figures.values())
    print(f"{'within' if worst < TARGET_MS else 'BEYOND'} the target of {TARGET_MS} ms at p95")
    if flags.json:
        flags.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def fill(engine: Engine, templates: int, items: int, number: int) -> float:
    """Fill the database with templates, runs and health; returns the seconds that computing the health
    took.
    """
    packaged = named_bank("all")
    copies = [_copy(packaged[place % len(packaged)], place // len(packaged)) for place in range(templates)]
    known = {one.id for one in copies}
    with writing(engine) as session:
        users.add_user(session, name="cur", role="curator", password=PASSWORD)
        template_versions.add_templates(session, copies)
        stored_runs.add_runs(session, material=_spread(made_up(items), known, number))
    before = time.perf_counter()
    with writing(engine) as session:
        template_health.store_health(session, template_health.compute_health(session))
    return time.perf_counter() - before


def _copy(template: Template, number: int) -> Template:
    return template if not number else template.model_copy(update={"id": f"{template.id}.copy_{number}"})


def _spread(material: Material, known: set[str], number: int) -> Material:
    """Distribute the instances over copies of their templates, and make `number` runs that are right on some
    of them.
    """
    lot = random.Random(0)  # noqa: S311  figures to look at, no secret
    instances = []
    for one in material.instances:
        ids = [
            name
            for name in (f"{one.template_id}.copy_{lot.randrange(1, 40)}", one.template_id)
            if name in known
        ]
        instances.append(one.model_copy(update={"template_id": ids[0]}))
    made, scores = [], []
    for run in range(number):
        said = [
            one.model_copy(update={"run_id": f"run{run}", "generation_id": f"{run}-{one.generation_id}"})
            for one in material.runs[0].generations
        ]
        made.append(Run(meta={"model": f"made-up/{run}"}, generations=tuple(said)))
        for score in material.scores:
            right = lot.random() < (run + 1) / (number + 1)
            changed = {"generation_id": f"{run}-{score.generation_id}", "lenient": right, "strict": right}
            scores.append(score.model_copy(update=changed | {"status": "correct" if right else "incorrect"}))
    return replace(material, instances=tuple(instances), runs=tuple(made), scores=tuple(scores))


def measure(connection: Connection, rounds: int) -> dict[str, list[float]]:
    """Seconds of each kind of request, one value per round. Raises Refused for an error response."""
    if connection.post_form("/login", {"name": "cur", "password": PASSWORD}).status != 303:
        raise Refused("login")
    config = connection.get("/bank/config").json()
    events = {one["api_name"]: one for one in config["dependencies"]}
    tables = [one["id"] for one in config["components"] if one["props"].get("elem_id") == "versions"]
    waits: dict[str, list[float]] = {}
    lot = random.Random(1)  # noqa: S311  the order of searches, no secret

    def ask(step: str, event: str, data: list[Any]) -> list[Any]:
        body = {"data": data, "fn_index": events[event]["id"], "session_hash": "bench"}
        before = time.perf_counter()
        answer = connection.post_json(PREDICT, body)
        waits.setdefault(step, []).append(time.perf_counter() - before)
        if answer.status != 200:
            raise Refused(f"{step}: {answer.status} {answer.body[:200]!r}")
        values: list[Any]
        status, *values = answer.json()["data"]
        if status:
            raise Refused(f"{step}: {status}")
        return values

    def listed(step: str, event: str, data: list[Any]) -> list[list[str]]:
        """The rows of the table of versions."""
        place = events[event]["outputs"].index(tables[0]) - 1
        rows: list[list[str]] = ask(step, event, data)[place]["value"]["data"]
        if not rows:
            raise Refused(f"{step}: no row")
        return rows

    for turn in range(rounds + WARM):
        if turn == WARM:
            waits.clear()
        listed("load", "load", [])
        listed("search", "search", [lot.choice(WORDS), *UNFILTERED, "id", []])
        rows = listed("next page", "turn", ["", *UNFILTERED, "id", [], lot.randrange(2, 90)])
        listed("order", "search", ["", *UNFILTERED, "discrimination", []])
        template, version, *_ = lot.choice(rows)
        ask("detail", "open_version", [f"{template} {version}"])
    return waits


def _figures(values: list[float]) -> dict[str, float]:
    shares = {"p50_ms": percentile(values, 0.5), "p95_ms": percentile(values, 0.95), "max_ms": max(values)}
    return {name: round(1000 * (value or 0), 2) for name, value in shares.items()}


if __name__ == "__main__":
    try:
        main()
    except (ClinicnumError, Refused) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
