"""A claims study in the new-study form, on the design tab and among the items of a study."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies.study_items import ItemQuery, item_details, list_items
from clinicnum.db.work.studies.study_lifecycle import taxonomy_of_study
from clinicnum.db.work.studies.study_progress import study_details
from clinicnum.ui.pages.items.details_panel import details_values
from clinicnum.ui.pages.studies.new_study import NewStudyHandlers
from clinicnum.ui.pages.studies.new_study_criteria import CriteriaHandlers
from clinicnum.ui.pages.studies.view import design_rows
from tests.db.checking import checked_material, checks
from tests.db.examples import add_users
from tests.ui.gradio_request import Request
from tests.ui.new_study_form import FIELDS, PASSWORD, form, refusal


@pytest.fixture
def rex(engine: Engine) -> Any:
    """A researcher, three annotators, and two runs on the same items without a reference."""
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=checked_material(items=1))
        return Request(users.add_user(session, name="rex", role="researcher", password=PASSWORD).user_id)


def test_claims_are_previewed_opened_and_looked_at(engine: Engine, rex: Any, tmp_path: Path) -> None:
    page = NewStudyHandlers(
        Store(engine), Explorer(), FIELDS, lambda name: (name,), CriteriaHandlers(Uploads(tmp_path / "up"))
    )
    with reading(engine) as session:
        runs = [one.run for one in stored_runs.list_runs(session)]
    asked = {"runs": runs, "include": "claims"}
    assert "takes no criteria" in refusal(page.preview, rex, *form(engine, **asked, criteria="Is safe."))
    _, _, _, previewed = page.preview(rex, *form(engine, **asked))
    page.create(rex, previewed, *form(engine, **asked))
    with reading(engine) as session:
        rows = design_rows(study_details(session, "new"))
    assert ["Drawn from", "each sentence of an answer: does the item’s text support it?"] in rows
    with reading(engine) as session:
        ann = next(one.user_id for one in users.list_users(session) if one.name == "ann")
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=ann)
        assert item is not None
        annotate.submit(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=checks(item, "supported", "not_addressed:none", "contradicted:major"),
            active_ms=1,
        )
    with reading(engine) as session:
        found = list_items(session, user_id=rex.username, query=ItemQuery(study="new"))
        judged = next(one for one in found.lines if one.count("submitted"))
        shown = item_details(session, user_id=rex.username, study="new", item=judged.item)
        taxonomy = taxonomy_of_study(session, study_id=shown.study_id)
    values = details_values(shown, taxonomy, "new")
    assert "1 supported, 1 contradicted (major harm), 1 not addressed (no harm)" in str(values[7]["value"])
