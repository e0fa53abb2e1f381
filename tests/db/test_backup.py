"""A backup made under load is one state of the database; what is restored from it is equal to that."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import Engine

from clinicnum.db.backup import DatabaseCheck, back_up, restore
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.rows import Row
from clinicnum.db.work.audit.audit_log import append, verify_chain
from clinicnum.db.work.audit.detect_truncated_log import verify_since
from clinicnum.errors import InputError
from tests.db.first_schema import dump


def _all_rows(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    with engine.connect() as connection:
        return dump(connection, Row.metadata)


def _counted(checked: DatabaseCheck) -> dict[str, int]:
    return {name: rows for name, rows in checked.rows.items() if rows}


@contextmanager
def _elsewhere(request: pytest.FixtureRequest, engine: Engine, tmp_path: Path) -> Iterator[str]:
    """The address of a place of the same kind where nothing is yet."""
    if engine.dialect.name == "sqlite":
        yield f"sqlite:///{tmp_path / 'restored.db'}"
        return
    folder: Path = request.getfixturevalue("postgres_folder")
    admin = f"host={folder} user=clinicnum dbname=postgres"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    try:
        yield f"postgresql://clinicnum@/restored?host={quote(str(folder), safe='')}"
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute("DROP DATABASE restored WITH (FORCE)")


def test_what_is_restored_is_equal_to_what_was_there(
    request: pytest.FixtureRequest, engine: Engine, annotators: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    made, before = back_up(engine, file), _all_rows(engine)
    assert (file.stat().st_mode & 0o777) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    assert _counted(made) == {name: len(rows) for name, rows in before.items() if rows} | {
        "alembic_version": 1
    }
    with _elsewhere(request, engine, tmp_path) as url:
        assert restore(file, url) == made
        other = make_engine(url)
        assert _all_rows(other) == before
        other.dispose()
        with pytest.raises(InputError, match=r"exists already|holds tables already"):
            restore(file, url)


def test_under_load_it_is_one_state_and_every_row_before_it_is_there(
    request: pytest.FixtureRequest, engine: Engine, tmp_path: Path
) -> None:
    over, written = threading.Event(), [0, 0]

    def write(which: int) -> None:
        while not over.is_set():
            with writing(engine) as session:
                append(session, study_id=f"s{which}", actor="ann", action="save", after={"n": written[which]})
            written[which] += 1

    writers = [threading.Thread(target=write, args=(which,)) for which in (0, 1)]
    for one in writers:
        one.start()
    while min(written) < 20:
        over.wait(0.01)
    before = list(written)
    made = back_up(engine, tmp_path / "a.backup")
    over.set()
    for one in writers:
        one.join()
    with _elsewhere(request, engine, tmp_path) as url:
        assert restore(tmp_path / "a.backup", url) == made
        other = make_engine(url)
        with reading(other) as session:
            heads = verify_chain(session)
        other.dispose()
    assert [one.rows >= was for one, was in zip(heads, before, strict=True)] == [True, True]
    assert made.rows["audit"] == sum(one.rows for one in heads)
    with reading(engine) as session:  # each restored chain is how the living one began
        assert verify_since(session, heads) == ()


def test_a_backup_is_never_overwritten(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    file.write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        back_up(engine, file)
    assert file.read_text() == "mine"
    with pytest.raises(InputError, match="no such folder"):
        back_up(engine, tmp_path / "nowhere" / "a.backup")


def test_what_is_damaged_gets_no_name(
    request: pytest.FixtureRequest, engine: Engine, annotators: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    back_up(engine, file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with _elsewhere(request, engine, tmp_path) as url:
        with pytest.raises(InputError):
            restore(file, url)
        assert not (tmp_path / "restored.db").exists()
        file.write_bytes(b"something else entirely")
        with pytest.raises(InputError, match="is no backup"):
            restore(file, url)


def test_a_backup_of_one_kind_is_not_restored_to_the_other(engine: Engine, tmp_path: Path) -> None:
    back_up(engine, tmp_path / "a.backup")
    wrong = "postgresql://nobody@/x" if engine.dialect.name == "sqlite" else f"sqlite:///{tmp_path / 'r.db'}"
    with pytest.raises(InputError, match="is a backup of"):
        restore(tmp_path / "a.backup", wrong)


def test_a_changed_row_is_no_whole_backup(engine: Engine, tmp_path: Path) -> None:
    from tests.db.tampering import by_force
    from tests.db.test_audit import write_rows

    write_rows(engine, 3)
    by_force(engine, "UPDATE audit SET actor = 'ben' WHERE seq = 2")
    with pytest.raises(InputError, match=r"audit chain 'study-1' is broken at row 2"):
        back_up(engine, tmp_path / "a.backup")
    assert not (tmp_path / "a.backup").exists()
