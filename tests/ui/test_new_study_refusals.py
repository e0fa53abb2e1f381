"""What the form of a new study refuses: in one line, by the name of its field, and changing nothing."""

import re
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.ui.components.gradio_page import with_error_messages
from clinicnum.ui.pages.studies.new_study_fields import study_fields
from clinicnum.ui.pages.studies.new_study_values import StudyForm
from clinicnum.ui.pages.studies.page import StudiesHandlers
from tests.apart import run_apart
from tests.ui.new_study_form import FIELDS, admin_with_run, error_message_of, form, new_study, refusal, stored


@pytest.fixture
def root(engine: Engine) -> Any:
    return admin_with_run(engine)


HOSTILE: tuple[Any, ...] = (None, [], {}, 7, True, "", "none", "<b>none", "x" * 200, ["new"], "\0")


def test_a_hostile_value_gets_one_line_and_changes_nothing(engine: Engine, root: Any) -> None:
    page, making, before = StudiesHandlers(Store(engine)), new_study(engine), stored(engine)
    for value in HOSTILE:
        for handler in (page.pause, page.reopen, page.confirm_reopen, page.confirm_close):
            refusal(handler, value, root)
        refusal(page.close, value)
        refusal(page.add_annotator, value, value, root)
        refusal(page.save_guideline, value, value, value, root)
        refusal(page.rulings.draft_guideline, value, value)
        refusal(page.show_version, value, value)
        assert "\n" not in refusal(making.preview, root, *[value] * len(FIELDS))
        refusal(making.create, root, value, *[value] * len(FIELDS))
    assert stored(engine) == before


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no run": ({"runs": []}, "No run was chosen"),
    "a stranger": ({"annotators": ["root"]}, "has the role admin"),
    "nobody": ({"annotators": []}, "nobody is chosen to label"),
    "too much overlap": ({"overlap": 3}, "3 people are to label each answer, but only 2 are chosen"),
    "a share beyond": (
        {"correct_percent": 95},
        "“Share of answers scored right (%)” is 95; give 90 or less.",
    ),
    "fewer than none": ({"size": -3}, "“How many answers” is -3; give 1 or more."),
    "nobody each": ({"overlap": 0}, "“How many people label each answer” is 0; give 1 or more."),
    "no name": ({"name": " "}, "the study has no name yet; give it one"),
    "a long name": ({"name": "x" * 300}, "has 300 characters; expected at most 100"),
    "no such run": ({"runs": ["none"]}, "there is no run 'none'"),
    "no failure left": ({"statuses": ["correct"]}, "is a failure"),
    "training without references": ({"training": 1}, "need 1 references"),
    "references of no study": ({"references_from": "none"}, "no study 'none'"),
    "no number": ({"size": "many"}, "“How many answers” is many; give a whole number."),
    "no share": ({"repeat_percent": "x"}, "“Blind repeats (%)” is x; give a number."),
}


def test_a_study_that_cannot_be_opened_says_why_and_leaves_nothing(engine: Engine, root: Any) -> None:
    making, before = new_study(engine), stored(engine)
    for case, (fields, complaint) in REFUSED.items():
        said = error_message_of(making.preview, root, *form(engine, **fields))
        assert complaint.lower() in said.lower(), case
        assert not re.search(r"--\w|clinicnum \w|Input should|Field required", said), case
    previewed = making.preview(root, *form(engine))[3]
    assert "no name yet" in refusal(making.create, root, previewed, *form(engine, name=" "))
    assert stored(engine) == before


def test_a_taken_name_is_told_at_the_preview_and_the_earlier_preview_is_taken_away(
    engine: Engine, root: Any
) -> None:
    making = new_study(engine)
    making.create(root, making.preview(root, *form(engine))[3], *form(engine))
    assert error_message_of(making.preview, root, *form(engine, name=" new ")).count(
        "There is a study 'new' already; choose another name"
    )
    answer = with_error_messages(making.preview, 3, ("hidden", "", ""))(root, *form(engine, name="new"))
    assert answer[1:] == ("hidden", "", "")


def test_a_refusal_calls_a_field_what_the_form_calls_it() -> None:
    async def labels() -> dict[str, str]:  # Gradio opens an event loop of its own outside of one
        with gr.Blocks(analytics_enabled=False):
            return {name: component.label for name, component in study_fields().items()}  # type: ignore[attr-defined]

    shown = run_apart(labels())
    told = {name: field.title for name, field in StudyForm.model_fields.items() if field.title}
    assert told == {name: shown[name] for name in told}
    assert {"size", "overlap", "name"} <= told.keys()
