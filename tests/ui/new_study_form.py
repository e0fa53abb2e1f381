"""The form of a new study: its values as the browser sends them, and how a refusal is shown."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import Row
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.runs import stored_runs
from clinicnum.errors import ClinicnumError
from clinicnum.ui.components.gradio_page import error_message
from clinicnum.ui.pages.studies.new_study import NewStudyHandlers
from clinicnum.ui.pages.studies.new_study_criteria import CriteriaHandlers
from clinicnum.ui.pages.studies.new_study_values import StudyForm
from tests.db.examples import add_users, material
from tests.ui.gradio_request import Request

PASSWORD = "a long enough password"


def admin_with_run(engine: Engine) -> Request:
    """An admin, three annotators, and one run of 12 failures and 8 right answers without a study."""
    add_users(engine)
    with writing(engine) as session:
        stored_runs.add_runs(session, material=material(wrong=12, right=8))
        return Request(users.add_user(session, name="root", role="admin", password=PASSWORD).user_id)


FIELDS = tuple(name for name in StudyForm.model_fields if name != "seed")


def new_study(engine: Engine) -> NewStudyHandlers:
    criteria = CriteriaHandlers(Uploads(Path("uploads")))
    return NewStudyHandlers(Store(engine), Explorer(), FIELDS, lambda name: (name,), criteria)


def form(engine: Engine, **fields: Any) -> list[Any]:
    """The values of the form, as the browser sends them."""
    with reading(engine) as session:
        run = stored_runs.list_runs(session)[0].run
    empty = {name: field.default for name, field in StudyForm.model_fields.items()} | {"templates": ""}
    chosen = {"name": "new", "runs": [run], "annotators": ["ann", "ben"], "overlap": 2}
    values = empty | chosen | fields
    return [values[name] for name in FIELDS]


def refusal(handler: Any, *values: Any) -> str:
    with pytest.raises(ClinicnumError) as caught:
        handler(*values)
    return str(caught.value)


def error_message_of(handler: Any, *values: Any) -> str:
    """What the page shows of the refusal."""
    with pytest.raises(ClinicnumError) as caught:
        handler(*values)
    return unescape(error_message(caught.value))


def strata(preview: str) -> list[list[str]]:
    """The rows of the preview's table."""
    body = preview[preview.index("<tbody>") : preview.index("</tbody>")]
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in body.split("</tr>") if row]


def stored(engine: Engine) -> list[int]:
    with reading(engine) as session:
        tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
        return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]
