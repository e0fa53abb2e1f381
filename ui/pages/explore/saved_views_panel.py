"""Saved views: open one, save the present one, delete one."""

from collections.abc import Callable
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.explore.saved_views import LONGEST_NAME, delete_view, list_views, save_view
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, listen, success_message, validated
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.explore.layout import Layout
from clinicnum.ui.pages.explore.view_query import OpensViews, read_values


class ViewForm(Frozen):
    """A view's name or id, as the page sends it."""

    name: str = Field(default="", max_length=10 * LONGEST_NAME)
    view: str = Field(default="", max_length=64)


class SavedViewsHandlers:
    """The panel's events."""

    def __init__(self, store: Store, page: OpensViews) -> None:
        self.store, self.page = store, page

    def open_view(self, view: object, request: gr.Request) -> Outputs:
        """Show the chosen view; its address is that of the saved view."""
        key = validated(ViewForm, view=view).view
        asked = self.page.saved(key, str(request.username))
        return "", *self.page.whole(asked, str(request.username))[:-1], _address(key)

    def save_view(self, request: gr.Request, name: object, *values: object) -> Outputs:
        """Save the current view."""
        asked = read_values(values)
        with self.store.writing() as session:
            key = save_view(
                session,
                user_id=str(request.username),
                name=validated(ViewForm, name=name).name,
                query=asked.model_dump(mode="json"),
            )
        said = success_message(_("Saved. Its address is {address}.", address=_address(key)))
        return said, "", view_choices(self.store, str(request.username), key), _address(key)

    def delete_view(self, view: object, request: gr.Request) -> Outputs:
        """Delete the chosen view."""
        with self.store.writing() as session:
            name = delete_view(
                session, user_id=str(request.username), view_id=validated(ViewForm, view=view).view
            )
        said = success_message(_("View {name} was deleted.", name=name))
        return said, view_choices(self.store, str(request.username))


class SavedViews:
    """The panel in which a saved view is opened or deleted, and the present one saved."""

    def __init__(self) -> None:
        with gr.Accordion(_("Saved views"), open=False, elem_id="views") as self.panel:
            with gr.Row():
                self.chosen = gr.Dropdown([], label=_("Open a saved view"))
                self.name = gr.Textbox(label=_("Name for what you see now"), max_length=LONGEST_NAME)
            with gr.Row():
                self.save = gr.Button(_("Save this view"))
                self.delete = gr.Button(_("Delete the chosen view"))

    def listen(
        self, on: Callable[..., Any], handlers: SavedViewsHandlers, status: gr.HTML, parts: Layout
    ) -> None:
        """Register the events; `on` also writes the address."""
        on(self.chosen.input, handlers.open_view, [self.chosen], parts.whole)
        saved = [self.name, self.chosen, parts.address]
        on(self.save.click, handlers.save_view, [self.name, *parts.inputs], saved)
        listen(self.delete.click, handlers.delete_view, [self.chosen], [self.chosen], status=status)


def view_choices(store: Store, user_id: str, chosen: str | None = None) -> Any:
    """The saved views to choose from."""
    with store.reading() as session:
        views = list_views(session, user_id=user_id)
    choices = [(_("{name} (by {account})", name=one.name, account=one.by), one.view_id) for one in views]
    return gr.update(choices=choices, value=chosen)


def _address(key: str) -> str:
    return f"/explore/?view={key}"
