"""The check after each kill finds what is wrong: each fault is made by force and must be seen."""

import sqlite3

import psycopg
from sqlalchemy import Engine

from clinicnum.db.engine import is_sqlite, writing
from clinicnum.db.work.annotation import annotate
from clinicnum.scripts.dev.load_test.database_invariants import Checked, Label, check
from tests.db.examples import BLIND

FAULTS = {
    "misled": "UPDATE study_annotator SET claimed = claimed + 1",
    "misfiled": "UPDATE assignment SET status = 'submitted'",
    "miscounted": "UPDATE study_item SET taken = taken + 1",
    "overfull": "UPDATE study_item SET places = 0",
    "broken": "UPDATE audit SET actor = 'somebody else' WHERE action = 'save_judgement'",
    "unlogged": "UPDATE audit SET action = 'something else' WHERE action = 'save_judgement'",
    "gaps": "UPDATE annotation SET revision = 3",
    "orphans": "UPDATE annotation SET assignment_id = 'nobody'",
}


def _by_force(engine: Engine, statement: str) -> None:
    """Without triggers and foreign keys."""
    if is_sqlite(engine):
        with sqlite3.connect(engine.url.database or "") as connection:
            triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in triggers.fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute(statement)
        connection.close()
        return
    address = f"host={engine.url.query['host']} user=clinicnum dbname={engine.url.database}"
    with psycopg.connect(address) as session:
        session.execute("SET session_replication_role = replica")
        session.execute(statement)


def _judge(engine: Engine, user_id: str) -> Label:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
        assert item is not None
        here = {"user_id": user_id, "assignment_id": item.assignment_id}
        saved = annotate.save_judgement(session, **here, revision=0, judgement=BLIND, active_ms=1)
    return saved.assignment_id, saved.revision


def test_every_fault_is_seen(engine: Engine, database_url: str, annotators: dict[str, str]) -> None:
    label = _judge(engine, annotators["ann"])
    whole = check(database_url, [label], None)
    assert not whole.faults
    assert whole.labels == 1
    for name, statement in FAULTS.items():
        before = check(database_url, [], None).faults
        assert getattr(before, name) == 0, (name, before)
        _by_force(engine, statement)
        assert getattr(check(database_url, [], None).faults, name) > 0, name
    assert check(database_url, [label], None).faults.lost == 1
    _by_force(engine, "DELETE FROM annotation")
    assert check(database_url, [], whole).faults.vanished == 1


def test_the_next_check_computes_only_what_the_one_before_has_not_seen(
    engine: Engine, database_url: str, annotators: dict[str, str]
) -> None:
    first = check(database_url, [_judge(engine, annotators["ann"])], None)
    second = check(database_url, [_judge(engine, annotators["ben"])], first)
    assert not second.faults
    assert second.labels == 2
    assert second == Checked(second.faults, 2, check(database_url, [], None).chains)
    _by_force(engine, "UPDATE audit SET hash = 'x' WHERE action = 'save_judgement'")
    assert check(database_url, [], first).faults.broken == 1
