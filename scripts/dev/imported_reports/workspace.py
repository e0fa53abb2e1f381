"""The steps from items to a verified report, each by the command or function that a lab would use."""

import shutil
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from clinicnum.db.work.home.scripted_people import HABITS
from clinicnum.errors import InputError
from clinicnum.io.jsonl import meta_path
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.install_small_model import ensure_small_model
from clinicnum.scripts.commands.common.open_database import using_database
from clinicnum.scripts.commands.common.simulated_annotators import (
    add_simulated,
    adjudicate_study,
    label_study,
)

READERS, LEAD = ("scripted-1", "scripted-2", "scripted-3"), "scripted-lead"
"""Accounts of the scripts that label and decide: of the kind `simulated`, with which nobody can log in."""
LEFT = 4
"""Disagreements that the scripted adjudicator leaves."""
MARKER = ".imported-reports"
"""File in a folder of this program: only such a folder, or an empty one, is written to."""
SEED = "1"


@dataclass(frozen=True)
class Run:
    """The files of one model's answers."""

    generations: Path
    scores: Path
    suggestions: Path


@dataclass(frozen=True)
class Workspace:
    """One report being built: its folder, the data that it is made of, and how large it is to be.

    Each step raises InputError if its command fails.
    """

    out: Path
    name: str
    data: Path
    limit: int | None = None
    """Items of each benchmark; None: all."""
    most_tokens: int | None = None
    """Longest answer, whatever is asked for; None: as asked for."""
    threads: int | None = None
    """CPU threads of the model; None: as many as there are cores."""

    @property
    def folder(self) -> Path:
        """The folder of the report."""
        return self.out / self.name

    @property
    def items(self) -> Path:
        """The folder of the files behind the report."""
        return self.folder / "items"

    @property
    def database(self) -> str:
        return f"sqlite:///{self.items / 'study.db'}"

    @cached_property
    def model(self) -> Path:
        """The folder of the small model, which is installed where it is missing."""
        return ensure_small_model()

    def begin(self) -> None:
        """Delete the report's folder if there is one, and make it with an empty folder `items`."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.items.mkdir(parents=True)

    def add_file(self, name: str, content: str) -> Path:
        """Write a file beside the report's items."""
        path = self.items / name
        path.write_text(content, encoding="utf-8")
        return path

    def import_items(self, source: Path, *options: str) -> Path:
        """Make a benchmark of a file; `options` are those of `clinicnum import items`."""
        out = self.items / "benchmark.jsonl"
        command("import", "items", "--from", str(source), "--out", str(out), *options)
        return out

    def import_answers(self, source: Path, benchmark: Path, model_name: str, *options: str) -> Run:
        """Import answers collected elsewhere, and score them."""
        out = self.items / f"{model_name}.generations.jsonl"
        named = ("--benchmark", str(benchmark), "--model-name", model_name, "--out", str(out))
        command("import", "generations", "--from", str(source), *named, *options)
        return self._score(benchmark, out, model_name)

    def ask_model(
        self, benchmark: Path, name: str, *options: str, new_tokens: int, prompt: Path | None = None
    ) -> Run:
        """Ask the small model, and score its answers. These are kept in the folder `answers`, and not asked
        for again while benchmark, prompt and options are the same.
        """
        tokens = str(min(new_tokens, self.most_tokens or new_tokens))
        options = ("--max-new-tokens", tokens, *options)
        asked = [benchmark.read_bytes(), "\n".join(options).encode(), prompt.read_bytes() if prompt else b""]
        key = sha256(b"\n\n".join(asked)).hexdigest()[:12]
        answers = self.out / "answers"
        answers.mkdir(exist_ok=True)
        kept = answers / f"{name}.{key}.jsonl"
        more = (
            *(("--prompt", str(prompt)) if prompt else ()),
            *(("--threads", str(self.threads)) if self.threads else ()),
        )
        named = ("--benchmark", str(benchmark), "--model", str(self.model), "--out", str(kept))
        command("run", *named, *options, *more)
        out = self.items / f"{name}.generations.jsonl"
        for source, copy in ((kept, out), (meta_path(kept), meta_path(out))):
            shutil.copyfile(source, copy)
        return self._score(benchmark, out, name)

    def _score(self, benchmark: Path, generations: Path, name: str) -> Run:
        made = (self.items / f"{name}.scores.jsonl", self.items / f"{name}.suggestions.jsonl")
        run = Run(generations, *made)
        read = ("--benchmark", str(benchmark), "--generations", str(run.generations))
        command("score", *read, "--out", str(run.scores), "--suggestions", str(run.suggestions))
        return run

    def label(
        self,
        benchmark: Path,
        runs: Sequence[Run],
        *options: str,
        error_rate: float,
        adjudicated: bool = False,
    ) -> None:
        """Open a study on the runs, let scripts label it and, if `adjudicated`, decide most disagreements."""
        given = [
            *(part for run in runs for part in ("--generations", str(run.generations))),
            *(part for run in runs for part in ("--scores", str(run.scores))),
            *(part for run in runs if adjudicated for part in ("--suggestions", str(run.suggestions))),
        ]
        with using_database(self.database) as engine:
            add_simulated(engine, READERS)
            named = ("--name", self.name, "--benchmark", str(benchmark), "--annotators", ",".join(READERS))
            command("study", "create", *named, *given, *options, "--seed", SEED, "--db", self.database)
            habits = {"habits": HABITS} if adjudicated else {}
            label_study(engine, self.name, error_rate=error_rate, seed=0, **habits)
            if adjudicated:
                adjudicate_study(engine, self.name, adjudicator=LEAD, leave=LEFT)
        command("study", "close", self.name, "--db", self.database)

    def write_report(self) -> Path:
        """Write the report in all forms, and the bundle, which is verified."""
        study = ("--study", self.name, "--db", self.database)
        command("report", *study, "--out", str(self.folder))
        bundle = self.folder / "bundle.zip"
        command("export", *study, "--bundle", str(bundle))
        command("verify", str(bundle))
        return self.folder / "report.html"


def command(*arguments: str) -> None:
    """Run a command as a user would type it; what it prints goes to standard error.

    Raises InputError if it fails; the reason is printed by then.
    """
    print(f"$ clinicnum {' '.join(arguments)}", file=sys.stderr, flush=True)
    with redirect_stdout(sys.stderr):
        code = run_command(arguments)
    if code:
        raise InputError(f"clinicnum {' '.join(arguments[:2])} ended with exit code {code}; see above")


def open_folder(out: Path) -> None:
    """Make the folder of all reports. Raises InputError for one that this program did not make."""
    if out.exists() and not (out / MARKER).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is not empty and was not made by this program; name another --out")
    out.mkdir(parents=True, exist_ok=True)
    (out / MARKER).touch()
