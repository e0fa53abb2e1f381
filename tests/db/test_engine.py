"""What the engine promises: durable, consistent, private, and one line when it cannot."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from clinicnum.db.engine import is_sqlite, make_engine, reading, why_unresponsive, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import LoginFailureRow, SettingRow, StudyItemRow
from clinicnum.errors import ClinicnumError, InputError, Unavailable

WRITER = """
import sys
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.rows import SettingRow
engine = make_engine(sys.argv[1])
for number in range(100_000):
    with writing(engine) as session:
        session.add(SettingRow(key=f"{number}", value="x"))
    print(number, flush=True)
"""


def test_what_was_acknowledged_is_there_after_a_kill(engine: Engine, database_url: str) -> None:
    command = [sys.executable, "-c", WRITER, database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(25)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().split()]
    with reading(engine) as session:
        stored = {int(row.key) for row in session.scalars(select(SettingRow))}
    assert set(acknowledged) <= stored
    assert len(stored) <= len(acknowledged) + 1


def test_sqlite_is_set_up_for_durable_concurrent_use(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    engine = make_engine(f"sqlite:///{path}")
    with reading(engine) as session:
        pragmas = {
            name: session.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30000}
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_log_beside_the_database_is_for_its_owner_alone_too(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        engine = make_engine(f"sqlite:///{tmp_path / 'a.db'}")
        with engine.connect() as connection:
            connection.exec_driver_sql("CREATE TABLE t (x)")
            connection.commit()
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        engine.dispose()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("a.db", "a.db-wal", "a.db-shm"), 0o600)


def test_an_error_in_the_block_leaves_nothing_behind(engine: Engine) -> None:
    def break_off() -> None:
        with writing(engine) as session:
            session.add(SettingRow(key="a", value="x"))
            session.flush()
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        break_off()
    with reading(engine) as session:
        assert session.get(SettingRow, "a") is None


def test_a_reader_sees_one_state_and_holds_up_no_writer(engine: Engine) -> None:
    with reading(engine) as reader:
        assert reader.scalars(select(SettingRow)).all() == []
        with writing(engine) as writer:
            writer.add(SettingRow(key="a", value="x"))
        assert reader.scalars(select(SettingRow)).all() == []
    with reading(engine) as reader:
        assert len(reader.scalars(select(SettingRow)).all()) == 1


def test_foreign_keys_are_enforced(engine: Engine) -> None:
    item = StudyItemRow(
        study_id="none", generation="none", stratum="s", inclusion_probability=1.0, group_id="q"
    )
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.add(item)


def test_a_string_outside_its_list_is_refused_by_the_database(engine: Engine) -> None:
    statement = text(
        "INSERT INTO template (template_id, version, status, payload) VALUES ('t', 1, 'wonderful', '{}')"
    )
    with pytest.raises(IntegrityError), writing(engine) as session:
        session.connection().execute(statement)


def test_times_come_back_in_utc_whatever_zone_they_were_given_in(engine: Engine) -> None:
    berlin = datetime(2026, 7, 1, 14, 30, 15, 123456, tzinfo=timezone(timedelta(hours=2)))
    with writing(engine) as session:
        session.add(LoginFailureRow(name="ann", at=berlin))
    with reading(engine) as session:
        stored = session.scalars(select(col(LoginFailureRow.at))).one()
    assert stored == datetime(2026, 7, 1, 12, 30, 15, 123456, tzinfo=UTC)
    assert stored.tzinfo is UTC or stored.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_a_mistake(engine: Engine) -> None:
    with pytest.raises(Exception, match="needs its zone"), writing(engine) as session:
        session.add(LoginFailureRow(name="ann", at=datetime(2026, 7, 1)))


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("clinicnum.db", "cannot be read; expected sqlite:///FILE"),
        ("mysql://a@b/c", "begins with 'mysql'"),
        ("sqlite://", "name a file"),
        ("sqlite:////nowhere/at/all.db", "No such file"),
    ],
)
def test_an_address_that_is_none_is_one_line(url: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        make_engine(url)


def test_a_server_that_does_not_answer_is_one_line_without_the_password(tmp_path: Path) -> None:
    engine = make_engine(f"postgresql://me:topsecret@/there?host={tmp_path}")
    for attempt, said in ((migrate, "cannot be used"), (_look, "cannot be reached")):
        with pytest.raises(ClinicnumError, match=said) as caught:
            attempt(engine)
        told = f"{caught.value} {getattr(caught.value, 'where', '')}"
        assert "topsecret" not in told
        assert "\n" not in told
    engine.dispose()


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are only notes, and quite long ones at that\n" * 100)
    engine = make_engine(f"sqlite:///{path}")
    with pytest.raises(InputError, match="not a database"):
        migrate(engine)
    engine.dispose()
    with pytest.raises(InputError, match="is a folder"):
        make_engine(f"sqlite:///{tmp_path}")


def test_a_file_whose_schema_is_no_text_is_one_line(tmp_path: Path) -> None:
    """SQLite quotes the schema in its message, and the driver cannot read that as text."""
    path = tmp_path / "study.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE notes (words TEXT)")
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE notes", b"CREATE \x8d\x8d\x8dLE notes"))
    engine = make_engine(f"sqlite:///{path}")
    with pytest.raises(InputError, match="the file is damaged"):
        migrate(engine)
    with pytest.raises(Unavailable, match="database file is damaged"):
        _look(engine)
    engine.dispose()


def _look(engine: Engine) -> None:
    with reading(engine) as session:
        session.scalars(select(SettingRow)).all()


def test_both_databases_are_really_there(engine: Engine, database_url: str) -> None:
    assert is_sqlite(engine) == database_url.startswith("sqlite")
    with reading(engine) as session:
        version = "sqlite_version()" if is_sqlite(engine) else "version()"
        assert session.connection().execute(text(f"SELECT {version}")).scalar()


def test_a_database_that_has_gone_is_told(postgres_folder: Path) -> None:
    admin = f"host={postgres_folder} user=clinicnum dbname=postgres"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("CREATE DATABASE going")
        engine = make_engine(f"postgresql://clinicnum@/going?host={quote(str(postgres_folder), safe='')}")
        assert why_unresponsive(engine) is None
        engine.dispose()
        connection.execute("DROP DATABASE going WITH (FORCE)")
        assert why_unresponsive(engine) == "the database does not answer (OperationalError)"
        engine.dispose()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_is_read_often_is_planned_once(engine: Engine) -> None:
    for _ in range(10):
        with reading(engine) as session:
            session.execute(text("SELECT 'read often' WHERE EXISTS (SELECT 1 FROM study)"))
    with reading(engine) as session:
        prepared = session.scalars(text("SELECT statement FROM pg_prepared_statements")).all()
    assert any("read often" in statement for statement in prepared)
