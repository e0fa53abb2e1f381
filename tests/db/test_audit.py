"""The log cannot be changed, and a change made by force is found."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DatabaseError

from clinicnum.db.engine import WRITES, is_sqlite, reading, writing
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import GENESIS, ChainCheck, append, verify_chain
from tests.db.examples import BLIND
from tests.db.tampering import by_force


def write_rows(engine: Engine, n: int = 4, chain: str = "study-1") -> None:
    for number in range(n):
        with writing(engine) as session:
            after = {"n": number, "text": "ü \x00 <b>", "nested": {"b": 1.5, "a": None}}
            append(session, study_id=chain, actor="ann", action="note", before=None, after=after)


def checks(engine: Engine) -> dict[str, ChainCheck]:
    with reading(engine) as session:
        return {check.chain: check for check in verify_chain(session)}


def test_an_untouched_chain_holds_and_each_study_has_its_own(engine: Engine) -> None:
    write_rows(engine, 3, "study-1")
    write_rows(engine, 2, "study-2")
    found = checks(engine)
    assert {chain: (check.rows, check.broken_at) for chain, check in found.items()} == {
        "study-1": (3, None),
        "study-2": (2, None),
    }
    assert found["study-1"].last_hash != GENESIS


@pytest.mark.parametrize(
    ("statement", "at", "reason"),
    [
        ("UPDATE audit SET actor = 'ben' WHERE seq = 2", 2, "row 2 was changed"),
        ("UPDATE audit SET after = '{\"n\": 9}' WHERE seq = 3", 3, "row 3 was changed"),
        ("UPDATE audit SET before = '{}' WHERE seq = 1", 1, "row 1 was changed"),
        ("UPDATE audit SET at = '2001-01-01 00:00:00.000000' WHERE seq = 4", 4, "row 4 was changed"),
        ("UPDATE audit SET hash = 'x' WHERE seq = 2", 2, "row 2 was changed"),
        ("DELETE FROM audit WHERE seq = 2", 2, "row 2 is missing; the next one is 3"),
        ("UPDATE audit SET chain = 'study-2' WHERE seq = 1", 1, "row 1 is missing"),
    ],
    ids=["actor", "after", "before", "time", "hash", "row removed", "row moved"],
)
def test_a_change_by_force_is_found(engine: Engine, statement: str, at: int, reason: str) -> None:
    write_rows(engine)
    by_force(engine, statement)
    check = checks(engine)["study-1"]
    assert check.broken_at == at
    assert check.reason is not None
    assert reason in check.reason


@pytest.mark.parametrize("table", ["audit", "annotation"])
def test_the_database_refuses_to_change_what_is_append_only(
    engine: Engine, annotators: dict[str, str], table: str
) -> None:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=annotators["ann"])
        assert item is not None
        annotate.save_judgement(
            session,
            user_id=annotators["ann"],
            assignment_id=item.assignment_id,
            revision=0,
            judgement=BLIND,
            active_ms=0,
        )
    value = "action = 'x'" if table == "audit" else "revision = 7"
    changes = [f"UPDATE {table} SET {value}", f"DELETE FROM {table}"]
    if not is_sqlite(engine):
        changes.append(f"TRUNCATE {table} CASCADE")
    for change in changes:
        with (
            pytest.raises(DatabaseError, match=f"{table} rows are append-only"),
            engine.execution_options(**{WRITES: True}).begin() as connection,
        ):
            connection.execute(text(change))
    assert all(check.broken_at is None for check in checks(engine).values())


def test_rows_written_at_once_form_one_chain(engine: Engine) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: write_rows(engine, 5), range(4)))
    check = checks(engine)["study-1"]
    assert (check.rows, check.broken_at) == (20, None)
