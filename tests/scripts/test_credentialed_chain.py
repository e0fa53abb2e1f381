"""One credentialed patient through every command and into every file: the mark is in each.

Open data take the shorter half of the same way, and carry none.
"""

import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from clinicnum.credentialed_data import MARK
from clinicnum.db.engine import make_engine
from clinicnum.db.migrate import migrate
from clinicnum.io.benchmark import read_benchmark
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study

ROBOTS = ("simulated-1", "simulated-2")
TERMS = f"{MARK}: MIMIC-IV-ED is under PhysioNet"
WARNING = f"warning: {TERMS}"
HEAD = "subject_id,stay_id,charttime,temperature,heartrate,resprate,o2sat,sbp,dbp,rhythm,pain\n"
VALUES = "98.{0},{1},{2},{3},{4},{5},,2"
ROWS = "".join(
    f"7,70,2150-02-03 {9 + n:02}:00:00,"
    + VALUES.format(n, 80 + 3 * n, 16 + n, 98 - n, 120 + 4 * n, 80 + n)
    + "\n"
    for n in range(6)
)
MIMIC = {
    "vitalsign.csv": HEAD + ROWS,
    "edstays.csv": "subject_id,stay_id\n7,70\n",
    "patients.csv": "subject_id,gender,anchor_age,anchor_year\n7,F,50,2148\n",
}
"""One patient who was never born, in MIMIC-IV-ED's layout."""


@dataclass
class Chain:
    """Everything that the commands wrote, and what each said on standard error."""

    folder: Path
    closed: bool
    said: dict[str, str] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def meta(self, name: str) -> dict[str, object]:
        loaded: dict[str, object] = json.loads(self.text(f"{name}.meta.json"))
        return loaded


@pytest.fixture(scope="module", params=["closed", "open"])
def chain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    """Both ways through, from records to a backup, with the umask that lets others read."""
    before = os.umask(0o022)
    made = Chain(tmp_path_factory.mktemp(request.param), request.param == "closed")
    try:
        _go(made)
        yield made
    finally:
        os.umask(before)


