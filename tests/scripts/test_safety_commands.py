"""`backup`, `restore` and `audit verify` as typed on a command line."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from sqlalchemy import Engine, text

from clinicnum.annotations.audit_anchor import read_anchor
from clinicnum.db.audit_anchors import ANCHORS, heads_of, read_anchors
from clinicnum.db.engine import reading
from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.write_audit_anchors import DailyAnchors
from clinicnum.ui.app.observability import Metrics
from tests.db.tampering import by_force, disarmed, rehash
from tests.db.test_audit import write_rows
from tests.db.test_audit_replay import labelled


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


def test_anchors_tell_a_log_cut_off_and_hashed_anew(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(engine, 120)
    url = ("--db", _url(engine))
    assert run_command(["audit", "verify", *url]) == 0
    assert "not anchored" in capsys.readouterr().out
    assert run_command(["audit", "key", *url]) == 0
    key, elsewhere = tmp_path / "key.pem", tmp_path / "anchors.jsonl"
    key.write_text(capsys.readouterr().out)
    assert run_command(["audit", "anchor", "--audit-dir", str(tmp_path / "own"), *url]) == 0
    assert run_command(["audit", "anchor", *url]) == 0
    kept = Path(capsys.readouterr().out.splitlines()[-1].partition(": ")[0])
    elsewhere.write_bytes(kept.read_bytes())
    assert run_command(["audit", "verify", *url]) == 0
    assert "1 anchors, the last of" in capsys.readouterr().out
    with disarmed(engine) as connection:
        connection.execute(text("DELETE FROM audit WHERE seq > 20"))
        rehash(connection, "study-1")
    assert run_command(["audit", "verify", *url]) == 1
    said = capsys.readouterr()
    assert "study-1: 20 rows, whole" in said.out
    assert "study-1: had 120 rows on" in said.err
    kept.write_text("")  # whoever may write in the folder, too
    assert run_command(["audit", "verify", *url]) == 0
    given = ("--anchors", str(elsewhere), "--key", str(key))
    assert run_command(["audit", "verify", *given, *url]) == 1
    assert "had 120 rows on" in capsys.readouterr().err
    for name in ("--anchors", "--key"):
        assert run_command(["audit", "verify", name, str(tmp_path / "none"), *url]) == 2
        assert "no such file" in capsys.readouterr().err


def test_a_label_rewritten_in_the_table_is_named_and_no_backup_is_made_of_it(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(engine, 2)
    url = ("--db", _url(engine))
    assert run_command(["audit", "verify", "--json", *url]) == 0
    assert {str(one["differences"]) for one in json.loads(capsys.readouterr().out)} == {"[]"}
    with disarmed(engine) as connection:
        connection.execute(text("UPDATE annotation SET response_judgement = 'acceptable'"))
    assert run_command(["audit", "verify", *url]) == 1
    said = capsys.readouterr().out
    assert said.count("CHANGED ") == 6
    assert "6 differences between the tables and the log" in said
    assert run_command(["audit", "verify", "--json", *url]) == 1
    assert sum(len(one["differences"]) for one in json.loads(capsys.readouterr().out)) == 6
    if engine.dialect.name == "sqlite":
        assert run_command(["backup", str(tmp_path / "b"), *url]) == 2
        assert "6 rows are not what the audit log says" in capsys.readouterr().err
        assert not (tmp_path / "b").exists()


def test_closing_a_study_and_a_backup_leave_anchors(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(engine, 2)
    url = ("--db", _url(engine))
    assert run_command(["study", "close", "six", *url]) == 0
    assert run_command(["backup", str(tmp_path / "b"), *url]) == 0
    beside = read_anchor((tmp_path / "b.anchor.json").read_bytes(), "b")
    assert run_command(["audit", "verify", *url]) == 0
    assert "1 anchors" in capsys.readouterr().out, "nothing was logged between the two"
    with reading(engine) as session:
        assert beside.heads == heads_of(session)


def test_a_folder_that_cannot_be_written_to_stops_no_work(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(engine, 2)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLINICNUM_AUDIT_DIR", str(tmp_path / "file"))
    assert run_command(["study", "close", "six", "--db", _url(engine)]) == 0
    assert "warning: the audit log is not anchored" in capsys.readouterr().err
    assert run_command(["audit", "anchor", "--db", _url(engine)]) == 2
    metrics = Metrics()
    daily = DailyAnchors(engine, tmp_path / "file", metrics)
    daily.start()
    daily.stop()
    told = generate_latest(metrics.registry).decode()
    assert "clinicnum_audit_anchor_failures_total 1.0" in told


def test_a_server_anchors_when_it_starts(engine: Engine, tmp_path: Path) -> None:
    write_rows(engine, 3)
    metrics = Metrics()
    daily = DailyAnchors(engine, tmp_path / "audit", metrics)
    daily.start()
    daily.stop()
    (anchor,) = read_anchors(tmp_path / "audit" / ANCHORS)
    assert anchor.heads["study-1"].rows == 3
    at = metrics.registry.get_sample_value("clinicnum_audit_anchored_timestamp_seconds")
    assert at == anchor.at.timestamp()


def test_a_server_anchors_after_each_day(engine: Engine, tmp_path: Path) -> None:
    """By a clock that the test sets: once for each day that ended, and none within a day."""
    clock = [datetime(2026, 11, 23, 23, 30, tzinfo=UTC)]
    looks: list[datetime] = []

    def now() -> datetime:
        looks.append(clock[0])
        return clock[0]

    file = tmp_path / "audit" / ANCHORS
    daily = DailyAnchors(engine, tmp_path / "audit", Metrics(), now=now, longest_wait_s=0.02)
    write_rows(engine, 1)
    daily.start()
    try:
        for day, written in ((23, 1), (24, 2), (24, 2), (25, 3)):
            clock[0] = datetime(2026, 11, day, 23, 30, tzinfo=UTC)
            enough = len(looks) + 6  # two a round: a round that had begun, one that may write, one after it
            while len(looks) < enough:
                time.sleep(0.01)
            assert len(read_anchors(file)) == written
            write_rows(engine, 1)
    finally:
        daily.stop()
    assert [one.heads["study-1"].rows for one in read_anchors(file)] == [1, 2, 4]


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
