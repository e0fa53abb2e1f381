"""The slot beside the item for a lab's own Gradio component, built by the lab's callable.

The page's script names the assignment that it shows; the server takes it only if it is the signed-in user's
own. What is shown for another item is hidden until the answer for this one is there. See `docs/item-view.md`.
"""

import base64
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

from clinicnum.annotations.work_item import ShownItem
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.annotation.item_for_custom_component import shown_item
from clinicnum.errors import InputError
from clinicnum.ui.components.gradio_page import Outputs, listen, status_line

ShowItem = Callable[[ShownItem], Any]
BuildItemView = Callable[[], tuple[gr.components.Component, ShowItem]]
"""Called once, inside the page: returns the component and a function item -> its value."""
ASKS = "() => [document.querySelector('.ab-root').dataset.assignment]"
SHOWS = (
    "(shown) => { document.getElementById('item-view').toggleAttribute('data-other', "
    "shown !== document.querySelector('.ab-root').dataset.assignment); }"
)


def add_item_view(store: Store, build: BuildItemView) -> None:
    """Add the slot, filled by the lab's callable `build`, to the page that is being built, above the item."""
    status = status_line()
    with gr.Column(elem_id="item-view"):
        component, show = build()
    shown = gr.Textbox(visible="hidden", show_label=False, container=False)
    trigger = gr.Button("Show", visible="hidden", elem_id="item-view-show")

    def show_item_view(assignment: object, request: gr.Request) -> Outputs:
        if not isinstance(assignment, str):
            raise InputError("No item is on the page; load one first.")
        with store.reading() as session:
            item = shown_item(session, user_id=str(request.username), assignment_id=assignment)
        return "", sent_whole(component, show(item)), assignment

    event = listen(
        trigger.click,
        show_item_view,
        [shown],
        [component, shown],
        status=status,
        js=ASKS,
        postprocess=False,  # `sent_whole` has done it
        trigger_mode="always_last",
        show_progress="hidden",
    )
    event.then(None, [shown], None, js=SHOWS, queue=False, api_visibility="private")


def sent_whole(component: gr.components.Component, value: Any) -> Any:
    """The component's value as JSON with the content of files in it, since the server gives out no files."""
    made = component.postprocess(value)
    return _with_files(made.model_dump() if hasattr(made, "model_dump") else made)


def _with_files(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_files(one) for one in value]
    if not isinstance(value, dict):
        return value
    path = value.get("path")
    if isinstance(path, str) and Path(path).is_file():
        name = value.get("orig_name") or Path(path).name
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        content = base64.b64encode(Path(path).read_bytes()).decode()
        return {"path": name, "orig_name": name, "url": f"data:{kind};base64,{content}"}
    return {key: _with_files(one) for key, one in value.items()}
