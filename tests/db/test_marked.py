"""Data that are not open say so on every item, to annotators and adjudicators alike; open data do not."""

import pytest
from sqlalchemy import Engine, select

from clinicnum.credentialed_data import NOT_KNOWN
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import BenchmarkRow
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.common.credentialed_data_notice import data_use_of_study
from clinicnum.ui.pages.annotate.view import assignment_view
from tests.db.adjudicating import differing
from tests.db.adjudicating import next_of as next_hearing
from tests.db.examples import add_users, open_study
from tests.db.test_annotate import first


def keep(engine: Engine, credentialed: bool) -> None:
    """Write into the benchmark's meta whether its records are open."""
    with writing(engine) as session:
        row = session.scalars(select(BenchmarkRow)).one()
        row.meta = {**row.meta, "credentialed": credentialed}


@pytest.mark.parametrize("credentialed", [True, False])
def test_an_item_has_the_terms_of_its_study(engine: Engine, credentialed: bool) -> None:
    ann = add_users(engine)[0].user_id
    open_study(engine)
    keep(engine, credentialed)
    item = first(engine, ann)
    with reading(engine) as session:
        assert item.data_use == data_use_of_study(session, item.study_id)
    assert str(item.data_use).startswith(NOT_KNOWN) is credentialed
    assert assignment_view(item)["data_use"] == item.data_use


@pytest.mark.parametrize("credentialed", [True, False])
def test_an_adjudicator_reads_them_too(engine: Engine, credentialed: bool) -> None:
    people = differing(engine)
    keep(engine, credentialed)
    item = next_hearing(engine, people["ada"])
    with reading(engine) as session:
        heard = load_adjudication_item(session, user_id=people["ada"], study_id=item.study_id, item=item.item)
        assert heard.data_use == data_use_of_study(session, item.study_id)
    assert str(heard.data_use).startswith(NOT_KNOWN) is credentialed
