"""The deadline of a study on the studies page: shown, set, moved and taken away."""

from collections.abc import Callable
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.study_deadline import read_deadline, today
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.studies.study_changes import change_deadline
from clinicnum.errors import InputError
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, listen, success_message, validated
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.studies import view


class DeadlineForm(Frozen):
    """Form values, as the page sends them."""

    study: str = Field(default="", max_length=100)
    deadline: str = Field(default="", max_length=100)


class DeadlineHandlers:
    """The deadline panel's event: sets a study's deadline, and returns a message and the table of studies."""

    def __init__(self, store: Store, board: Callable[[str], Outputs]) -> None:
        self.store = store
        self.board = board

    def save(self, study: object, deadline: object, request: gr.Request) -> Outputs:
        """Set, move or take away a study's deadline."""
        form = validated(DeadlineForm, study=study, deadline=deadline)
        if not form.study:
            raise InputError("Choose a study first.")
        day = read_deadline(form.deadline, now=today())
        with self.store.writing() as session:
            change_deadline(session, name=form.study, deadline=day, actor=str(request.username))
        said = (
            _("Study {name} is due on {day}.", name=form.study, day=day)
            if day
            else _("Study {name} has no deadline now.", name=form.study)
        )
        return success_message(said), *self.board(form.study)


class DeadlinePanel:
    """The day, and the button that saves it."""

    def __init__(self) -> None:
        self.day = gr.Textbox(label=_("Deadline"), info=_(view.DEADLINE), max_length=20)
        self.save = gr.Button(_("Save the deadline"))

    def listen(self, handlers: DeadlineHandlers, study: gr.Dropdown, status: Any, board: list[Any]) -> None:
        """Register the handler; `board` are the components that a change updates."""
        listen(self.save.click, handlers.save, [study, self.day], board, status=status)
