"""`backup`, `restore` and `audit verify` as typed on a command line."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from scripts.cli import run_command
from tests.db.test_audit import by_force, write_rows


def _url(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=False)


def test_a_backup_is_made_and_restored(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(engine, 3)
    file = tmp_path / "a.backup"
    assert run_command(["backup", str(file), "--db", _url(engine)]) == 0
    assert "1 audit chain whole" in capsys.readouterr().out
    assert run_command(["backup", str(file), "--db", _url(engine)]) == 2
    assert "exists already" in capsys.readouterr().err
    if engine.dialect.name == "sqlite":
        restored = f"sqlite:///{tmp_path / 'r.db'}"
        assert run_command(["restore", str(file), "--db", restored, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["rows"]["audit"] == 3


def test_the_log_is_verified_and_a_tail_cut_off_shows_against_an_earlier_check(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(engine, 4)
    assert run_command(["audit", "verify", "--json", "--db", _url(engine)]) == 0
    earlier = tmp_path / "audit.json"
    earlier.write_text(capsys.readouterr().out)
    write_rows(engine, 2)
    assert run_command(["audit", "verify", "--since", str(earlier), "--db", _url(engine)]) == 0
    assert "6 rows, whole" in capsys.readouterr().out
    by_force(engine, "DELETE FROM audit WHERE seq > 3")
    assert run_command(["audit", "verify", "--db", _url(engine)]) == 0  # the chain alone cannot tell
    assert run_command(["audit", "verify", "--since", str(earlier), "--db", _url(engine)]) == 1
    assert "its row 4 is not there any more" in capsys.readouterr().err


def test_a_changed_row_is_named(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(engine, 3)
    by_force(engine, "UPDATE audit SET actor = 'ben' WHERE seq = 2")
    assert run_command(["audit", "verify", "--db", _url(engine)]) == 1
    assert "BROKEN at row 2" in capsys.readouterr().out


def test_what_is_no_earlier_check_is_refused(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.json").write_text('{"a": 1}')
    assert run_command(["audit", "verify", "--since", str(tmp_path / "x.json"), "--db", _url(engine)]) == 2
    assert "expected what `clinicnum audit verify --json` prints" in capsys.readouterr().err
