"""Panel for a study's training threshold: who reached it, and the lead's actions on the others."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.annotation.qualification_changes import (
    LONGEST_REASON,
    Trainee,
    qualify_by_hand,
    repeat_training,
)
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, data_table, listen, success_message, validated
from clinicnum.ui.components.language import _

COLUMNS = (
    Translatable("Account"),
    Translatable("Right"),
    Translatable("Needed"),
    Translatable("Training"),
    Translatable("Attempt"),
)
HINT = Translatable(
    "Who has not reached the threshold gets no items that count until you decide. The reason is logged."
)
STATES = {
    "training": Translatable("still in training"),
    "qualified": Translatable("qualified"),
    "missed": Translatable("not qualified: you decide"),
    "by_hand": Translatable("qualified by hand"),
}
OUTPUTS = 4
"""Number of values that `panel_values` returns."""


class QualificationForm(Frozen):
    """Form values of a decision, as the page sends them."""

    study: str = Field(default="", max_length=100)
    annotator: str = Field(default="", max_length=100)
    reason: str = Field(default="", max_length=LONGEST_REASON)


def panel_values(trainees: Sequence[Trainee]) -> Outputs:
    """Values for the panel: whether it is shown, its rows, who can be chosen, and an empty reason."""
    held_back = [one.name for one in trainees if not one.result.qualified]
    return (
        gr.update(visible=bool(trainees)),
        [_row(one) for one in trainees],
        gr.update(choices=held_back, value=None),
        "",
    )


def _row(one: Trainee) -> list[str | int]:
    result = one.result
    told = _(STATES[result.state])
    if result.reason is not None:
        told = _("{state}: {reason}", state=told, reason=result.reason)
    return [
        one.name,
        _("{n} of {total}", n=result.right, total=result.items),
        result.threshold,
        told,
        result.attempt,
    ]


class QualificationHandlers:
    """The panel's events; each returns a message and the board."""

    def __init__(self, store: Store, board: Callable[[str], Outputs]) -> None:
        self.store = store
        self.board = board

    def repeat(self, study: object, annotator: object, reason: object, request: gr.Request) -> Outputs:
        """Let an annotator repeat the training."""
        form = _form(study, annotator, reason)
        said = _("{name} can repeat the training; only that attempt then counts.", name=form.annotator)
        return self._decide(repeat_training, form, said, request)

    def by_hand(self, study: object, annotator: object, reason: object, request: gr.Request) -> Outputs:
        """Qualify an annotator by hand."""
        form = _form(study, annotator, reason)
        said = _("{name} is qualified by hand.", name=form.annotator)
        return self._decide(qualify_by_hand, form, said, request)

    def _decide(
        self, decide: Callable[..., Any], form: QualificationForm, said: str, request: gr.Request
    ) -> Outputs:
        with self.store.writing() as session:
            decide(
                session,
                name=form.study,
                annotator=form.annotator,
                reason=form.reason,
                actor=str(request.username),
            )
        return success_message(said), *self.board(form.study)


def _form(study: object, annotator: object, reason: object) -> QualificationForm:
    form = validated(QualificationForm, study=study, annotator=annotator or "", reason=reason)
    if not form.study or not form.annotator:
        raise InputError("Choose a study and one of its annotators first.")
    return form


class QualificationPanel:
    """Who reached the threshold, and actions on those who did not."""

    def __init__(self) -> None:
        with gr.Column(visible=False, elem_id="qualification") as self.box:
            self.table = data_table(COLUMNS, label=_("Training and threshold"), explains="training")
            self.annotator = gr.Dropdown([], label=_("Held back"), info=_(HINT))
            self.reason = gr.Textbox(label=_("Reason"), max_length=LONGEST_REASON)
            with gr.Row():
                self.again = gr.Button(_("Let them repeat the training"))
                self.by_hand = gr.Button(_("Qualify by hand"))
        self.outputs = [self.box, self.table, self.annotator, self.reason]

    def listen(
        self, handlers: QualificationHandlers, study: gr.Dropdown, status: Any, board: list[Any]
    ) -> None:
        """Register the handlers; `board` are the components that a decision updates."""
        on = partial(listen, status=status)
        values = [study, self.annotator, self.reason]
        on(self.again.click, handlers.repeat, values, board)
        on(self.by_hand.click, handlers.by_hand, values, board)
