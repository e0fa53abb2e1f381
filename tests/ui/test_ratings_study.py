"""A ratings study in the new-study form, on the design tab and among the items of a study."""

from pathlib import Path
from typing import Any

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
from tests.db.rating import rates
from tests.ui.new_study_form import FIELDS, form, refusal
from tests.ui.test_pairwise_study import rex

__all__ = ["rex"]


def test_ratings_are_previewed_opened_and_looked_at(engine: Engine, rex: Any, tmp_path: Path) -> None:
    page = NewStudyHandlers(
        Store(engine), Explorer(), FIELDS, lambda name: (name,), CriteriaHandlers(Uploads(tmp_path / "up"))
    )
    with reading(engine) as session:
        runs = [one.run for one in stored_runs.list_runs(session)]
    asked = {"runs": runs, "include": "ratings", "reference": True, "rating_limit": 2}
    for more, says in (
        ({"axes": "- {name: a}"}, "in field 1 (a), `label`"),
        ({"own_fields": "- {name: a, label: A, type: number}"}, "asks its axes only"),
        ({"criteria": "Is safe."}, "takes no criteria"),
        ({"include": "all"}, "are for studies that rate each answer on axes"),
    ):
        assert says in refusal(page.preview, rex, *form(engine, **asked | more))
    _, _, facts, previewed = page.preview(rex, *form(engine, **asked))
    assert "6 answers will be rated, whatever their scores." in facts
    page.create(rex, previewed, *form(engine, **asked))
    with reading(engine) as session:
        rows = design_rows(study_details(session, "new"))
        ann = next(one.user_id for one in users.list_users(session) if one.name == "ann")
    assert ["Drawn from", "each answer by itself, on axes such as accuracy: how good is it?"] in rows
    assert ["Gold answer", "beside the answer that is rated"] in rows
    assert ["Adjudicators settle besides labels", "where ratings are more than 2 points apart"] in rows
    assert sum(name.startswith("Axis") for name, _ in rows) == 4
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=ann)
        assert item is not None
        annotate.submit(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=rates(4, 5, 1, 2),
            active_ms=1,
        )
    with reading(engine) as session:
        found = list_items(session, user_id=rex.username, query=ItemQuery(study="new"))
        judged = next(one for one in found.lines if one.count("submitted"))
        shown = item_details(session, user_id=rex.username, study="new", item=judged.item)
        taxonomy = taxonomy_of_study(session, study_id=shown.study_id)
    values = details_values(shown, taxonomy, "new")
    assert "safety" in str(values[7]["value"])
