"""A pairwise study in the new-study form, on the design tab and among the items of a study."""

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
from tests.db.comparing import MODELS, compared_material, prefers
from tests.db.examples import add_users
from tests.ui.gradio_request import Request
from tests.ui.new_study_form import FIELDS, PASSWORD, form, refusal


@pytest.fixture
def rex(engine: Engine) -> Any:
    """A researcher, three annotators, and two runs on the same items."""
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=compared_material(items=3))
        return Request(users.add_user(session, name="rex", role="researcher", password=PASSWORD).user_id)


def test_pairs_are_previewed_opened_and_looked_at(engine: Engine, rex: Any, tmp_path: Path) -> None:
    page = NewStudyHandlers(
        Store(engine), Explorer(), FIELDS, lambda name: (name,), CriteriaHandlers(Uploads(tmp_path / "up"))
    )
    with reading(engine) as session:
        runs = [one.run for one in stored_runs.list_runs(session)]
    asked = {"runs": runs, "include": "pairwise"}
    assert "no two answers to the same question" in refusal(
        page.preview, rex, *form(engine, **asked | {"runs": runs[:1]})
    )
    assert "takes no criteria" in refusal(page.preview, rex, *form(engine, **asked, criteria="Is safe."))
    _, _, facts, previewed = page.preview(rex, *form(engine, **asked))
    assert "3 pairs of answers will be compared, each pair to the same question." in facts
    page.create(rex, previewed, *form(engine, **asked))
    with reading(engine) as session:
        rows = design_rows(study_details(session, "new"))
    assert ["Drawn from", "two runs' answers side by side: which is better?"] in rows
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
            judgement=prefers("second_better"),
            active_ms=1,
        )
    with reading(engine) as session:
        found = list_items(session, user_id=rex.username, query=ItemQuery(study="new"))
        judged = next(one for one in found.lines if one.count("submitted"))
        shown = item_details(session, user_id=rex.username, study="new", item=judged.item)
        taxonomy = taxonomy_of_study(session, study_id=shown.study_id)
    assert shown.second is not None
    assert not any(name in shown.text + shown.second for name in MODELS)
    values = details_values(shown, taxonomy, "new")
    assert values[6]["visible"] is True
    assert [row[4] for row in values[7]["value"]] == ["The second answer is better"]
