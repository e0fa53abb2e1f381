"""`clinicnum demo`: the whole workflow on this machine; each step is a command that users can also run."""

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from clinicnum.scripts.commands.common.demo_accounts import PEOPLE, TO_DO, add_people, print_how_to_log_in

if TYPE_CHECKING:
    from sqlalchemy import Engine

T = TypeVar("T")
STUDY, OWN_STUDY = "demo", "yours"
"""Names of the studies: one is finished, one waits for the user."""
MARK, COMPLETE = ".clinicnum-demo", "complete\n"
"""The file that tells a folder of the demo, and what it says once all is made."""
SHORT = ("--max-new-tokens", "64")
"""Limits the new tokens: enough for this model to answer, and fast on two cores."""
SIMULATED = ("simulated-1", "simulated-2", "simulated-3")
LEAD = "simulated-lead"
COLLEAGUES = SIMULATED[:2]
"""Who has labelled the study of the account `ann` already: its labels are the third of each item."""
DRAWN, YOURS, FOR_ADA = 60, 12, 4
"""Items of the two studies, and disagreements that are left to the account `ada`."""


def demo(
    no_serve: Annotated[bool, typer.Option("--no-serve", help="End after the report.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete an earlier demo's folder first.")] = False,
    source: Annotated[
        str, typer.Option(help="Where the records come from: synthetic, mimic-iv-ed.")
    ] = "synthetic",
    path: Annotated[Path | None, typer.Option(help="Folder of the records, for mimic-iv-ed.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for all the demo makes.")] = Path("demo-out"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the pages.")] = 7860,
    setup_seconds: Annotated[float, typer.Option(hidden=True)] = 0,
) -> None:
    """Run the whole loop with a real small model and simulated annotators, then open the pages.

    Example: clinicnum demo --no-serve
    """
    if fresh and out.exists():
        _delete_demo(out)
    database = f"sqlite:///{out / 'clinicnum.db'}"
    if _is_complete(out, database):
        typer.echo(f"going on with the demo in {out}; --fresh deletes it and begins anew", err=True)
        _print_places(out)
        print_how_to_log_in(database)
    else:
        _make_demo(out, source, path, database, setup_seconds)
    if not no_serve:
        _step("serve", "--db", database, "--port", str(port))


def _is_complete(out: Path, database: str) -> bool:
    """Whether an earlier start came to its end, and both studies are there."""
    from clinicnum.scripts.commands.common.open_database import using_database_if_any

    mark = out / MARK
    if not mark.is_file() or mark.read_bytes() != COMPLETE.encode():
        return False
    with using_database_if_any(database) as engine:
        return engine is not None and {STUDY, OWN_STUDY} <= set(_simulated_by_study(engine))


def _make_demo(out: Path, source: str, path: Path | None, database: str, setup_seconds: float) -> None:
    """Make all that is missing in the folder, and print where it is and how to log in."""
    from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).touch()
    clock = _Clock()
    clock.add("packages", setup_seconds)
    model = clock.time("small model", ensure_small_model)
    bench = _make_benchmark(out, source, path, clock)
    runs = [_run_model(out, bench, model, clock), *_made_up_runs(out, bench, clock)]
    accounts = _make_studies(bench, runs, database, clock)
    for step in ("report", "export"):
        clock.time(step, partial(_step, step, "--study", STUDY, "--db", database, "--out", str(out / step)))
    (out / MARK).write_text(COMPLETE, encoding="utf-8")
    typer.echo(f"\n{clock}\n")
    _print_places(out)
    for name, password in accounts:
        typer.echo(f"log in    {name}  password {password}  {TO_DO[name]}")
    if not accounts:
        print_how_to_log_in(database)


def _print_places(out: Path) -> None:
    typer.echo(f"database  {out / 'clinicnum.db'}\nreport    {out / 'report' / 'report.html'}")
    typer.echo(
        "The models “careful” and “hasty” of this report are made up, its annotators and its adjudicator "
        "simulated; its figures say nothing about any model."
    )


