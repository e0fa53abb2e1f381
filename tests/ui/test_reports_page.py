"""The page Reports on a real database, called as Gradio calls it."""

from pathlib import Path

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.ui.pages.reports.page import ReportsHandlers
from tests.db.adjudicating import add_role, differing
from tests.db.reporting import build
from tests.ui.gradio_request import Request


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, ""),
        ({"study": "six"}, ""),
        ({"report": "no<b>"}, "There is no report “no&lt;b&gt;” that is open to you; the newest is shown."),
        ({"study": "none"}, "There is no study “none” whose reports are open to you"),
    ],
)
def test_an_address_that_names_nothing_open_is_answered_in_words(
    engine: Engine, tmp_path: Path, asked: dict[str, str], said: str
) -> None:
    differing(engine, wrong=3)
    lead = add_role(engine, "lead", "researcher")
    made = build(engine, lead, tmp_path, "six")
    message, _table, choice, *_ = ReportsHandlers(Store(engine)).load(Request(lead, query_params=asked))  # type: ignore[arg-type]
    assert choice["value"] == made
    assert said in message
    assert bool(message) is bool(said)
