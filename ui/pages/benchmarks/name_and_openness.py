"""The name of a benchmark, and whether its questions are open: shown, and changed by who may evaluate."""

from collections.abc import Callable
from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.benchmarks.benchmark_changes import (
    LONGEST_NAME,
    open_benchmark,
    rename_benchmark,
    why_never_open,
)
from clinicnum.db.work.benchmarks.benchmark_list import benchmark_name, find_benchmark
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, success_message, validated
from clinicnum.ui.components.language import _

OPENNESS = (
    (Translatable("Open: they may be sent to a model on any server"), "open"),
    (Translatable("Not known to be open: they stay on this machine"), "not_known"),
)
ABOUT = Translatable(
    "Of questions that are not known to be open, annotators and readers of reports are told to keep them on "
    "this machine. A change stands in the audit log with your name. It holds for the benchmark and its runs; "
    "a study keeps what was known when it was opened."
)
SURE = Translatable("I may decide that these questions leave this machine.")
NOT_SURE = Translatable(
    "Tick that you may decide that these questions leave this machine; nothing was changed."
)


class ChangedValues(Frozen):
    """The values of the form."""

    benchmark: str = Field(min_length=1, max_length=200)
    name: str = Field(default="", max_length=1_000)
    openness: Literal["open", "not_known"] = "not_known"
    sure: bool = False


class ChangeHandlers:
    """The form's events."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def values(self, benchmark: str) -> Outputs:
        """Values for `NameAndOpenness.outputs`. Raises InputError for an unknown benchmark."""
        with self.store.reading() as session:
            row = find_benchmark(session, benchmark)
            is_open = row.meta.get("credentialed") is False
            never = None if is_open else why_never_open(row)
            name = benchmark_name(row)
        chosen = "open" if is_open else "not_known"
        return (
            name,
            gr.update(value=chosen, interactive=never is None),
            "" if never is None else _(never),
            gr.update(value=False, visible=False),
        )

    def ask(self, openness: object) -> Outputs:
        """Show the box that must be ticked before questions are made open."""
        return "", gr.update(visible=openness == "open")

    def store_changes(
        self, benchmark: object, name: object, openness: object, sure: object, request: gr.Request
    ) -> Outputs:
        """Store name and openness; opening takes the ticked box."""
        asked = validated(
            ChangedValues, benchmark=benchmark or "", name=name or "", openness=openness, sure=bool(sure)
        )
        user_id = str(request.username)
        with self.store.writing() as session:
            row = find_benchmark(session, asked.benchmark)
            opens = asked.openness == "open"
            if opens and row.meta.get("credentialed") is not False and not asked.sure:
                raise InputError(NOT_SURE)
            given = (
                "" if asked.name.strip() == benchmark_name(row) and not row.meta.get("name") else asked.name
            )
            named = rename_benchmark(session, user_id=user_id, benchmark=asked.benchmark, name=given)
            open_benchmark(session, user_id=user_id, benchmark=asked.benchmark, open_data=opens)
        said = (
            _("{name} is stored; its questions are open.", name=named)
            if opens
            else _("{name} is stored; its questions are not known to be open.", name=named)
        )
        return success_message(said), *self.values(asked.benchmark)


class NameAndOpenness:
    """The components, in a fold."""

    def __init__(self) -> None:
        with gr.Accordion(_("Name and openness"), open=False, elem_id="name-and-openness"):
            self.name = gr.Textbox(
                label=_("Name"), info=_("Empty: as the file is called."), max_length=LONGEST_NAME
            )
            self.openness = gr.Radio(
                [(_(text), value) for text, value in OPENNESS], label=_("These questions are"), info=_(ABOUT)
            )
            self.never = gr.Markdown(elem_classes="cn-hint")
            self.sure = gr.Checkbox(label=_(SURE), visible=False)
            self.save = gr.Button(_("Save name and openness"), min_width=200)
        self.outputs = [self.name, self.openness, self.never, self.sure]

    def listen(self, on: Callable[..., Any], handlers: ChangeHandlers, benchmark: gr.Dropdown) -> Any:
        """Register the events; returns the one that stores, after which lists are to be shown anew."""
        on(self.openness.input, handlers.ask, [self.openness], [self.sure])
        asked = [benchmark, self.name, self.openness, self.sure]
        return on(self.save.click, handlers.store_changes, asked, self.outputs)
