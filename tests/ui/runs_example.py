"""A researcher, and two stored runs of 16 questions, for the tests of the runs page."""

from sqlalchemy import Engine

from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.runs import stored_runs
from tests.db.test_run_work import counted
from tests.ui.gradio_request import Request

PASSWORD = "a long enough password"


def researcher_with_runs(engine: Engine) -> Request:
    """A researcher's request, where there are two runs of 16 questions."""
    with writing(engine) as session:
        stored_runs.add_runs(session, material=counted("one", wrong=4, right=12))
        stored_runs.add_runs(session, material=counted("two", wrong=12, right=4))
        return Request(users.add_user(session, name="rhea", role="researcher", password=PASSWORD).user_id)
