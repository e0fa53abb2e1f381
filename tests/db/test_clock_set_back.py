"""A clock set back by two days: what came last stays last, no lease and no throttle outlives its length."""

import time
from datetime import timedelta

import pytest
from fastapi import Request
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.types import User
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.login import log_in
from clinicnum.db.rows import AnnotationRow, AssignmentRow, AuditRow, utc_now
from clinicnum.db.work.accounts import login_throttle, users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit import audit_log
from clinicnum.db.work.common.adjudication_decisions import load_adjudications
from clinicnum.errors import NotAllowed
from clinicnum.ui.app.session import COOKIE, Sessions
from tests.db.adjudicating import OMISSION, differing, next_of, own, take_over
from tests.db.examples import FAILURE
from tests.db.faults import set_clock
from tests.db.test_annotate import FINE, first, submit
from tests.db.test_next_assignment import next_of as next_item
from tests.db.test_next_assignment import opened

BACK = timedelta(days=-2)
PASSWORD = "correct horse"


def test_revisions_stay_in_order_and_the_last_is_what_counts(
    engine: Engine, annotators: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    item = first(engine, annotators["ann"])
    submit(engine, annotators["ann"], item, FINE)
    set_clock(monkeypatch, BACK)
    revised = submit(engine, annotators["ann"], item.model_copy(update={"revision": 1}), FAILURE)
    assert revised.revision == 2
    with reading(engine) as session:
        rows = session.scalars(select(AnnotationRow).order_by(col(AnnotationRow.revision))).all()
        assert rows[0].created_at < rows[1].created_at
        assert [row.payload["response_judgement"] for row in rows] == ["acceptable", "failure"]
        assert all(row.payload["active_ms"] >= 0 for row in rows)
        times = session.scalars(select(AuditRow.at).order_by(col(AuditRow.chain), col(AuditRow.seq))).all()  # type: ignore[call-overload]
        assert sorted(times) != times, "the clock was not set back"
        assert [one.broken_at for one in audit_log.verify_chain(session)] == [None, None]


def test_the_last_decision_is_the_one_that_stands(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    people = differing(engine)
    item = next_of(engine, people["ada"])
    take_over(engine, people["ada"], item)
    submit(engine, people["ann"], _own(engine, people["ann"], item.generation), OMISSION)
    set_clock(monkeypatch, BACK)
    again = next_of(engine, people["ada"])
    assert again.generation == item.generation
    own(engine, people["ada"], again, FINE)
    with reading(engine) as session:
        made = load_adjudications(session, item.study_id)
    assert [(one.judgement == FINE, one.stands) for one in made] == [(False, False), (True, True)]
    assert made[0].created_at < made[1].created_at


def _own(engine: Engine, user_id: str, generation: str) -> Workitem:
    """The annotator's own item again, at its newest revision."""
    with reading(engine) as session:
        found = session.scalars(
            select(AssignmentRow).where(
                col(AssignmentRow.user_id) == user_id, col(AssignmentRow.generation) == generation
            )
        ).one()
        return annotate.get_assignment(session, user_id=user_id, assignment_id=found.id)


def test_a_place_is_not_held_longer_than_its_lease(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    people = opened(engine, 2, wrong=1, overlap=1)
    first(engine, people["p0"])
    set_clock(monkeypatch, BACK)
    assert next_item(engine, people["p1"]) is None
    with reading(engine) as session:
        [lease] = session.scalars(select(col(AssignmentRow.leased_until))).all()
    assert lease is not None
    assert lease - utc_now() <= timedelta(days=1)
    set_clock(monkeypatch, BACK + (lease - utc_now()) + timedelta(seconds=1))
    assert next_item(engine, people["p1"]) is not None


def test_failed_logins_of_a_time_to_come_keep_nobody_out(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing(engine) as session:
        ann: User = users.add_user(session, name="Ann", role="annotator", password=PASSWORD)
    for _ in range(login_throttle.FAILURES):
        assert log_in(engine, name="ann", password="wrong") is None
    with pytest.raises(NotAllowed):
        log_in(engine, name="ann", password=PASSWORD)
    set_clock(monkeypatch, timedelta(minutes=-2))
    with pytest.raises(NotAllowed, match="in 5 min"):
        log_in(engine, name="ann", password=PASSWORD)
    set_clock(monkeypatch, BACK)
    assert log_in(engine, name="ann", password=PASSWORD) == ann


def test_a_session_of_a_time_to_come_has_to_log_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends rather than lives longer than its twelve hours."""
    ann = User(user_id="u", name="ann", role="annotator")
    sessions = Sessions(
        secret="s" * 40, authenticate=lambda *_: None, find_user=lambda _: ann, end=lambda _: None
    )
    token = str(sessions._serializer().dumps([ann.user_id, ann.session_version]))
    request = Request({"type": "http", "headers": [(b"cookie", f"{COOKIE}={token}".encode())]})
    assert sessions.user_of(request) == ann
    real = time.time
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: real() + BACK.total_seconds())
    assert sessions.user_of(request) is None
