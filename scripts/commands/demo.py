"""`clinicnum demo`: the whole workflow on this machine; each step is a command that users can also run."""

import json
import shutil
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clinicnum.scripts.commands.common.demo_accounts import ADMIN, PEOPLE, add_people, print_accounts
from clinicnum.scripts.commands.common.run_demo_step import STEPS, Clock, run_step

if TYPE_CHECKING:
    from sqlalchemy import Engine

STUDY, OWN_STUDY = "demo", "yours"
"""Names of the studies: one is finished, one waits for the user."""
MARK, COMPLETE = ".clinicnum-demo", "complete\n"
"""The file that tells a folder of the demo, and what it says once all is made."""
SHORT = ("--max-new-tokens", "64")
"""Limits the new tokens: enough for this model to answer, and fast on two cores."""
LONGEST = (
    "the longest step: a small model answers 48 questions, in about 2 minutes on two cores that do nothing "
    "else, and 15 on busy ones (--without-model leaves it out)"
)
SIMULATED = ("simulated-1", "simulated-2", "simulated-3")
LEAD = "simulated-lead"
COLLEAGUES = SIMULATED[:2]
"""Who has labelled the study of the account `ann` already: its labels are the third of each item."""
DRAWN, YOURS, FOR_ADA = 60, 12, 4
"""Items of the two studies, and disagreements that are left to the account `ada`."""


