"""A confirmation prompt for actions that are hard to undo: a warning with two buttons."""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

import gradio as gr

FOCUS = "() => { setTimeout(() => document.querySelector('#%s')?.focus(), 100); }"
HIDE = "() => ({ __type__: 'update', visible: false })"


class Confirmation:
    """The prompt; hidden until a handler sets `outputs` to gr.update(visible=True) and the warning's HTML.

    `confirm` and `leave` are the labels of the button that confirms and of the one that cancels.
    """

    def __init__(self, confirm: str, leave: str) -> None:
        with gr.Column(visible=False) as self.group:
            self.warning = gr.HTML(apply_default_css=False)
            with gr.Row():
                self.leave = gr.Button(leave, elem_id=f"leave-{uuid.uuid4().hex[:8]}")
                self.confirm = gr.Button(confirm, variant="stop")
        self.outputs = [self.group, self.warning]
        self.leave.click(None, None, self.group, js=HIDE, queue=False, api_visibility="private")

    def focus_after(self, event: Any) -> None:
        """After `event` has shown the prompt, move the keyboard focus to the button that cancels."""
        event.then(None, None, None, js=FOCUS % self.leave.elem_id, queue=False, api_visibility="private")

    def on_confirm(
        self,
        on: Callable[..., Any],
        handler: Callable[..., Any],
        inputs: Sequence[gr.components.Component],
        outputs: Sequence[gr.components.Component],
    ) -> None:
        """Call `handler` when the user confirms, then hide the prompt; `on` registers it (see `listen`)."""
        event = on(self.confirm.click, handler, inputs, outputs)
        event.then(None, None, self.group, js=HIDE, queue=False, api_visibility="private")
