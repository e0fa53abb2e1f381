"""A session of a page keeps what its events changed, and no descriptions of components."""

from typing import Any

import gradio as gr
from gradio.state_holder import SessionState

from clinicnum.ui.app.undescribed_sessions import leave_sessions_undescribed
from tests.apart import run_apart


def page_with_a_choice() -> tuple[gr.Blocks, gr.Dropdown]:
    with gr.Blocks(analytics_enabled=False) as page:
        choice = gr.Dropdown(["a"], label="Choice")
        button = gr.Button("More")
        button.click(lambda: gr.update(choices=["a", "b"]), None, [choice], queue=False)
    return page, choice


async def changed(page: gr.Blocks) -> tuple[SessionState, list[Any]]:
    """A session in which an event has given more choices; and what the browser is told."""
    session = SessionState(page)
    (event,) = page.fns.values()
    told = await page.postprocess_data(event, gr.update(choices=["a", "b"]), session)
    return session, told


async def compared() -> None:
    """Hold a session to one as Gradio by itself would keep it."""
    page, choice = page_with_a_choice()
    described, told = await changed(page)
    config = page.get_config_file()
    leave_sessions_undescribed(page)
    session, same = await changed(page)
    assert same == told
    assert [one["props"]["label"] for one in described.components if one["type"] == "dropdown"] == ["Choice"]
    assert list(session.components) == []
    assert session[choice._id].choices == [("a", "a"), ("b", "b")]
    assert choice.choices == [("a", "a")], "only this session has more"
    assert SessionState(page)[choice._id] is choice
    assert page.get_config_file() == config, "the page itself is described as before"


def test_a_session_keeps_what_changed_without_describing_it() -> None:
    run_apart(compared())
