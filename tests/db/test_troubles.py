"""A database that is full, kept busy or gone: one sentence, nothing half saved, and on it goes by itself."""

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Engine, func, select

from clinicnum.db.backup import back_up, restore
from clinicnum.db.database_errors import SAID
from clinicnum.db.engine import make_engine, reading, why_unresponsive, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import AnnotationRow, SettingRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit import audit_log
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.errors import InputError, Unavailable
from clinicnum.scripts.cli import run_command
from tests.db.examples import add_users, open_study
from tests.db.faults import PAGE, fill, held, small_file_system
from tests.db.test_annotate import FINE, first, submit

IMPATIENT_S = 0.2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    with small_file_system(tmp_path / "disk", 512 * PAGE) as folder:
        yield folder


@pytest.fixture
def impatient(engine: Engine) -> Iterator[Engine]:
    """The database of a test, for one who does not wait long."""
    made = make_engine(engine.url.render_as_string(hide_password=False), patience_s=IMPATIENT_S)
    yield made
    made.dispose()


def whole(engine: Engine) -> int:
    """How many revisions are saved; the chains are whole."""
    with reading(engine) as session:
        assert [one.reason for one in audit_log.verify_chain(session) if one.broken_at is not None] == []
        return session.scalar(select(func.count()).select_from(AnnotationRow)) or 0


def keep_setting(engine: Engine, key: str = "x", value: str = "y") -> None:
    with writing(engine) as session:
        session.add(SettingRow(key=key, value=value))


