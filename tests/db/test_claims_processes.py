"""Two server processes on one PostgreSQL, ten annotators who change between them: no place is given twice."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.db.engine import reading
from clinicnum.db.rows import AnnotationRow, AssignmentRow, StudyItemRow
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.scripts.dev.load_test.browser_connection import Connection
from clinicnum.scripts.dev.load_test.http_annotator import Annotator
from clinicnum.scripts.dev.load_test.synthetic_study import PASSWORD, made_up, open_made_up
from tests.processes import ForkedServer

CLAIMS = int(os.environ.get("CLINICNUM_CLAIMS", "300"))
PEOPLE, OVERLAP = 10, 3


def _label_all(name: str, ports: tuple[int, int]) -> tuple[int, list[tuple[str, int]]]:
    """Submit until nothing is left, each request to the other server; claims, and what was acknowledged."""
    tabs = [Annotator(Connection(port)) for port in ports]
    tabs[0].log_in(name, PASSWORD)
    tabs[1].connection.cookies = tabs[0].connection.cookies
    with ThreadPoolExecutor(2) as both:
        list(both.map(Annotator.load, tabs))
    assert tabs[0].item == tabs[1].item, "two tabs at once were handed two items"
    claimed = 0
    while tabs[claimed % 2].item is not None:
        here, there = tabs[claimed % 2], tabs[(claimed + 1) % 2]
        here.judge()
        here.submit()
        there.item = here.item
        claimed += 1
    for tab in tabs:
        tab.connection.close()
    return claimed, [*tabs[0].acknowledged, *tabs[1].acknowledged]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_no_place_is_given_twice_by_two_servers(engine: Engine, database_url: str, tmp_path: Path) -> None:
    items = -(-CLAIMS // OVERLAP)
    names = open_made_up(engine, made_up(items), annotators=PEOPLE, overlap=OVERLAP)
    servers = [
        ForkedServer.clinicnum_serve(database_url, tmp_path / f"{one}.log") for one in ("first", "second")
    ]
    try:
        with ThreadPoolExecutor(PEOPLE) as pool:
            list(pool.map(ForkedServer.start, servers))
            ports = servers[0].port, servers[1].port
            done = list(pool.map(lambda name: _label_all(name, ports), names))
    finally:
        for server in servers:
            server.kill()
    assert sum(claimed for claimed, _ in done) == items * OVERLAP
    with reading(engine) as session:
        pairs = Counter(
            tuple(row)
            for row in session.execute(select(col(AssignmentRow.generation), col(AssignmentRow.user_id)))
        )
        counted = {row.generation: row.taken for row in session.scalars(select(StudyItemRow))}
        kept = Counter(
            tuple(row)
            for row in session.execute(select(col(AnnotationRow.assignment_id), col(AnnotationRow.revision)))
        )
        chains = verify_chain(session)
    assert max(pairs.values()) == 1
    assert Counter(generation for generation, _ in pairs) == counted
    assert set(counted.values()) == {OVERLAP}
    assert kept == Counter(label for _, labels in done for label in labels)
    assert all(chain.broken_at is None for chain in chains)
