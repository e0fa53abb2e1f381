"""`clinicnum demo`: the whole workflow on this machine; each step is a command that users can also run."""

import json
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.annotations.types import Role

T = TypeVar("T")
STUDY = "demo"
PEOPLE: "dict[str, Role]" = {"ann": "annotator", "ada": "adjudicator", "admin": "admin"}
TO_DO = {
    "ann": "(labels the study “yours”)",
    "ada": "(decides what the annotators of “demo” still differ on)",
    "admin": "(does all else: begin here)",
}
"""Purpose of each account."""
SHORT = ("--max-new-tokens", "64")
"""Limits the new tokens: enough for this model to answer, and fast on two cores."""
SIMULATED = ("simulated-1", "simulated-2", "simulated-3")
LEAD = "simulated-lead"
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
    from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

    if fresh and out.exists():
        _delete_demo(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / ".clinicnum-demo").touch()
    clock = _Clock()
    clock.add("packages", setup_seconds)
    model = clock.time("small model", ensure_small_model)
    bench = _make_benchmark(out, source, path, clock)
    runs = [_run_model(out, bench, model, clock), *_made_up_runs(out, bench, clock)]
    database = f"sqlite:///{out / 'clinicnum.db'}"
    accounts = _make_studies(bench, runs, database, out, clock)
    clock.time(
        "report", lambda: _step("report", "--study", STUDY, "--db", database, "--out", str(out / "report"))
    )
    clock.time(
        "export", lambda: _step("export", "--study", STUDY, "--db", database, "--out", str(out / "export"))
    )
    typer.echo(f"\n{clock}\n\ndatabase  {out / 'clinicnum.db'}\nreport    {out / 'report' / 'report.html'}")
    typer.echo(
        "The models “careful” and “hasty” of this report are made up, its annotators and its adjudicator "
        "simulated; its figures say nothing about any model."
    )
    for name, password in accounts:
        typer.echo(f"log in    {name}  password {password}  {TO_DO[name]}")
    if not no_serve:
        _step("serve", "--db", database, "--port", str(port))


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

    if not (out / ".clinicnum-demo").is_file():
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
    """Answers with planted failures, brought in and scored as those of any model that ran elsewhere."""
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


def _make_studies(
    bench: str, runs: list[_Run], database: str, out: Path, clock: _Clock
) -> list[tuple[str, str]]:
    """Make accounts, a study that is labelled and adjudicated by scripts, and one that waits for the user."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.home.scripted_people import HABITS
    from clinicnum.db.work.studies.study_summaries import list_studies
    from clinicnum.scripts.commands.common.database import using_database
    from clinicnum.scripts.commands.common.simulated_annotators import (
        add_simulated,
        adjudicate_study,
        label_study,
    )

    accounts = [(name, secrets.token_urlsafe(9)) for name in PEOPLE]
    with using_database(database) as engine:
        with reading(engine) as session:
            if list_studies(session):
                typer.echo(f"going on with the study in {out} (--fresh starts over)", err=True)
                return []
        add_simulated(engine, SIMULATED)
        _add_people(engine, accounts)
        simulated = (*("--annotators", ",".join(SIMULATED)), "--overlap", "3", "--size", str(DRAWN))
        clock.time("study", lambda: _create_study(STUDY, bench, runs, database, *simulated, "--seed", "1"))
        clock.time(
            "simulated labels",
            lambda: label_study(engine, STUDY, error_rate=0.06, seed=0, habits=HABITS),
        )
        clock.time(
            "simulated lead",
            lambda: adjudicate_study(engine, STUDY, adjudicator=LEAD, leave=FOR_ADA),
        )
        own = ("--annotators", "ann", "--overlap", "1", "--size", str(YOURS))
        clock.time("your study", lambda: _create_study("yours", bench, runs, database, *own))
    return accounts


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


def _add_people(engine: "Engine", accounts: list[tuple[str, str]]) -> None:
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts.users import add_user

    with writing(engine) as session:
        for name, password in accounts:
            add_user(session, name=name, role=PEOPLE[name], password=password)