def test_a_save_on_a_full_disk_is_refused_whole_and_taken_once_there_is_room(small_disk: Path) -> None:
    path = small_disk / "study.db"
    engine = make_engine(f"sqlite:///{path}")
    migrate(engine)
    ann = add_users(engine)[0].user_id
    open_study(engine)
    item = first(engine, ann)
    filler = fill(small_disk)

    def revise() -> None:
        """Until the pages that the log still has are used up."""
        for number in range(1000):
            with reading(engine) as session:
                now = annotate.get_assignment(session, user_id=ann, assignment_id=item.assignment_id)
            submit(engine, ann, now, FINE.model_copy(update={"rationale": f"{number:04}" * 1000}))

    for _ in range(3):
        with pytest.raises(Unavailable, match="disk that holds the database is full") as caught:
            revise()
        assert caught.value.kind == "full"
        assert str(path) in caught.value.where
        saved = whole(engine)
    assert run_command(["users", "add", "zoe", "--role", "annotator", "--db", f"sqlite:///{path}"]) == 2
    filler.unlink()
    with reading(engine) as session:
        item = annotate.get_assignment(session, user_id=ann, assignment_id=item.assignment_id)
    assert item.revision == saved
    assert submit(engine, ann, item, FINE).revision == saved + 1
    assert whole(engine) == saved + 1
    engine.dispose()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_database_kept_busy_says_so_and_answers_again_by_itself(
    impatient: Engine, engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    with held(engine):
        with pytest.raises(Unavailable, match="kept busy by another program") as caught:
            submit(impatient, annotators["ann"], item, FINE)
        assert caught.value.kind == "busy"
    assert whole(engine) == 0
    assert submit(impatient, annotators["ann"], item, FINE).revision == 1
    assert whole(engine) == 1


def test_writers_of_one_process_do_not_wait_for_each_other_without_end(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'a.db'}", patience_s=IMPATIENT_S)
    migrate(engine)
    with writing(engine), pytest.raises(Unavailable, match="kept busy"):
        keep_setting(engine)
    keep_setting(engine)
    engine.dispose()


def test_a_file_that_is_taken_away_is_missed_and_its_return_is_noticed(tmp_path: Path) -> None:
    """SQLite by itself would go on in the removed file, and all that it took would be lost with it."""
    path, away = tmp_path / "a.db", tmp_path / "away.db"
    engine = make_engine(f"sqlite:///{path}")
    migrate(engine)
    keep_setting(engine, "before")
    path.rename(away)
    for attempt in (lambda: keep_setting(engine, "lost"), lambda: _settings(engine)):
        with pytest.raises(Unavailable, match="cannot be reached; what was saved before is kept") as caught:
            attempt()
        assert caught.value.kind == "gone"
    assert why_unresponsive(engine) == "the database does not answer (Unavailable)"
    assert not path.exists(), "an empty database would take labels that nobody finds"
    away.rename(path)
    assert why_unresponsive(engine) is None
    keep_setting(engine, "after")
    assert _settings(engine) == {"before", "after"}
    engine.dispose()


def test_a_backup_put_in_the_place_of_the_file_is_worked_in_from_then_on(tmp_path: Path) -> None:
    path, url = tmp_path / "a.db", f"sqlite:///{tmp_path / 'a.db'}"
    engine = make_engine(url)
    migrate(engine)
    keep_setting(engine, "before")
    back_up(engine, tmp_path / "a.backup")
    keep_setting(engine, "after the backup")
    path.unlink()
    with pytest.raises(InputError, match=r"a\.db-wal: is left from a database that was there"):
        restore(tmp_path / "a.backup", url)
    for beside in tmp_path.glob("a.db-*"):
        beside.unlink()
    restore(tmp_path / "a.backup", url)
    keep_setting(engine, "now")
    assert _settings(engine) == {"before", "now"}
    engine.dispose()


def _settings(engine: Engine) -> set[str]:
    with reading(engine) as session:
        return set(session.scalars(select(SettingRow.key))) - {"cookie_secret"}  # type: ignore[call-overload]


def test_a_server_that_was_stopped_and_started_again_is_found_again(postgres_folder: Path) -> None:
    """PostgreSQL ends every connection; the database then lets nobody in for a while."""
    admin = f"host={postgres_folder} user=clinicnum dbname=postgres"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("CREATE DATABASE stopped")
        engine = make_engine(f"postgresql://clinicnum@/stopped?host={quote(str(postgres_folder), safe='')}")
        migrate(engine)
        keep_setting(engine, "before")
        connection.execute("ALTER DATABASE stopped ALLOW_CONNECTIONS false")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'stopped'")
        with pytest.raises(Unavailable, match="cannot be reached") as caught:
            keep_setting(engine, "lost")
        assert caught.value.kind == "gone"
        assert why_unresponsive(engine) is not None
        connection.execute("ALTER DATABASE stopped ALLOW_CONNECTIONS true")
        assert why_unresponsive(engine) is None
        keep_setting(engine, "after")
        assert _settings(engine) == {"before", "after"}
        engine.dispose()
        connection.execute("DROP DATABASE stopped WITH (FORCE)")


def test_a_connection_that_dies_in_the_middle_leaves_nothing_of_the_save(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has no connection that another can end")

    def cut_off() -> None:
        with writing(engine) as session:
            session.add(SettingRow(key="half", value="x"))
            session.flush()
            pid = session.connection().exec_driver_sql("SELECT pg_backend_pid()").scalar()
            with engine.connect() as other:
                other.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")

    with pytest.raises(Unavailable, match="cannot be reached"):
        cut_off()
    assert _settings(engine) == set()
    keep_setting(engine, "after")


def test_a_full_cluster_or_one_for_reading_only_is_told_apart() -> None:
    from sqlalchemy.exc import OperationalError

    from clinicnum.db.database_errors import kind_of

    states = {"53100": "full", "53300": "crowded", "55P03": "busy", "25006": "read_only", "57P01": "gone"}
    for state, kind in states.items():
        error = psycopg.errors.lookup(state)("said")
        assert kind_of(OperationalError("x", {}, error)) == kind
    assert kind_of(psycopg.errors.lookup("23505")("a key twice")) is None
    assert set(states.values()) < set(SAID)


def test_a_database_for_reading_only_is_told(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'a.db'}")
    migrate(engine)

    def refused() -> None:
        with writing(engine) as session:
            session.connection().exec_driver_sql("PRAGMA query_only = 1")
            session.add(SettingRow(key="x", value="y"))

    with pytest.raises(Unavailable, match="may not be written to"):
        refused()
    engine.dispose()


def test_a_command_on_a_database_in_trouble_is_one_line_and_exit_2(
    engine: Engine, annotators: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("the same lines for both")
    url, path = engine.url.render_as_string(), Path(str(engine.url.database))
    engine.dispose()
    cut = tmp_path / "cut.db"
    shutil.copy(path, cut)
    os.truncate(cut, path.stat().st_size // 2 // PAGE * PAGE)
    no_database = tmp_path / "none.db"
    no_database.write_bytes(b"half a header and no more" * 400)
    for file in (cut, no_database):
        assert run_command(["audit", "verify", "--db", f"sqlite:///{file}"]) == 2
        said = capfd.readouterr().err
        assert re.fullmatch(rf"error: .*{file.name}.*\n", said), said
        assert re.search("damaged|malformed|not a database", said)
    assert run_command(["audit", "verify", "--db", url]) == 0


def test_a_text_that_postgresql_cannot_take_is_refused_in_words(engine: Engine) -> None:
    with (
        pytest.raises(InputError, match=r"no study|holds the character NUL, which cannot be stored"),
        reading(engine) as session,
    ):
        find_study(session, "\0")
