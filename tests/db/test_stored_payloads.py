"""What earlier versions stored stays readable: a field that is added later has its default in old payloads.

`tests/db/stored/N` holds each form as it was once stored, oldest first (1 is that of version 0.1).
Whoever changes a form adds a folder.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, create_model
from sqlalchemy import Engine, select

from clinicnum.annotations import read_stored_judgements
from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.curation.review_sheet import ReviewSheet, SubmittedReview
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.partial_judgement import JudgementForm, empty_form
from clinicnum.annotations.types import Annotation, Contest
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AdjudicationRow, AnnotationRow, Row
from clinicnum.db.work.adjudication import adjudicate
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.audit.audit_log import INSTALLATION
from clinicnum.db.work.my_work import feedback_to_annotator
from clinicnum.db.work.studies import load_whole_study
from clinicnum.ui.pages.annotate.view import draft_form
from tests.db.adjudicating import differing, next_of, take_over
from tests.db.tampering import AUDIT, disarmed, rehash
from tests.db.test_adjudicate import revise
from tests.db.test_annotate import FINE

STORED = Path(__file__).parent / "stored"
VERSIONS = sorted(one.name for one in STORED.iterdir())
KINDS: dict[str, type[BaseModel]] = {
    "annotation": Annotation,
    "first_judgement": Annotation,
    "reference": Judgement,
    "annotation_draft": JudgementForm,
    "review_draft": ReviewSheet,
    "review": SubmittedReview,
}
ADDED = 7


def stored(version: str, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((STORED / version / f"{name}.json").read_text())
    return loaded


def with_a_field(kind: type[BaseModel]) -> Any:
    """The form as a later version may have it."""
    return create_model(f"Later{kind.__name__}", __base__=kind, added=(int, ADDED))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", KINDS)
def test_a_stored_form_is_read_with_the_default_of_a_field_added_later(version: str, name: str) -> None:
    payload = stored(version, name)
    KINDS[name].model_validate(payload)
    assert with_a_field(KINDS[name]).model_validate(payload).added == ADDED


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["annotation", "first_judgement"])
def test_the_annotators_own_part_is_read_with_the_default(
    version: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_stored_judgements, "Judgement", with_a_field(Judgement))
    own: Any = read_stored_judgements.own_part(stored(version, name))
    assert own.added == ADDED
    assert own.response_judgement == "failure"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_decision_and_a_contest_are_read_with_the_default(version: str) -> None:
    payload = stored(version, "adjudication")
    about = {"adjudication_id": "d", "study_id": "s", "generation_id": "g", "adjudicator_id": "J1"}
    made = with_a_field(Adjudication)(
        **about, cites=(), stands=True, created_at=datetime(2026, 1, 1, tzinfo=UTC), **payload
    )
    assert made.added == ADDED
    assert feedback_to_annotator._Decision.model_validate(payload).judgement == made.judgement
    for name in ("contest_upheld", "contest_rejected"):
        decision = stored(version, name)
        contest = with_a_field(Contest)(
            contest_id="c",
            generation_id="g",
            annotator_id="A1",
            kind="ambiguous",
            comment=decision["comment"],
        )
        assert contest.added == ADDED


@pytest.mark.parametrize("version", VERSIONS)
def test_a_stored_draft_opens_as_a_whole_form(version: str) -> None:
    draft = stored(version, "annotation_draft")
    del draft["further"]  # as if a later version had added it
    assert draft_form(draft) == {**empty_form(), **draft, "further": []}


def test_the_newest_folder_has_the_forms_of_today() -> None:
    for name, kind in KINDS.items():
        assert set(stored(VERSIONS[-1], name)) == set(kind.model_fields), f"add a folder with today's {name}"


def test_a_study_of_which_no_payload_knows_a_field_is_still_worked_on(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    take_over(engine, people["ada"], next_of(engine, people["ada"]))
    _forget(engine, "confidence")
    with reading(engine) as session:
        item = annotate.previous(session, user_id=people["eve"], assignment_id=None)
        assert item is not None
        assert item.judgement is not None
        assert item.judgement.confidence is None
        (decision,) = load_whole_study.load_study_tables(session, "six").adjudications
        assert decision.stands
        assert not compare_tables_with_log.compare_with_log(session)
    revise(engine, people["eve"], "s0", FINE.model_copy(update={"rationale": "still fine"}))
    again = next_of(engine, people["ada"])
    take_over(engine, people["ada"], again)
    take_over(engine, people["ada"], again)  # sent twice: nothing happens
    with writing(engine) as session:
        assert len(session.scalars(select(AdjudicationRow)).all()) == 2
        assert not compare_tables_with_log.compare_with_log(session)


def test_a_decision_stored_without_a_field_is_known_as_a_repeat(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    take_over(engine, people["ada"], item)
    _forget(engine, "confidence")
    take_over(engine, people["ada"], item)
    with reading(engine) as session:
        assert len(session.scalars(select(AdjudicationRow)).all()) == 1
        assert adjudicate.previous_adjudication_item(session, user_id=people["ada"]) is not None


def _forget(engine: Engine, field: str) -> None:
    """Take a field out of every judgement, table and log alike, as if it had not been there yet."""
    with disarmed(engine) as connection:
        for kind in (AnnotationRow, AdjudicationRow):
            table = Row.metadata.tables[kind.__tablename__]
            for row in connection.execute(select(table.c.id, table.c.payload)).all():
                connection.execute(
                    table.update().where(table.c.id == row.id).values(payload=_without(row.payload, field))
                )
        for row in connection.execute(select(AUDIT).where(AUDIT.c.chain != INSTALLATION)).all():
            changed = {"before": _without(row.before, field), "after": _without(row.after, field)}
            connection.execute(
                AUDIT.update().where(AUDIT.c.chain == row.chain, AUDIT.c.seq == row.seq).values(**changed)
            )
        chain = (
            connection.execute(select(AUDIT.c.chain).where(AUDIT.c.chain != INSTALLATION)).scalars().first()
        )
        rehash(connection, str(chain))


def _without(payload: Any, field: str) -> Any:
    """Without the field at any depth; earlier versions logged no hash of the whole either."""
    if isinstance(payload, dict):
        return {key: _without(one, field) for key, one in payload.items() if key not in (field, "sha256")}
    return payload
