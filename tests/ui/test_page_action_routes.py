"""The workbenches' routes, and how pages name what they ask of the server."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from fastapi import FastAPI
from sqlalchemy import create_engine

from clinicnum.db.database_sessions import Store
from clinicnum.errors import Conflict, Unavailable
from clinicnum.scripts.commands.common.open_database import open_database
from clinicnum.scripts.commands.common.web_app import make_web
from clinicnum.types import Frozen
from clinicnum.ui.app.authorization import AuthorizationMiddleware, Page
from clinicnum.ui.app.page_action_routes import add_page_action_routes, read_message, run_action
from clinicnum.ui.components.page_action import Action
from clinicnum.ui.pages.adjudicate.page import AdjudicateHandlers
from clinicnum.ui.pages.annotate.page import AnnotateHandlers
from clinicnum.ui.pages.draft.page import DraftHandlers
from tests.apart import run_apart

HANDLERS = {"/annotate": AnnotateHandlers, "/adjudicate": AdjudicateHandlers, "/draft": DraftHandlers}
NAMES = {
    "/annotate": (
        "load judge submit skip flag previous reply save_draft studies choose tour practice answers guideline"
    ),
    "/adjudicate": (
        "load open defer previous decide consequences uphold reject answer_flag choose answer_thread "
        "settle_thread"
    ),
    "/draft": "load create save rebase take_back discard to_yaml submit check try_out",
}
LISTENERS: dict[type[gr.blocks.Block], set[str]] = {
    gr.Blocks: {"load"},
    gr.HTML: {"click", "upload"},
    gr.Button: {"click"},
    gr.Checkbox: {"change", "input"},
    gr.CheckboxGroup: {"change", "input"},
    gr.Dataframe: {"select"},
    gr.Dropdown: {"change", "input", "select", "blur"},
    gr.Number: {"change", "input", "submit", "blur"},
    gr.Radio: {"change", "input", "select"},
    gr.Tab: {"select"},
    gr.Timer: {"tick"},
    gr.Textbox: {"change", "input", "submit", "blur"},
}
"""What an event of a component may listen for: what a person does to it. Another listener is borrowed."""
CHAINED = {"then", "success", "failure"}


def actions(page: str) -> tuple[Action, ...]:
    found: tuple[Action, ...] = HANDLERS[page](Store(create_engine("sqlite://"))).actions()
    return found


@pytest.mark.parametrize("page", HANDLERS)
def test_each_action_is_a_route_named_for_what_its_handler_does(page: str) -> None:
    app = FastAPI()
    add_page_action_routes(app, page, actions(page))
    routes: Any = [one for one in app.routes if getattr(one, "path", "").startswith("/api/")]
    assert [one.path for one in routes] == [f"/api{page}/{name}" for name in NAMES[page].split()]
    assert all(one.methods == {"POST"} for one in routes)
    for action in actions(page):
        assert action.name == action.handler.__name__
        assert action.handler.__doc__, action.name
        assert issubclass(action.message, Frozen), action.name


class Message(Frozen):
    """A number."""

    number: int


def test_what_the_work_refuses_is_a_reply_but_a_lost_database_is_none() -> None:
    def fail(message: Message, user_id: str) -> dict[str, Any]:
        raise (
            Conflict(f"{user_id}: {message.number}")
            if message.number
            else Unavailable("gone", kind="test", where="here")
        )

    action = Action(fail, lambda error, message, user_id: {"error": str(error)}, threads=None)  # type: ignore[arg-type]
    assert run_action(action, read_message(action.message, b'{"number": 1}'), "ann") == {"error": "ann: 1"}
    with pytest.raises(Unavailable):
        run_action(action, read_message(action.message, b'{"number": 0}'), "ann")


def pages(folder: Path) -> Sequence[Page]:
    """The pages of the whole application."""
    web: Any = make_web(open_database(f"sqlite:///{folder / 'study.db'}"))
    fastapi: FastAPI = web.app.app
    (found,) = (one for one in fastapi.user_middleware if one.cls is AuthorizationMiddleware)
    made: Sequence[Page] = found.kwargs["pages"]
    return made


def test_each_event_of_gradio_is_named_for_its_handler_and_listens_to_what_is_done(tmp_path: Path) -> None:
    async def built(page: Page) -> gr.Blocks:
        return page.build()

    wrong = []
    for page in pages(tmp_path):
        blocks = run_apart(built(page))
        for fn in blocks.fns.values():
            if fn.fn is None:
                continue  # runs in the browser alone
            if not fn.api_name == fn.name == getattr(fn.fn, "__name__", None):
                wrong.append(f"{page.path}: {fn.name} is called {fn.api_name}")
            for target, event in fn.targets:
                # An event after another's end has no component of its own.
                kind = type(blocks if target in (None, blocks._id) else blocks.blocks[target])
                if event not in LISTENERS.get(kind, set()) | CHAINED:
                    wrong.append(f"{page.path}: {fn.name} listens to {event} of {kind.__name__}")
    assert wrong == []
