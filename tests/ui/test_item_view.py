"""The slot beside the item: what its function learns, whose item it gets, and what is sent to the page."""

import json
from typing import Any

import gradio as gr
import pytest
from PIL import Image
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading
from clinicnum.db.work.annotation.item_for_custom_component import shown_item
from clinicnum.errors import InputError, NotAllowed
from clinicnum.scripts.commands.serve import load_callable
from clinicnum.ui.app.event_validation import Event, page_events
from clinicnum.ui.pages.annotate.custom_item_component import add_item_view, sent_whole
from tests.apart import run_apart
from tests.db.examples import add_users, open_study
from tests.db.test_annotate import first, save


def test_it_gets_ids_and_records_of_the_users_own_item_and_neither_gold_nor_model(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine)
    item = save(engine, people["ann"], first(engine, people["ann"]))  # also after the reference is shown
    with reading(engine) as session:
        shown = shown_item(session, user_id=people["ann"], assignment_id=item.assignment_id)
        with pytest.raises(NotAllowed):
            shown_item(session, user_id=people["ben"], assignment_id=item.assignment_id)
        with pytest.raises(NotAllowed):
            shown_item(session, user_id=people["ann"], assignment_id="made-up")
    assert (shown.instance_id[0], shown.subject_id[0]) == ("i", "s")
    assert len(shown.records) == 2
    told = shown.model_dump_json().lower()
    assert item.reveal is not None
    for hidden in (str(item.reveal.answer), "llama", "run-of", "gold", "2000", "wrong_record"):
        assert hidden not in told


async def picture_sent() -> Any:
    with gr.Blocks(analytics_enabled=False):
        image = gr.Image()
    return sent_whole(image, Image.new("RGB", (4, 3), "teal"))


def test_an_image_is_sent_whole_as_the_server_gives_out_no_files() -> None:
    sent = run_apart(picture_sent())
    assert sent["url"].startswith("data:image/")
    assert "/" not in sent["path"]
    assert json.dumps(sent)


async def events_of_the_slot(engine: Engine) -> dict[int, Event]:
    with gr.Blocks(title="Annotate", analytics_enabled=False) as page:
        add_item_view(Store(engine), lambda: (gr.Plot(), lambda item: None))
    return page_events(page)


def test_its_event_is_one_that_the_pages_may_have(engine: Engine) -> None:
    assert [one.inputs for one in run_apart(events_of_the_slot(engine)).values()] == [1]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "no_such_module:build",
            "cannot be loaded: No module named 'no_such_module'; expected MODULE:FUNCTION",
        ),
        ("json:no_such", "cannot be loaded"),
        ("json", "cannot be loaded"),
        ("json:__name__", "is a str; expected a function"),
    ],
)
def test_a_function_that_is_not_there_is_refused_before_the_server_starts(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_callable(name)
