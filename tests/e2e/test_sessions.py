"""People come and go by the thousand: the server holds no more memory and no more handles for it."""

import os
import time
from pathlib import Path

import pytest

from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.dev.load_test.page_visitors import Visitor, process_resources, visits
from clinicnum.scripts.dev.load_test.synthetic_study import made_up, open_made_up
from tests.processes import ForkedServer

SESSIONS = int(os.environ.get("CLINICNUM_SESSIONS", "40"))
LOGIN_EVERY = 10
PEOPLE = 4
WARM = min(SESSIONS, 600)
"""At full size more than the sessions of which Gradio keeps a state (`state_session_capacity`)."""


@pytest.mark.timeout(7200)
def test_memory_and_handles_stay_flat_over_sessions(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'study.db'}"
    engine = open_database(url)
    items = WARM + 2 * SESSIONS // PEOPLE + PEOPLE
    names = open_made_up(engine, made_up(items), annotators=2 * PEOPLE, overlap=2 * PEOPLE)
    engine.dispose()
    server = ForkedServer.clinicnum_serve(url, tmp_path / "log").start()
    try:
        people = [Visitor(server.port, name) for name in names]
        visits(people, WARM, login_every=LOGIN_EVERY)  # twice as many at once as later: every pool is full
        found = [process_resources(server)]
        for _ in range(2):
            began = time.perf_counter()
            visits(people[:PEOPLE], SESSIONS, login_every=LOGIN_EVERY)
            found.append(process_resources(server))
            print(f"{SESSIONS:,} sessions in {time.perf_counter() - began:,.0f} s: {found[0]} -> {found[-1]}")
    finally:
        server.kill()
    _, first, second = found
    assert second.mb <= 1.05 * first.mb
    assert second.handles <= first.handles + 2
    assert second.threads <= first.threads + 2
