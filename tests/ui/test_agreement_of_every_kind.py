"""The agreement page on studies that judge no failures: every analysis has tables, or says why not."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.types import StudySummary
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.ui.pages.agreement.detailed_analyses import ANALYSES
from clinicnum.ui.pages.agreement.page import AgreementHandlers
from tests.db.checking import checks, open_claims
from tests.db.comparing import open_pairwise, prefers
from tests.db.examples import add_users
from tests.db.rating import open_ratings, rates
from tests.db.test_annotate import first, save, submit
from tests.ui.gradio_request import Request


def three_supported(item: Workitem) -> Judgement:
    return checks(item, "supported", "supported", "supported")


@pytest.mark.parametrize(
    ("study", "opened", "judged"),
    [
        pytest.param("rated", open_ratings, lambda _: rates(4, 3, 2, 5), id="ratings"),
        pytest.param("pairs", open_pairwise, lambda _: prefers("both_bad"), id="pairwise"),
        pytest.param("checks", open_claims, three_supported, id="claims"),
    ],
)
def test_every_analysis_is_shown_before_and_after_judgements(
    engine: Engine,
    study: str,
    opened: Callable[[Engine], StudySummary],
    judged: Callable[[Workitem], Judgement],
) -> None:
    annotators = [user.user_id for user in add_users(engine)]
    with writing(engine) as session:
        rex = Request(users.add_user(session, name="rex", role="researcher", password=None).user_id)
    opened(engine)
    page = AgreementHandlers(Store(engine))
    for _ in range(2):
        assert "##" in str(page.show(study, rex))
        for key in ANALYSES:
            page.analyse(study, key, rex)
        page.consensus(study, "majority", rex)
        page.plan(study, 0.1, rex)
        for user_id in annotators:
            item = first(engine, user_id)
            if item.claims is not None and item.claims.follows:
                item = save(engine, user_id, item, judged(item))
            submit(engine, user_id, item, judged(item))
