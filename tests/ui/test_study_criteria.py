"""Criteria in the new-study form: written, uploaded, taken from the items; refused before anything opens."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.common.study_criteria import criteria_of_study
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.db.work.studies.study_progress import study_details
from clinicnum.types import Point
from clinicnum.ui.pages.studies.new_study import NewStudyHandlers
from clinicnum.ui.pages.studies.new_study_criteria import CriteriaHandlers
from clinicnum.ui.pages.studies.view import design_rows
from tests.db.examples import add_users, material
from tests.ui.gradio_request import Request
from tests.ui.new_study_form import FIELDS, PASSWORD, form, refusal

FILE = b"item_id,criterion_id,text,weight,must_have,source\ni1,dose,<b>Gives</b> a dose.,-2,,ours\n"


def sent(uploads: Uploads, owner: str, content: bytes, name: str = "criteria.csv") -> gr.SelectData:
    with uploads.begin(owner=owner, name=name, size=len(content)) as receiving:
        receiving.write(content)
        upload = receiving.finish().upload_id
    return gr.SelectData(None, {"index": 0, "value": {"upload": upload}})


@pytest.fixture
def rex(engine: Engine) -> Any:
    """A researcher, three annotators, and a run on items with an answer point each."""
    add_users(engine)
    made = material(wrong=3)
    points = (Point(id="p", text="It is 2000.", value="2000"),)
    asked = tuple(one.model_copy(update={"points": points}) for one in made.instances)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=replace(made, instances=asked))
        return Request(users.add_user(session, name="rex", role="researcher", password=PASSWORD).user_id)


def test_criteria_are_written_uploaded_and_taken_from_the_items(
    engine: Engine, rex: Any, tmp_path: Path
) -> None:
    uploads = Uploads(tmp_path / "uploads")
    criteria = CriteriaHandlers(uploads)
    page = NewStudyHandlers(Store(engine), Explorer(), FIELDS, lambda name: (name,), criteria)
    bad = sent(uploads, rex.username, b"text,weight\nA,heavy\n")
    status, said, upload = criteria.look_at(bad, rex)
    assert (status, upload) == ("", "")
    assert "criteria.csv:2: row 1: weight is &#39;heavy&#39;" in said
    assert str(tmp_path) not in said
    _, said, upload = criteria.look_at(sent(uploads, rex.username, FILE), rex)
    assert "The file holds 1 criterion." in said
    values = {"criteria": "Is safe.\n\nIs short.", "criteria_points": True, "criteria_upload": upload}
    # An own field may not take the key that ticks a criterion.
    field = "- {name: x, label: q, type: yes/no, key: 5}"
    assert "key '5' of field x is taken" in refusal(
        page.preview, rex, *form(engine, **values, own_fields=field)
    )
    stranger = Request("another")
    assert "no such uploaded file" in refusal(page.preview, stranger, *form(engine, **values))
    *_, previewed = page.preview(rex, *form(engine, **values))
    page.create(rex, previewed, *form(engine, **values))
    with reading(engine) as session:
        stored = criteria_of_study(session, find_study(session, "new").id)
        rows = design_rows(study_details(session, "new"))
    assert ["Criterion w1, version 1, weight 1", "Is safe."] in rows
    assert ["Criteria of single items", "4"] in rows
    assert [(one.item, one.id, one.weight) for one in stored] == [
        ("", "w1", 1),
        ("", "w2", 1),
        *((f"i{n}", "p1", 1) for n in range(3)),
        ("i1", "dose", -2),
    ]


def test_criteria_of_no_item_are_refused_in_the_preview(engine: Engine, rex: Any, tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    criteria = CriteriaHandlers(uploads)
    page = NewStudyHandlers(Store(engine), Explorer(), FIELDS, lambda name: (name,), criteria)
    _, _, upload = criteria.look_at(sent(uploads, rex.username, FILE.replace(b"i1,", b"other,")), rex)
    said = refusal(page.preview, rex, *form(engine, criteria_upload=upload))
    assert "none of the 1 criteria belongs to an item of this study" in said
