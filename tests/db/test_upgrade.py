"""A database of the first schema, with a study in the midst of its work, upgraded."""

from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import col

from clinicnum.annotations.agreement.study_agreement import study_agreement
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import Annotation
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import make_engine, reading, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import AssignmentRow, ContestRow, StudyItemRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.studies.load_whole_study import load_study_agreement, load_study_tables
from clinicnum.db.work.studies.study_summaries import list_studies
from tests.db import first_schema
from tests.db.first_schema_annotations import ANNOTATIONS
from tests.db.upgraded_ids import as_upgraded, replaced_ids, without_replacing

FINE = Judgement(item_judgement="valid", response_judgement="acceptable")


@pytest.fixture
def upgraded(database_url: str) -> Iterator[Engine]:
    """The study of the first schema in a database of this one; nothing of it was changed on the way."""
    engine = make_engine(database_url)
    first_schema.upgrade_to(engine, "0001")
    schema = first_schema.fill(engine)
    with engine.connect() as connection:
        before = first_schema.dump(connection, schema)
    migrate(engine)
    with engine.connect() as connection:
        after = first_schema.dump(connection, schema)
    before.pop("alembic_version"), after.pop("alembic_version")
    ids = replaced_ids(engine)
    assert set(ids) >= {row["id"] for table in ("assignment", "annotation") for row in before[table]}
    assert without_replacing(after) == as_upgraded(before, ids)
    assert min(len(rows) for table, rows in before.items() if table not in EMPTY) > 0
    yield engine
    engine.dispose()


EMPTY = {"adjudication", "citation", "login_failure"}


def _next(engine: Engine, who: str) -> Workitem | None:
    with writing(engine) as session:
        return annotate.next_assignment(session, user_id=who)


def _submit(engine: Engine, who: str, item: Workitem) -> Workitem | None:
    with writing(engine) as session:
        annotate.submit(
            session,
            user_id=who,
            assignment_id=item.assignment_id,
            revision=item.revision,
            judgement=FINE,
            active_ms=1,
        )
        return annotate.next_assignment(session, user_id=who)


def test_the_chain_verifies_and_what_is_append_only_still_is(upgraded: Engine) -> None:
    with reading(upgraded) as session:
        checks = {one.chain: (one.rows, one.broken_at) for one in verify_chain(session)}
        assert compare_with_log(session) == ()
    # Two rows tell of replaced ids, one of what annotations hold; and one of the templates' state.
    assert checks == {"old": (first_schema.LOGGED + 3, None), "installation": (1, None)}
    for statement in (
        "UPDATE annotation SET revision = 9",
        "DELETE FROM annotation",
        "UPDATE audit SET actor = 'nobody'",
        "DELETE FROM audit",
    ):
        with pytest.raises(DatabaseError, match="append-only"), writing(upgraded) as session:
            session.execute(text(statement))


def test_agreement_is_what_it_was(upgraded: Engine) -> None:
    before = study_agreement(
        [Annotation.model_validate(one) for one in ANNOTATIONS],
        taxonomy_codes=load_taxonomy().codes(),
        subjects={f"run-of-llama-g{number}": f"s{number}" for number in range(first_schema.ITEMS)},
        details=False,
    )
    with reading(upgraded) as session:
        after = load_study_agreement(session, "old")
    assert after.agreement == before
    with reading(upgraded) as session:
        tables = load_study_tables(session, "old")
    ids = replaced_ids(upgraded)
    assert [one.model_dump(mode="json") for one in tables.annotations if one.annotator_id == "A2"] == [
        {
            **one,
            "annotation_id": ids[one["annotation_id"]],
            "labels": [{**label, "context_spans": []} for label in one["labels"]],
            "reference_known": False,
            "answer_read": False,
            "contradictions": [],
        }
        for one in ANNOTATIONS
        if one["annotator_id"] == "A2"
    ]
    assert len(tables.contests) == 1


def test_items_know_the_question_of_their_instance(upgraded: Engine) -> None:
    with reading(upgraded) as session:
        items = {row.generation: row.group_id for row in session.scalars(select(StudyItemRow))}
    assert items == {f"g{number}": f"group{number}" for number in range(first_schema.ITEMS)}


def test_everybody_goes_on_where_they_were_until_all_is_done(upgraded: Engine) -> None:
    ids = replaced_ids(upgraded)
    draft = _next(upgraded, "u-ann")
    assert draft is not None
    assert (draft.assignment_id, draft.draft, draft.reveal) == (ids["a-u-ann-3"], {"rationale": "half"}, None)
    assert (draft.progress.done, draft.progress.skipped, draft.progress.total) == (2, 1, 4)
    begun = _next(upgraded, "u-ben")
    assert begun is not None
    assert (begun.assignment_id, begun.revision) == (ids["a-u-ben-2"], 1)
    assert begun.reveal is not None
    last = _submit(upgraded, "u-ben", begun)
    assert last is not None
    assert _submit(upgraded, "u-ben", last) is None
    assert _submit(upgraded, "u-ann", draft) is None
    with reading(upgraded) as session:
        skipped = annotate.get_assignment(session, user_id="u-ann", assignment_id=ids["a-u-ann-2"])
        (summary,) = list_studies(session)
    assert skipped.skip_reason == "unreadable \x00"
    assert (summary.submitted, summary.skipped) == (7, 1)
    assert _submit(upgraded, "u-ann", skipped) is None
    with reading(upgraded) as session:
        held = Counter(session.scalars(select(col(AssignmentRow.generation))))
        items = {row.generation: (row.taken, row.places) for row in session.scalars(select(StudyItemRow))}
        assert all(chain.broken_at is None for chain in verify_chain(session))
        assert compare_with_log(session) == ()
    assert items == {generation: (many, 2) for generation, many in held.items()}


def test_a_doubt_of_the_first_schema_can_still_be_taken_back(upgraded: Engine) -> None:
    called = replaced_ids(upgraded)["a-u-ann-1"]
    with reading(upgraded) as session:
        item = annotate.get_assignment(session, user_id="u-ann", assignment_id=called)
    _submit(upgraded, "u-ann", item)
    with reading(upgraded) as session:
        assert [row.status for row in session.scalars(select(ContestRow))] == ["withdrawn"]
