"""Every command that reads files, on spoilt ones: a documented exit code, one line, nothing half written."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from sqlalchemy import Engine, select

from tests.fuzz import seeds, study_seeds
from tests.fuzz.judging import Case, as_written
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import Files

OUT = "out"
"""The folder that commands write into."""


@dataclass(frozen=True)
class Command:
    """A command line; `{}` in it is the folder with the files."""

    line: str
    files: Callable[[], Files]
    database: bool = False
    """Whether it changes the database where it succeeds."""
    examples: int = 3
    """Tries in the suite."""

    @property
    def name(self) -> str:
        """Without its paths."""
        return " ".join(word for word in self.line.split() if "{}" not in word)


@cache
def _run() -> Files:
    """A benchmark, its answers and their scores."""
    names = ("bench.jsonl", "generations.jsonl", "scores.jsonl", "suggestions.jsonl")
    return {name: content for one in names for name, content in seeds.only(one).items()}


@cache
def _two_prompts() -> Files:
    """The answers twice, as if asked by two prompts."""
    files = _run()
    answers = files["generations.jsonl"]
    metas = {
        f"{name}.meta.json": json.dumps({"prompt_hash": name, "prompt_ids": [name]}).encode()
        for name in ("generations.jsonl", "other.jsonl")
    }
    return files | {"other.jsonl": answers} | metas


def _import(what: str, form: str, file: str, more: str = "") -> str:
    out = "labels.csv" if what == "labels" else "made.jsonl"
    return f"import {what} --format {form} --from {{}}/{file} --out {{}}/out/{out} {more}".strip()


@cache
def _answered(file: str) -> Files:
    lines = [one.model_dump_json().encode() + b"\n" for one in seeds.answered().values()]
    return seeds.fixture(file) | {"known.jsonl": b"".join(lines)}


def _folder(files: Callable[[], Files], name: str) -> Callable[[], Files]:
    return lambda: {f"{name}/{file}": content for file, content in files().items()}


_TO = "--benchmark {}/known.jsonl --model-name m"
_MATERIAL = "--benchmark {}/bench.jsonl --generations {}/generations.jsonl"
_SCORED = f"{_MATERIAL} --scores {{}}/scores.jsonl"
_LABELS = {"labels.csv": b"item,annotator,label\na,ann,yes\na,ben,no\nb,ann,yes\nb,ben,yes\n"}
_SMALL = "--quota retrieval=1 --representation structured --out {}/out/made.jsonl"
_COLUMNS = "heart_rate_bpm=HR,sbp_mmhg=SBP,dbp_mmhg=DBP"

COMMANDS: tuple[Command, ...] = (
    Command("lint {}/bench.jsonl --json", lambda: seeds.only("bench.jsonl")),
    Command("lint {}/robbench.csv", lambda: seeds.fixture("robbench.csv")),
    Command(f"score {_MATERIAL} --out {{}}/out/s.jsonl --suggestions {{}}/out/t.jsonl", _run),
    Command(f"robustness {_SCORED} --json", _run),
    Command(f"tables {_SCORED} --json", _run),
    Command("samples --benchmark {}/bench.jsonl {}/generations.jsonl --json", _run),
    Command(
        "compare-prompts {}/generations.jsonl {}/other.jsonl --benchmark {}/bench.jsonl --json", _two_prompts
    ),
    Command(f"slices {_SCORED} --json", _run),
    Command(f"generate --source csv --path {{}}/ward.csv --columns {_COLUMNS} {_SMALL}", seeds.vitals),
    Command(f"generate --source mimic-iv-ed --path {{}} {_SMALL}", lambda: seeds.mimic(packed=True)),
    Command(f"generate --bank {{}} {_SMALL}", study_seeds.templates),
    Command(f"generate --notes {{}}/n.txt {_SMALL}", lambda: {"n.txt": f"{seeds.NOTE}\n".encode()}),
    Command(_import("items", "choice", "c.jsonl"), lambda: {"c.jsonl": seeds.lines(seeds.CHOICE)}),
    Command(_import("items", "text", "p.jsonl"), lambda: {"p.jsonl": seeds.lines(seeds.POINTS)}),
    Command(_import("items", "medcalc", "m.csv"), lambda: {"m.csv": seeds.table(seeds.MEDCALC_ITEM)}),
    Command(_import("items", "medec", "m.csv"), lambda: {"m.csv": seeds.table(seeds.MEDEC_ITEM)}),
    Command(_import("items", "clinicnumrobbench", "robbench.csv"), lambda: seeds.fixture("robbench.csv")),
    Command(_import("generations", "inspect", "inspect.eval", _TO), lambda: _answered("inspect.eval")),
    Command(
        _import("generations", "lm-eval", "lm_eval_samples.jsonl", _TO),
        lambda: _answered("lm_eval_samples.jsonl"),
    ),
    Command(
        _import("generations", "clinicnumrobbench", "robbench_output.csv", _TO),
        lambda: _answered("robbench_output.csv"),
    ),
    Command(
        _import("generations", "jsonl", "a.jsonl", "--benchmark {}/bench.jsonl --model-name m"),
        lambda: seeds.only("bench.jsonl") | {"a.jsonl": seeds.plain_answers()},
    ),
    Command(_import("labels", "long", "labels.csv"), lambda: dict(_LABELS)),
    Command(
        _import("labels", "label-studio", "l.json"),
        lambda: {"l.json": json.dumps([seeds.TASK]).encode()},
    ),
    Command(_import("labels", "potato", "given"), seeds.potato),
    Command(
        "agreement --from {}/labels.csv --scale nominal --categories yes,no --json",
        lambda: dict(_LABELS),
    ),
    Command("agreement --from {}/labels.csv --scale interval --out {}/out/agreement", seeds.interval_labels),
    Command("templates check --bank {} --sample 1 --stays 20", study_seeds.templates),
    Command("templates check --release {}/r", _folder(study_seeds.release, "r")),
    Command("templates diff {}/a {}/b", study_seeds.two_banks),
    Command("templates import {}", study_seeds.templates, database=True),
    Command("templates import {}/r", _folder(study_seeds.release, "r"), database=True),
    Command(f"templates regress --bank base {_SCORED}", _run, examples=2),
    Command(f"runs add {_SCORED}", _run, database=True),
    Command(
        f"study create --name NEW --annotators ann,ben --overlap 2 --include all {_SCORED} "
        "--suggestions {}/suggestions.jsonl --taxonomy {}/taxonomy.yaml --guideline {}/g.md "
        "--fields {}/fields.yaml --criteria {}/criteria",
        lambda: (
            _run()
            | study_seeds.taxonomy()
            | study_seeds.fields()
            | {"g.md": b"# Rules\n", "criteria": study_seeds.CRITERIA["CSV"]}
        ),
        database=True,
    ),
    Command("study guideline six {}/g.md", lambda: {"g.md": b"# Rules\n"}, database=True),
    Command("audit verify --since {}/heads.json", lambda: {"heads.json": b"[]"}),
    Command(
        "compare-reports {}/report.json {}/report.json --json",
        lambda: {"report.json": study_seeds.bundle()["report/report.json"]},
    ),
    Command("restore {}/a.backup --db sqlite:///{}/out/r.db", study_seeds.backup),
    Command("verify {}/b.zip", study_seeds.archive, examples=2),
)  # fmt: skip


_NUMBERS = count()


@dataclass
class Tried:
    """What a run of a command came to."""

    code: int
    out: str
    err: str


@contextmanager
def said() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Standard output and error, kept; the first as strict about half characters as a terminal's."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    with redirect_stdout(out), redirect_stderr(err):
        yield out, err


def run(command: Command, folder: Path, database: str) -> Tried:
    """In this process, as a user types it."""
    from clinicnum.scripts.cli import run_command

    line = command.line.replace("{}", str(folder)).replace("NEW", f"new-{next(_NUMBERS)}")
    arguments = line.split(" ")
    if "--db" not in arguments and (command.database or arguments[0] == "audit"):
        arguments += ["--db", database]
    with said() as (out, err):
        code = run_command(arguments)
        out.flush()
        err.flush()
        told = [stream.detach().getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Tried(code, *told)


def fingerprint(engine: Engine) -> str:
    """Of every row of the database."""
    from clinicnum.db.engine import reading
    from clinicnum.db.rows import Row

    digest = hashlib.sha256()
    with reading(engine) as session:
        for table in Row.metadata.sorted_tables:
            for row in sorted(map(repr, session.execute(select(table)))):
                digest.update(row.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def try_command(command: Command, folder: Path, engine: Engine, case: Case) -> str:
    """Spoil a file, run, and hold what was said and written against what is documented."""
    names = sorted(command.files())
    name = names[case.file % len(names)]
    as_written(command.files(), folder)
    (folder / name).write_bytes(mutated(command.files()[name], case.mutations))
    (folder / OUT).mkdir(exist_ok=True)
    before = fingerprint(engine)
    tried = run(command, folder, engine.url.render_as_string(hide_password=False))
    written = sorted(path.name for path in (folder / OUT).rglob("*"))
    assert tried.code in (0, 1, 2), tried
    assert "Traceback" not in tried.out + tried.err
    assert not [one for one in written if one.endswith(".part")], written
    if tried.code == 2:
        assert tried.err.count("\n") == 1, tried.err
        assert tried.err.startswith("error: "), tried.err
        assert len(tried.err) < 2_100, len(tried.err)
        assert not written, f"refused, and yet there are {written}"
    if tried.code == 2 or not command.database:
        assert fingerprint(engine) == before, "refused, and yet the database changed"
    return "read" if tried.code < 2 else tried.err
