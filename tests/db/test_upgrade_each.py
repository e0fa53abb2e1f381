"""Every earlier schema, with a whole study in it, is upgraded; an upgrade that fails changes nothing.

`scripts/dev/evidence upgrade` does the same with 10,000 annotations.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, MetaData, inspect, text

from clinicnum.db.backup import back_up, restore
from clinicnum.db.engine import WRITES, make_engine, reading, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import Row
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.studies.load_whole_study import load_study_agreement
from clinicnum.errors import InputError
from tests.db import first_schema
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.upgraded_ids import as_upgraded, replaced_ids, without_replacing

GROUPS = "ix_study_item_study_id_group_id"
FORMER = "ix_assignment_study_id_former_id"
ANNOTATIONS = int(os.environ.get("CLINICNUM_UPGRADE_ANNOTATIONS", "24"))
TAKEN_BY_THE_NEXT = {
    "0001": ("guideline", "TABLE guideline (mine INTEGER)"),
    "0002": ("draft", "TABLE draft (mine INTEGER)"),
    "0003": (FORMER, f"INDEX {FORMER} ON assignment (study_id)"),
    "0007": (GROUPS, f"INDEX {GROUPS} ON study_item (study_id)"),
}
"""Of each earlier schema, something that the next one adds, and how it is made before."""


def _label(engine: Engine, wanted: int) -> None:
    """Three people label; what is wanted is revisions, two an item."""
    people = [user.user_id for user in add_users(engine)]
    open_study(engine, material(wrong=wanted // 6 + 2))
    for number in range(wanted // 2):
        who = people[number % 3]
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=who)
            assert item is not None
            for _ in range(2):
                item = annotate.submit(
                    session,
                    user_id=who,
                    assignment_id=item.assignment_id,
                    revision=item.revision,
                    judgement=FAILURE,
                    active_ms=900,
                )
    for who in people:  # each has one in work
        with writing(engine) as session:
            annotate.next_assignment(session, user_id=who)


def _as_of(revision: str, engine: Engine, filled: Engine) -> MetaData:
    """Bring `engine` to a schema and give it what `filled` holds, as far as it had a place for it."""
    first_schema.upgrade_to(engine, revision)
    schema = MetaData()
    with filled.connect() as source, engine.execution_options(**{WRITES: True}).begin() as target:
        schema.reflect(target)
        held = first_schema.dump(source, Row.metadata)
        for table in schema.sorted_tables:
            names = [column.name for column in table.columns]
            rows: list[dict[str, Any]] = [
                {name: row[name] for name in names} for row in held.get(table.name, ())
            ]
            if table.name == "study" and revision < "0004":
                rows = [{**row, "seed": int(row["seed"])} for row in rows]
            if rows and table.name != "alembic_version":
                target.execute(table.insert(), rows)
    return schema


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A study in the midst of its work, as this version writes it."""
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('now') / 'now.db'}")
    migrate(made)
    _label(made, ANNOTATIONS)
    yield made
    made.dispose()


def _held(engine: Engine, schema: MetaData) -> dict[str, list[dict[str, Any]]]:
    with engine.connect() as connection:
        return first_schema.dump(connection, schema)


def _agreement(engine: Engine) -> Any:
    with reading(engine) as session:
        return load_study_agreement(session, "six").agreement


@pytest.mark.parametrize("revision", sorted(TAKEN_BY_THE_NEXT))
def test_a_study_of_an_earlier_schema_goes_on_with_every_row(
    database_url: str, filled: Engine, tmp_path: Path, revision: str
) -> None:
    engine = make_engine(database_url)
    schema = _as_of(revision, engine, filled)
    before = _held(engine, schema)
    assert len(before["annotation"]) == ANNOTATIONS
    migrate(engine)
    after = _held(engine, schema)
    assert before.pop("alembic_version") != after.pop("alembic_version")
    assert without_replacing(after) == as_upgraded(before, replaced_ids(engine))
    assert _agreement(engine) == _agreement(filled)
    with writing(engine) as session:
        who = str(before["user"][0]["id"])
        item = annotate.next_assignment(session, user_id=who)
        assert item is not None
        annotate.skip(
            session, user_id=who, assignment_id=item.assignment_id, revision=item.revision, reason="x"
        )
    with reading(engine) as session:
        assert all(chain.broken_at is None for chain in verify_chain(session))
        assert compare_with_log(session) == ()
    engine.dispose()


@pytest.mark.parametrize("revision", sorted(TAKEN_BY_THE_NEXT))
def test_an_upgrade_that_fails_leaves_all_as_it_was(database_url: str, filled: Engine, revision: str) -> None:
    engine = make_engine(database_url)
    schema = _as_of(revision, engine, filled)
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.execute(text(f"CREATE {TAKEN_BY_THE_NEXT[revision][1]}"))
    before, tables = _held(engine, schema), sorted(inspect(engine).get_table_names())
    with pytest.raises(InputError, match=TAKEN_BY_THE_NEXT[revision][0]):
        migrate(engine)
    engine.dispose()
    assert _held(engine, schema) == before
    assert sorted(inspect(engine).get_table_names()) == tables
    engine.dispose()


@pytest.mark.parametrize("revision", ["0002", "0003"])
def test_a_backup_of_an_earlier_schema_is_restored_and_upgraded(
    filled: Engine, tmp_path: Path, revision: str
) -> None:
    old = make_engine(f"sqlite:///{tmp_path / 'old.db'}")
    schema = _as_of(revision, old, filled)
    before = _held(old, schema)
    back_up(old, tmp_path / "old.backup")
    old.dispose()
    restore(tmp_path / "old.backup", f"sqlite:///{tmp_path / 'new.db'}")
    new = make_engine(f"sqlite:///{tmp_path / 'new.db'}")
    after = _held(new, schema)
    before.pop("alembic_version"), after.pop("alembic_version")
    assert without_replacing(after) == as_upgraded(before, replaced_ids(new))
    new.dispose()
