"""`docs/upgrade.md`, word for word, on what version 0.1 wrote: its commands run, and nothing is lost."""

import csv
import re
import shlex
import sqlite3
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from clinicnum.db.engine import make_engine, writing
from clinicnum.db.login import log_in
from clinicnum.db.migrate import newest_revision
from clinicnum.db.work.annotation import annotate
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.open_database import using_database
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated
from tests.db.examples import FAILURE

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "upgrade.md"
WRITTEN = ROOT / "tests" / "data" / "version-0.1" / "made.tar.xz"
PASSWORD = "made-up-0.1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What 0.1 left in a folder, where commands look for it by themselves."""
    with tarfile.open(WRITTEN) as archive:
        archive.extractall(tmp_path, filter="data")
    monkeypatch.delenv("CLINICNUM_DATABASE_URL", raising=False)
    monkeypatch.setenv("CLINICNUM_AUDIT_DIR", str(tmp_path / "audit"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(database: Path, question: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(question).fetchall()
    finally:
        connection.close()


def run_line(line: str, printed: pytest.CaptureFixture[str]) -> str:
    """Run one command of the page; what it printed."""
    program, *arguments = shlex.split(line)
    if program == "pip":
        return ""  # the version is that of this test
    if program == "python":
        return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout
    assert program == "clinicnum"
    printed.readouterr()
    assert run_command(arguments) == 0, (line, printed.readouterr().err)
    return printed.readouterr().out


def test_the_commands_of_the_page_upgrade_a_database_of_0_1_report_and_export_from_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = "SELECT revision, response_judgement, item_judgement, created_at FROM annotation ORDER BY 4, 1"
    before = asked(folder / "clinicnum.db", labels)
    assert asked(folder / "clinicnum.db", "SELECT version_num FROM alembic_version") == [("0001",)]
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    told = {line: run_line(line, capsys) for line in "".join(blocks).splitlines()}
    assert len(told) == 10
    assert asked(folder / "before-0.2.db", "SELECT version_num FROM alembic_version") == [("0001",)]
    assert asked(folder / "clinicnum.db", "SELECT version_num FROM alembic_version") == [(newest_revision(),)]
    assert asked(folder / "clinicnum.db", labels) == before
    assert len(before) == 71
    assert told["clinicnum study list"].splitlines() == [
        "first (closed): 16 generations, 2 annotators, 2 of them simulated, overlap 2, "
        "32 of 32 submitted, 0 skipped",
        "second (open): 16 generations, 1 annotators, overlap 1, 3 of 16 submitted, 0 skipped",
    ]
    assert told["clinicnum audit verify"].count("whole") == 3
    assert "equal" in told["clinicnum verify first.zip"]
    assert "48 of 48 are what the scorer of this version gives" in told["clinicnum verify first.zip"]
    assert "48 items, 39 checked, 0 findings" in told["clinicnum lint bench.jsonl"]
    with (folder / "export" / "annotations.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 64
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "simulated: 2 of 2 annotators" in page


def test_who_was_in_the_midst_of_an_item_logs_in_and_goes_on_with_it(folder: Path) -> None:
    assert run_command(["study", "list"]) == 0
    engine = make_engine(f"sqlite:///{folder / 'clinicnum.db'}")
    try:
        ann = log_in(engine, name="ann", password=PASSWORD)
        assert ann is not None
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=ann.user_id)
            assert item is not None
            assert item.revision == 1
            annotate.submit(
                session,
                user_id=ann.user_id,
                assignment_id=item.assignment_id,
                revision=1,
                judgement=FAILURE,
                active_ms=900,
            )
    finally:
        engine.dispose()
    assert run_command(["audit", "verify"]) == 0


def test_the_backup_of_a_later_version_upgrades_what_it_copies_as_the_page_says(folder: Path) -> None:
    assert run_command(["backup", "late.backup"]) == 0
    assert asked(folder / "clinicnum.db", "SELECT version_num FROM alembic_version") == [(newest_revision(),)]


def test_benchmark_generations_and_scores_of_0_1_open_a_new_study(folder: Path) -> None:
    (folder / "clinicnum.db").unlink()
    with using_database("sqlite:///clinicnum.db") as engine:
        add_simulated(engine, ["ben"])
    made = ["--benchmark", "bench.jsonl", "--generations", "generations.jsonl", "--scores", "scores.jsonl"]
    assert (
        run_command(["study", "create", "--name", "new", *made, "--annotators", "ben", "--overlap", "1"]) == 0
    )
    assert run_command(["tables", *made, "--only", "accuracy_by_factor"]) == 0
