"""Jobs: asked for by those who may, listed, and refused in words."""

import pytest
from sqlalchemy import Engine

from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts.users import add_user
from clinicnum.db.work.jobs import job_store
from clinicnum.errors import InputError, NotAllowed


def _account(engine: Engine, role: str) -> str:
    with writing(engine) as session:
        return add_user(session, name=role, role=role, password="password1").user_id  # type: ignore[arg-type]


def test_a_researcher_asks_for_a_job_and_an_annotator_cannot(engine: Engine) -> None:
    res, ann = _account(engine, "researcher"), _account(engine, "annotator")
    with writing(engine) as session:
        job = job_store.enqueue(session, user_id=res, kind="generate", arguments={"seed": 3})
    with reading(engine) as session:
        (one,) = job_store.list_jobs(session, user_id=res)
        assert (one.job_id, one.status, one.arguments["seed"], one.requested_by) == (
            job,
            "queued",
            3,
            "researcher",
        )
        with pytest.raises(NotAllowed, match="may not evaluate"):
            job_store.list_jobs(session, user_id=ann)
    with writing(engine) as session, pytest.raises(NotAllowed):
        job_store.enqueue(session, user_id=ann, kind="generate", arguments={})


def test_wrong_arguments_are_refused_before_anything_is_stored(engine: Engine) -> None:
    res = _account(engine, "researcher")
    with writing(engine) as session, pytest.raises(InputError, match="Nothing was started"):
        job_store.enqueue(session, user_id=res, kind="run", arguments={"model": "x"})
    with reading(engine) as session:
        assert job_store.list_jobs(session, user_id=res) == ()
