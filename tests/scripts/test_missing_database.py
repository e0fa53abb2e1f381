"""A command that needs a database says which file it looked for, and leaves no empty one behind."""

from pathlib import Path

import pytest

from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.open_database import ENVIRONMENT

COMMANDS = [
    "agreement --study demo",
    "report --study demo --out report",
    "export --study demo --out export",
    "study list",
    "study close demo",
    "users list",
    "runs list",
    "jobs list",
    "items list",
    "audit verify",
    "backup copy.db",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_database_is_made_by_looking_for_one(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert run_command(command.split()) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"error: {tmp_path / 'clinicnum.db'}: there is no such database; expected one")
    assert "--db sqlite:///" in said
    assert list(tmp_path.iterdir()) == []