def _go(made: Chain) -> None:
    at = made.folder
    for name, text in MIMIC.items():
        (at / name).write_text(text, encoding="utf-8")
    url = f"sqlite:///{at / 'c.db'}"

    def run(step: str, *arguments: str, code: int = 0) -> None:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            got = run_command([argument.replace("@", f"{at}/") for argument in arguments])
        made.printed[step], made.said[step] = out.getvalue(), err.getvalue()
        assert got == code, (step, made.said[step])

    source = ("--source", "mimic-iv-ed", "--path", "@") if made.closed else ("--source", "synthetic")
    run(
        "generate",
        "generate",
        *source,
        "--quota",
        "retrieval=2,arithmetic=2",
        "--representation",
        "structured",
        *("--variants", "input.typo", "--out", "@bench.jsonl"),
    )
    answers = [{"id": one, "text": '{"answer": 7}'} for one in read_benchmark(at / "bench.jsonl")]
    (at / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    bench = ("--benchmark", "@bench.jsonl")
    run("lint", "lint", "@bench.jsonl", "--json")
    run(
        "import",
        "import",
        "generations",
        "--format",
        "jsonl",
        "--from",
        "@answers.jsonl",
        *bench,
        *("--model-name", "m", "--id-field", "id", "--out", "@g.jsonl"),
    )
    scored = (
        "--generations",
        "@g.jsonl",
        "--out",
        "@s.jsonl",
        "--suggestions",
        "@why.jsonl",
        "--steps",
        "@steps.jsonl",
    )
    run("score", "score", *bench, *scored, "--json")
    run("robustness", "robustness", *bench, "--generations", "@g.jsonl", "--scores", "@s.jsonl", "--json")
    tables = ("--scores", "@s.jsonl", "--out", "@tables", "--only", "accuracy_by_template", "--json")
    run("tables", "tables", *bench, "--generations", "@g.jsonl", *tables)
    engine = make_engine(url)
    migrate(engine)
    run("list", "study", "list", "--db", url)
    add_simulated(engine, ROBOTS)
    run(
        "study",
        "study",
        "create",
        "--name",
        "c",
        *bench,
        "--generations",
        "@g.jsonl",
        "--scores",
        "@s.jsonl",
        *("--annotators", ",".join(ROBOTS), "--overlap", "2", "--db", url),
    )
    label_study(engine, "c", error_rate=0.2, seed=1)
    engine.dispose()
    forms = "csv,jsonl,parquet,xlsx,label-studio" + ",hugging-face" * made.closed
    if made.closed:
        run("refused", "export", "--study", "c", "--out", "@no", "--format", forms, "--db", url, code=2)
    leave = ("--allow-credentialed",) if made.closed else ()
    run("export", "export", "--study", "c", "--out", "@rows", "--format", forms, *leave, "--db", url)
    run("backup", "backup", "@c.backup", "--db", url)
    if made.closed:
        run("report", "report", "--study", "c", "--out", "@report", "--suppress-below", "5", "--db", url)
        run("agreement", "agreement", "--study", "c", "--out", "@agreement", "--db", url)


METAS = ("bench.jsonl", "g.jsonl", "s.jsonl", "why.jsonl", "steps.jsonl")
STEPS = ("generate", "lint", "import", "score", "robustness", "tables", "study", "export", "backup")
CLOSED_STEPS = ("report", "agreement")


def test_every_command_warns_in_one_line(chain: Chain) -> None:
    for step in (*STEPS, *(CLOSED_STEPS if chain.closed else ())):
        lines = [line for line in chain.said[step].splitlines() if MARK in line]
        assert [line[: len(WARNING)] for line in lines] == [WARNING] * chain.closed, step
    if chain.closed:
        assert "rests on records that are not open" in chain.said["refused"]
        assert not (chain.folder / "no").exists()


def test_every_meta_and_every_json_carries_the_terms(chain: Chain) -> None:
    said = [chain.meta(name) for name in METAS]
    said += [json.loads(chain.printed[step]) for step in ("lint", "score", "robustness", "tables")]
    said.append(json.loads(chain.text("rows/datapackage.json")))
    if chain.closed:
        said.append(json.loads(chain.text("agreement/agreement.json")))
    for one in said:
        assert str(one.get("data_use", "")).startswith(TERMS) is chain.closed
        assert (one.get("credentialed") is True) is chain.closed


def test_every_table_has_the_mark_in_its_last_column(chain: Chain) -> None:
    csvs = [*chain.folder.glob("*/*.csv")]
    assert len(csvs) > (30 if chain.closed else 4)
    for path in csvs:
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        assert head.endswith(",data_use") is chain.closed, path
        if path.name in ("accuracy.csv", "labels.csv", "scores.csv"):
            assert all(row.endswith(",credentialed") for row in rows) is chain.closed, path
    for path in chain.folder.glob("rows/**/*.parquet"):
        schema = pq.read_schema(path)
        assert ("data_use" in schema.names) is chain.closed, path
        if chain.closed:
            assert schema.field("data_use").metadata[b"description"].decode().startswith(TERMS)


def test_every_other_form_carries_the_terms(chain: Chain) -> None:
    names = [
        *(
            "rows/DATA_USE.md",
            "rows/annotations.jsonl.meta.json",
            "rows/label_studio.json",
            "rows/label_studio.xml",
        ),
        *(
            "rows/hugging_face/README.md",
            "rows/data_dictionary.md",
            "report/DATA_USE.md",
        ),
    ]
    for folder in ("report",):
        names += [
            f"{folder}/{name}"
            for name in ("report.html", "report.md", "report.json", "tables.tex", "accuracy.tex")
        ]
    for name in names:
        path = chain.folder / name
        assert (path.exists() and MARK in path.read_text(encoding="utf-8")) is chain.closed, name
    for name in ("rows/rows.xlsx", *["report/report.xlsx"] * chain.closed):
        book = zipfile.ZipFile(chain.folder / name)
        assert any(MARK.encode() in book.read(part) for part in book.namelist()) is chain.closed, name


def test_every_file_is_for_its_owner_alone(chain: Chain) -> None:
    given = {*MIMIC, "answers.jsonl"}
    made = [path for path in chain.folder.rglob("*") if path.is_file() and path.name not in given]
    assert {"c.db", "c.backup", "bench.jsonl", "rows.xlsx"} <= {path.name for path in made}
    open_to_others = {str(path): oct(path.stat().st_mode) for path in made if path.stat().st_mode & 0o077}
    assert not open_to_others


def test_the_database_and_its_backup_keep_the_mark(chain: Chain) -> None:
    for name in ("c.db", "c.backup"):
        with closing(sqlite3.connect(chain.folder / name)) as connection:
            (meta,) = connection.execute("SELECT meta FROM benchmark").fetchone()
        assert (json.loads(meta).get("credentialed") is True) is chain.closed, name