class _Clock:
    """Measures the time of each step."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, float]] = []

    def add(self, name: str, seconds: float) -> None:
        self.parts.append((name, seconds))

    def time(self, name: str, step: Callable[[], T]) -> T:
        start = time.monotonic()
        result = step()
        self.add(name, time.monotonic() - start)
        return result

    def __str__(self) -> str:
        total = ("in all", sum(seconds for _, seconds in self.parts))
        return "where the time went\n" + "\n".join(f"  {n:<16}{s:7.1f} s" for n, s in [*self.parts, total])


def _step(*arguments: str) -> None:
    """Run one command as a user would type it; if it fails, the demo ends with its exit code."""
    from clinicnum.scripts.cli import run_command

    typer.echo(f"$ clinicnum {' '.join(arguments)}", err=True)
    code = run_command(arguments)
    if code:
        raise typer.Exit(code)


def _delete_demo(out: Path) -> None:
    from clinicnum.errors import InputError

    if not (out / MARK).is_file():
        raise InputError(f"{out}: not a folder that the demo made, so it is not deleted; name another --out")
    shutil.rmtree(out)


@dataclass(frozen=True)
class _Run:
    """The files of one model's answers."""

    generations: str
    scores: str
    suggestions: str

    @classmethod
    def named(cls, out: Path, prefix: str) -> "_Run":
        return cls(*(str(out / f"{prefix}{name}.jsonl") for name in ("generations", "scores", "suggestions")))

    def score(self, bench: str) -> None:
        files = ("--benchmark", bench, "--generations", self.generations)
        _step("score", *files, "--out", self.scores, "--suggestions", self.suggestions)


def _make_benchmark(out: Path, source: str, path: Path | None, clock: _Clock) -> str:
    bench = str(out / "bench.jsonl")
    if not Path(bench).exists():
        where = ("--source", source, *(("--path", str(path)) if path else ()))
        made = ("generate", *where, "--preset", "small", "--seed", "0", "--out", bench)
        clock.time("generate", lambda: _step(*made))
    return bench


def _run_model(out: Path, bench: str, model: Path, clock: _Clock) -> _Run:
    run = _Run.named(out, "")
    asked = ("run", "--benchmark", bench, "--model", str(model), "--out", run.generations, *SHORT)
    clock.time("run", lambda: _step(*asked))
    clock.time("score", lambda: run.score(bench))
    return run


def _made_up_runs(out: Path, bench: str, clock: _Clock) -> list[_Run]:
    """Make up answers with planted failures, then import and score them like those of a model that ran
    elsewhere.
    """
    from clinicnum.api.sample_project import ANSWERS
    from clinicnum.io.benchmark import read_benchmark

    start = time.monotonic()
    runs = []
    instances = list(read_benchmark(Path(bench)).values())
    for name, answers in ANSWERS.items():
        run, texts = _Run.named(out, f"{name}."), out / f"{name}.answers.jsonl"
        lines = (
            json.dumps({"instance_id": instance.instance_id, "text": text})
            for instance, text in zip(instances, answers(instances), strict=True)
        )
        texts.write_text("\n".join(lines) + "\n", encoding="utf-8")
        where = ("--from", str(texts), "--benchmark", bench, "--out", run.generations)
        brought = ("import", "generations", "--format", "jsonl", "--model-name", f"{name} (made up)", *where)
        _step(*brought)
        run.score(bench)
        runs.append(run)
    clock.add("made-up models", time.monotonic() - start)
    return runs


def _make_studies(bench: str, runs: list[_Run], database: str, clock: _Clock) -> list[tuple[str, str]]:
    """Make accounts, a study that is labelled and adjudicated by scripts, and one in which the user is third.

    What an earlier start made is kept. Returns (name, password) of the accounts that are new.
    """
    from clinicnum.db.work.home.scripted_people import HABITS
    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.scripts.commands.common.simulated_annotators import (
        add_simulated,
        adjudicate_study,
        label_study,
    )

    with using_database(database) as engine:
        add_simulated(engine, SIMULATED)
        accounts = add_people(engine)
        there = _simulated_by_study(engine)
        for name, clocked, names, size in (
            (STUDY, "study", SIMULATED, DRAWN),
            (OWN_STUDY, "your study", (*COLLEAGUES, next(iter(PEOPLE))), YOURS),
        ):
            options = ("--annotators", ",".join(names), "--overlap", "3", "--size", str(size), "--seed", "1")
            if name not in there:
                clock.time(clocked, partial(_create_study, name, bench, runs, database, *options))
        clock.time(
            "simulated labels",
            lambda: [
                label_study(engine, name, error_rate=0.06, seed=0, habits=HABITS)
                for name, simulated in _simulated_by_study(engine).items()
                if simulated and name in (STUDY, OWN_STUDY)
            ],
        )
        clock.time(
            "simulated lead",
            lambda: adjudicate_study(engine, STUDY, adjudicator=LEAD, leave=FOR_ADA),
        )
    return accounts


def _simulated_by_study(engine: "Engine") -> dict[str, int]:
    """Name of each study -> how many of its annotators are simulated."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_summaries import list_studies

    with reading(engine) as session:
        return {study.name: study.simulated_annotators for study in list_studies(session)}


def _create_study(name: str, bench: str, runs: list[_Run], database: str, *options: str) -> None:
    files = [
        option
        for run in runs
        for option in (
            *("--generations", run.generations),
            *("--scores", run.scores),
            *("--suggestions", run.suggestions),
        )
    ]
    _step("study", "create", "--name", name, "--benchmark", bench, *files, *options, "--db", database)
