"""`clinicnum demo`: the whole workflow on this machine; each step is a command that users can also run."""

import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from clinicnum.annotations.types import Role

T = TypeVar("T")
STUDY = "demo"
PEOPLE: "dict[str, Role]" = {"ann": "annotator", "admin": "admin"}
TO_DO = {"ann": "(labels the study “yours”)", "admin": "(does all else: begin here)"}
"""What each account is for."""
SHORT = ("--max-new-tokens", "64")
"""Limits the new tokens: enough for this model to answer, and fast on two cores."""
SIMULATED = ("simulated-1", "simulated-2", "simulated-3")


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
    from clinicnum.scripts.commands.common.small_model import ensure_small_model

    if fresh and out.exists():
        _delete_demo(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / ".clinicnum-demo").touch()
    clock = _Clock()
    clock.add("packages", setup_seconds)
    model = clock.time("small model", ensure_small_model)
    files = _make_benchmark(out, model, source, path, clock)
    database = f"sqlite:///{out / 'clinicnum.db'}"
    accounts = _make_study(files, database, out, clock)
    clock.time(
        "report", lambda: _step("report", "--study", STUDY, "--db", database, "--out", str(out / "report"))
    )
    clock.time(
        "export", lambda: _step("export", "--study", STUDY, "--db", database, "--out", str(out / "export"))
    )
    typer.echo(f"\n{clock}\n\ndatabase  {out / 'clinicnum.db'}\nreport    {out / 'report' / 'report.html'}")
    typer.echo("The annotators of this report are simulated; its figures say nothing about any model.")
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


def _make_benchmark(
    out: Path, model: Path, source: str, path: Path | None, clock: _Clock
) -> tuple[str, str, str, str]:
    names = ("bench", "generations", "scores", "suggestions")
    bench, generations, scores, suggestions = (str(out / f"{name}.jsonl") for name in names)
    where = ("--path", str(path)) if path else ()
    if not Path(bench).exists():
        arguments = (
            "generate",
            "--source",
            source,
            *where,
            "--preset",
            "small",
            "--seed",
            "0",
            "--out",
            bench,
        )
        clock.time("generate", lambda: _step(*arguments))
    run = ("run", "--benchmark", bench, "--model", str(model), "--out", generations, *SHORT)
    clock.time("run", lambda: _step(*run))
    score = ("score", "--benchmark", bench, "--generations", generations, "--out", scores)
    clock.time("score", lambda: _step(*score, "--suggestions", suggestions))
    return bench, generations, scores, suggestions


def _make_study(
    files: tuple[str, str, str, str], database: str, out: Path, clock: _Clock
) -> list[tuple[str, str]]:
    """Make accounts, one study labelled by simulated annotators, and one that waits for the user."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_summaries import list_studies
    from clinicnum.scripts.commands.common.database import using_database
    from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study

    accounts = [(name, secrets.token_urlsafe(9)) for name in PEOPLE]
    with using_database(database) as engine:
        with reading(engine) as session:
            if list_studies(session):
                typer.echo(f"going on with the study in {out} (--fresh starts over)", err=True)
                return []
        add_simulated(engine, SIMULATED)
        _add_people(engine, accounts)
        clock.time("study", lambda: _create_study(STUDY, files, database, SIMULATED))
        clock.time("simulated labels", lambda: label_study(engine, STUDY, error_rate=0.15, seed=0))
        clock.time("your study", lambda: _create_study("yours", files, database, ("ann",)))
    return accounts


def _create_study(
    name: str, files: tuple[str, str, str, str], database: str, annotators: tuple[str, ...]
) -> None:
    bench, generations, scores, suggestions = files
    _step(
        *("study", "create", "--name", name, "--benchmark", bench, "--generations", generations),
        *("--scores", scores, "--suggestions", suggestions, "--annotators", ",".join(annotators)),
        *("--overlap", str(len(annotators)), "--db", database),
    )


def _add_people(engine: "Engine", accounts: list[tuple[str, str]]) -> None:
    from clinicnum.db.engine import writing
    from clinicnum.db.work.accounts.users import add_user

    with writing(engine) as session:
        for name, password in accounts:
            add_user(session, name=name, role=PEOPLE[name], password=password)
