"""What names an assignment, an annotation or a decision follows its new id, and nothing else changes."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import col

from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import StudyItemRow, StudyRow, UserRow
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.changes.label_changes import label_changes
from clinicnum.db.work.drafts import draft_sources, from_failure
from clinicnum.db.work.studies import load_whole_study, study_changes
from clinicnum.io.jsonl import keyed_id
from tests.db.adjudicating import add_role, next_of, take_over
from tests.db.curating import closed_study, upheld
from tests.db.test_upgrade_each import _as_of, _held
from tests.db.upgraded_ids import as_upgraded, replaced_ids, without_replacing


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A closed study, and an open one with a decision, an upheld contest and a draft that it led to."""
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('worked') / 'worked.db'}")
    migrate(made)
    people = upheld(made)
    take_over(made, people["ada"], next_of(made, people["ada"]), comment="so")
    with reading(made) as session:
        (found,) = draft_sources.upheld_contests(session, user_id=people["cur"])
    with writing(made) as session:
        from_failure.begin_from_contest(session, actor=people["cur"], contest=found.contest)
    add_role(made, "root", "admin")
    yield made
    made.dispose()


def test_every_row_follows_and_the_log_vouches_for_all_of_it(database_url: str, worked: Engine) -> None:
    engine = make_engine(database_url)
    schema = _as_of("0003", engine, worked)
    before = _held(engine, schema)
    for table in ("adjudication", "citation", "contest", "invalidation", "draft_source", "draft"):
        assert before[table], table
    migrate(engine)
    after, ids = _held(engine, schema), replaced_ids(engine)
    assert before.pop("alembic_version") != after.pop("alembic_version")
    assert without_replacing(after) == as_upgraded(before, ids)
    kept = {row["id"] for table in ("assignment", "annotation", "adjudication") for row in after[table]}
    assert not kept & ids.keys()
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session))
        # A log of that time tells of no messages, which had no table yet.
        assert {one.table for one in compare_with_log(session)} == {"message"}
        tables = load_whole_study.load_study_tables(session, "six")
        assert tables.adjudications[0].stands
        assert {one.contest_id for one in tables.contests} == {one.contest_id for one in tables.invalidations}
        root = session.scalars(select(UserRow).where(col(UserRow.name) == "root")).one()
        shown = label_changes(session, user_id=root.id, study_id=tables.annotations[0].study_id)
    assert all(one.item[0].isdigit() or one.action == "uphold_contest" for one in shown.changes)
    with pytest.raises(DatabaseError), writing(engine) as session:  # keys and guards are there again
        session.execute(text("UPDATE annotation SET revision = 9"))
    with pytest.raises(DatabaseError), writing(engine) as session:
        session.execute(text("UPDATE contest SET assignment_id = 'none'"))
    engine.dispose()


def test_no_new_id_can_be_worked_out_and_a_closed_study_keeps_its_own(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = make_engine(f"sqlite:///{tmp_path_factory.mktemp('closed') / 'closed.db'}")
    migrate(made)
    closed_study(made)
    engine = make_engine(database_url)
    schema = _as_of("0003", engine, made)
    made.dispose()
    before = _held(engine, schema)
    migrate(engine)
    after = _held(engine, schema)
    assert replaced_ids(engine) == {}
    for table in ("assignment", "annotation", "adjudication", "contest"):
        assert after[table] == before[table], table
    with writing(engine) as session:
        study_changes.reopen_study(session, name="labelled")
    with reading(engine) as session:
        assert compare_with_log(session) == ()
        own = session.scalars(select(StudyRow)).one()
        items = session.scalars(select(StudyItemRow)).all()
        for row in items:
            assert row.item_id == keyed_id(own.secret, ["item", row.generation])
    engine.dispose()