def demo(
    no_serve: Annotated[bool, typer.Option("--no-serve", help="End after the report.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete an earlier demo's folder first.")] = False,
    without_model: Annotated[
        bool,
        typer.Option(
            "--without-model", help="Leave out the small model, the longest step: two made-up models only."
        ),
    ] = False,
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
    from clinicnum.scripts.commands.common.running_demo import HOST, check_port, running_demo, runs_already

    database = f"sqlite:///{out / 'clinicnum.db'}"
    if runs_already(out, database, fresh=fresh):
        return
    if not no_serve:
        check_port(port)
    if fresh and out.exists():
        _delete_demo(out)
    pages = f"http://{HOST}:{port}/" if port else "the address below"
    with running_demo(out, "" if no_serve or not port else pages):
        if _is_complete(out, database):
            typer.echo(f"going on with the demo in {out}; --fresh deletes it and begins anew", err=True)
            _print_places(out)
            accounts = []
        else:
            accounts = _make_demo(out, (source, path), database, setup_seconds, without_model=without_model)
        print_accounts(accounts, None if no_serve else pages, database, starting=True)
        if not no_serve:
            run_step("serve", "--db", database, "--port", str(port))


def _is_complete(out: Path, database: str) -> bool:
    """Whether an earlier start came to its end, and both studies are there."""
    from clinicnum.scripts.commands.common.open_database import using_database_if_any

    mark = out / MARK
    if not mark.is_file() or mark.read_bytes() != COMPLETE.encode():
        return False
    with using_database_if_any(database) as engine:
        return engine is not None and {STUDY, OWN_STUDY} <= set(_simulated_by_study(engine))


def _make_demo(
    out: Path,
    records: tuple[str, Path | None],
    database: str,
    setup_seconds: float,
    *,
    without_model: bool,
) -> list[tuple[str, str]]:
    """Make all that is missing in the folder, and print where it is.

    `records` is their source and its folder. Returns (name, password) of the accounts that are new.
    """
    (out / MARK).touch()
    typer.echo(f"tables that the steps print go to {out / STEPS}", err=True)
    clock = Clock()
    clock.add("packages", setup_seconds)
    bench = _make_benchmark(out, *records, clock)
    model_runs = [] if without_model else [_run_model(out, bench, clock)]
    runs = [*model_runs, *_made_up_runs(out, bench, clock)]
    accounts = _make_studies(out, bench, runs, database, clock, source=records[0])
    clock.time("report", lambda: _make_report(out, database))
    export = ("export", "--study", STUDY, "--db", database, "--out", str(out / "export"))
    clock.time("export", partial(run_step, *export, tables=out / STEPS))
    (out / MARK).write_text(COMPLETE, encoding="utf-8")
    typer.echo(f"\n{clock}\n")
    _print_places(out)
    return accounts


def _print_places(out: Path) -> None:
    report = out / "report" / "report.html"
    typer.echo(f"database  {out / 'clinicnum.db'}\nreport    {report}\ntables    {out / STEPS}")
    typer.echo(
        "The models “careful” and “hasty” of this report are made up, its annotators and its adjudicator "
        "simulated; its figures say nothing about any model."
    )


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

    def score(self, out: Path, bench: str) -> None:
        files = ("--benchmark", bench, "--generations", self.generations, "--out", self.scores)
        run_step("score", *files, "--suggestions", self.suggestions, tables=out / STEPS)


def _make_benchmark(out: Path, source: str, path: Path | None, clock: Clock) -> str:
    bench = str(out / "bench.jsonl")
    if not Path(bench).exists():
        where = ("--source", source, *(("--path", str(path)) if path else ()))
        made = ("generate", *where, "--preset", "small", "--seed", "0", "--out", bench)
        messages = _only_in_file(source)
        clock.time("generate", lambda: run_step(*made, tables=out / STEPS, with_messages=messages))
    return bench


def _only_in_file(source: str) -> bool:
    """Whether the steps' warnings go to the file of tables only. With synthetic records nobody needs to see
    them, such as that the demo's seed is known; with others they say what may be done with the data.
    """
    return source == "synthetic"


def _run_model(out: Path, bench: str, clock: Clock) -> _Run:
    from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

    model = clock.time("small model", ensure_small_model)
    typer.echo(LONGEST, err=True)
    run = _Run.named(out, "")
    asked = ("run", "--benchmark", bench, "--model", str(model), "--out", run.generations, *SHORT)
    clock.time("run", lambda: run_step(*asked))
    clock.time("score", lambda: run.score(out, bench))
    return run


def _made_up_runs(out: Path, bench: str, clock: Clock) -> list[_Run]:
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
        run_step(*brought, "--own-prompts", tables=out / STEPS)
        run.score(out, bench)
        runs.append(run)
    clock.add("made-up models", time.monotonic() - start)
    return runs


def _make_studies(
    out: Path, bench: str, runs: list[_Run], database: str, clock: Clock, *, source: str
) -> list[tuple[str, str]]:
    """Make accounts, a study that scripts label and adjudicate, and one whose third annotator is the user.

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
                made = (*_study_options(name, bench, runs), *options, "--db", database)
                messages = _only_in_file(source)
                created = partial(run_step, *made, tables=out / STEPS, with_messages=messages)
                clock.time(clocked, created)
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


def _make_report(out: Path, database: str) -> None:
    """Build the report of the finished study as the page Reports does, unless an earlier start did, and write
    its files.
    """
    from clinicnum.annotations.worker_jobs import ReportArguments
    from clinicnum.db.engine import reading, writing
    from clinicnum.db.work.accounts.users import list_users
    from clinicnum.db.work.reports.frozen_reports import every_report
    from clinicnum.db.work.reports.request_report import request_report
    from clinicnum.errors import InputError
    from clinicnum.scripts.commands.common.open_database import using_database
    from clinicnum.scripts.commands.jobs.work_at_once import work_at_once

    with using_database(database) as engine:
        with writing(engine) as session:
            if not every_report(session):
                admin = next(user.user_id for user in list_users(session) if user.name == ADMIN)
                request_report(session, user_id=admin, asked=ReportArguments(studies=(STUDY,)))
        typer.echo(f"the report of the study “{STUDY}” is built, as the page Reports does it", err=True)
        work_at_once(engine, "report")
        with reading(engine) as session:
            reports = every_report(session)
    if not reports:
        raise InputError("the report of the study was not built, as told above; start the demo again")
    written = ("reports", "save", reports[-1].report_id, "--db", database, "--out", str(out / "report"))
    run_step(*written, tables=out / STEPS)


def _simulated_by_study(engine: "Engine") -> dict[str, int]:
    """Name of each study -> how many of its annotators are simulated."""
    from clinicnum.db.engine import reading
    from clinicnum.db.work.studies.study_summaries import list_studies

    with reading(engine) as session:
        return {study.name: study.simulated_annotators for study in list_studies(session)}


def _study_options(name: str, bench: str, runs: list[_Run]) -> tuple[str, ...]:
    files = [
        option
        for run in runs
        for option in (
            *("--generations", run.generations),
            *("--scores", run.scores),
            *("--suggestions", run.suggestions),
        )
    ]
    return "study", "create", "--name", name, "--benchmark", bench, *files
