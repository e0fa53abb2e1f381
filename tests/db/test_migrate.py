"""The migrated schema is what the rows say, on both databases; and what migrate refuses."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from clinicnum.db.engine import WRITES, is_sqlite, make_engine
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import Row
from clinicnum.errors import InputError


def _described(engine: Engine, schema: str | None = None) -> dict[str, Any]:
    """Every table, column, key, check and index, as the database itself tells it."""
    inspector = inspect(engine)
    described: dict[str, Any] = {}
    for table in Row.metadata.tables:
        columns = inspector.get_columns(table, schema=schema)
        keys = inspector.get_foreign_keys(table, schema=schema)
        described[table] = {
            "columns": sorted(
                (column["name"], str(column["type"]), column["nullable"]) for column in columns
            ),
            "primary": inspector.get_pk_constraint(table, schema=schema)["constrained_columns"],
            "foreign": sorted(
                (key["name"], key["constrained_columns"], key["referred_table"], key["referred_columns"])
                for key in keys
            ),
            "unique": sorted(
                (key["name"], key["column_names"])
                for key in inspector.get_unique_constraints(table, schema=schema)
            ),
            "checks": sorted(
                (check["name"], check["sqltext"])
                for check in inspector.get_check_constraints(table, schema=schema)
            ),
            "indexes": sorted(
                (index["name"], index["column_names"], index["unique"])
                for index in inspector.get_indexes(table, schema=schema)
            ),
        }
    return described


def test_the_migrations_make_the_schema_of_the_rows(engine: Engine, tmp_path: Path) -> None:
    if is_sqlite(engine):
        fresh = make_engine(f"sqlite:///{tmp_path / 'fresh.db'}")
        Row.metadata.create_all(fresh)
        expected = _described(fresh)
        fresh.dispose()
    else:
        translated = engine.execution_options(schema_translate_map={None: "fresh"})
        with engine.begin() as connection:
            connection.execute(text("CREATE SCHEMA fresh"))
        Row.metadata.create_all(translated)
        expected = _described(engine, schema="fresh")
    assert _described(engine) == expected
    assert len(expected) == len(Row.metadata.tables) > 20


def test_alembic_finds_nothing_left_to_migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Row.metadata) == []


def test_two_processes_that_open_a_new_database_at_once_both_succeed(database_url: str) -> None:
    engines = [make_engine(database_url) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(migrate, engines))
    assert set(inspect(engines[0]).get_table_names()) == {*Row.metadata.tables, "alembic_version"}
    for engine in engines:
        engine.dispose()


def test_a_database_of_a_newer_version_is_left_alone(engine: Engine) -> None:
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(
        InputError, match=r"revision 9999, which a newer clinicnum made; .* upgrade clinicnum"
    ):
        migrate(engine)


def test_a_database_of_something_else_is_left_alone(database_url: str) -> None:
    engine = make_engine(database_url)
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.execute(text("CREATE TABLE study (wood TEXT)"))
    with pytest.raises(InputError, match="holds a table 'study' that clinicnum did not make"):
        migrate(engine)
    assert inspect(engine).get_table_names() == ["study"]
    engine.dispose()


def test_foreign_keys_are_enforced_again_after_a_migration_on_sqlite(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'a.db'}")
    migrate(engine)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()
