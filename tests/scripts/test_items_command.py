"""`clinicnum items list` and `write`: what was accepted, and the next version of its benchmark as a file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinicnum.db.engine import make_engine
from clinicnum.db.migrate import migrate
from clinicnum.io.jsonl import read_meta
from clinicnum.scripts.cli import run_command
from tests.annotations.imported_items import REWORDED
from tests.db import imported_failures as items


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    """A database in which one paraphrase was accepted, of a benchmark that is not known to be open."""
    url = f"sqlite:///{tmp_path / 'items.db'}"
    engine = make_engine(url)
    migrate(engine)
    people = items.closed_study(engine, meta=items.META)
    items.accepted(engine, people, items.begun(engine, people["cur"], "choice"), **REWORDED["choice"])
    yield url
    engine.dispose()


def test_accepted_items_are_listed_and_written_with_the_benchmark(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["items", "list", "--db", database]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "imported  1 accepted",
        "1 benchmark with accepted items",
    ]
    assert run_command(["items", "list", "--db", database, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"imported": 1}
    out = tmp_path / "next.jsonl"
    asked = ["items", "write", "--benchmark", "imported", "--out", str(out), "--db", database]
    assert run_command(asked) == 0
    first, notice = capsys.readouterr().out.splitlines()
    assert first.endswith("6 instances, 1 of them new, 0 left out")
    assert notice.startswith("data not known to be open")
    assert (read_meta(out) or {})["credentialed"] is True
    before = out.read_bytes()
    assert run_command([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["instances"], told["added"], told["left_out"], told["credentialed"]) == (6, 1, [], True)
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("benchmark", "out", "said"),
    [
        ("elsewhere", "next.jsonl", "is not in the database; expected one of: imported"),
        ("imported", "no/folder/next.jsonl", "does not exist; make it or name another --out"),
    ],
)
def test_what_cannot_be_written_is_said_on_one_line_and_nothing_is_left(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: str, out: str, said: str
) -> None:
    path = tmp_path / out
    asked = ["items", "write", "--benchmark", benchmark, "--out", str(path), "--db", database]
    assert run_command(asked) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not path.exists()
