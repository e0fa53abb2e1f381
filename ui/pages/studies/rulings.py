"""The rulings of a study on the studies page, and the next guideline version drafted from some of them."""

from collections.abc import Sequence
from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.annotations.guideline import with_rulings
from clinicnum.annotations.types import Ruling
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.common.rulings import load_rulings
from clinicnum.db.work.studies.study_lifecycle import find_study
from clinicnum.db.work.studies.study_progress import guideline_versions
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    listen,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.studies.rulings_view import (
    CHOOSE_RULINGS,
    DRAFTED,
    NO_RULINGS,
    RULING_COLUMNS,
    ruling_choices,
    ruling_rows,
    rulings_label,
)

MOST_RULINGS = 1_000


class ChosenRulings(Frozen):
    """A study and the rulings chosen for its next guideline version, as the page sends them."""

    study: str = Field(default="", max_length=100)
    rulings: tuple[str, ...] = Field(default=(), max_length=MOST_RULINGS)


class RulingsHandlers:
    """The events about rulings; the authorization middleware has already checked the right."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def show_rulings(self, study: object) -> Outputs:
        """The rulings of the chosen study; those that are in no guideline version can be chosen.

        The status line stays as it is.
        """
        name = validated(ChosenRulings, study=study).study
        return gr.skip(), *self.values(name)

    def draft_guideline(self, study: object, rulings: object) -> Outputs:
        """The guideline in force with the chosen rulings appended, as a text to edit; nothing is saved."""
        chosen = validated(ChosenRulings, study=study, rulings=rulings)
        if not chosen.rulings:
            raise InputError(Translatable("Choose the rulings that the next version should say."))
        found = {one.ruling_id: one for one in self._rulings(chosen.study)}
        texts = [found[key].text for key in found if key in chosen.rulings]
        with self.store.reading() as session:
            versions = guideline_versions(session, find_study(session, chosen.study))
        text = with_rulings(versions[0].text if versions else "", texts)
        return success_message(_(DRAFTED)), text, " ".join(key for key in found if key in chosen.rulings)

    def values(self, name: str) -> Outputs:
        """Values for the outputs of `RulingsList`; the empty name is no study."""
        return _shown(self._rulings(name) if name else ())

    def _rulings(self, name: str) -> tuple[Ruling, ...]:
        with self.store.reading() as session:
            return load_rulings(session, find_study(session, name).id)


def _shown(rulings: Sequence[Ruling]) -> Outputs:
    return (
        gr.update(value=ruling_rows(rulings), label=rulings_label(rulings), visible=bool(rulings)),
        gr.update(choices=ruling_choices(rulings), value=[]),
        gr.update(visible=any(one.guideline_version is None for one in rulings)),
        gr.update(visible=not rulings),
        "",
    )


class RulingsList:
    """The table of rulings, the choice among them, and the button that drafts the next version from it."""

    def __init__(self, handlers: RulingsHandlers) -> None:
        self.handlers = handlers
        self.none = gr.Markdown(_(NO_RULINGS), elem_classes="cn-hint")
        self.table = data_table(
            RULING_COLUMNS,
            label=rulings_label(()),
            visible=False,
            elem_id="rulings",
            column_widths=["110px", "160px", "300px", "400px", "140px"],
            explains=None,
        )
        with gr.Column(visible=False) as self.drafting:
            self.chosen = gr.CheckboxGroup(
                [], label=_("Rulings for the next version"), info=_(CHOOSE_RULINGS)
            )
            self.draft = gr.Button(_("Draft the next guideline version"))
        self.drafted = gr.Textbox(visible=False, label="Rulings in the draft")
        self.outputs = [self.table, self.chosen, self.drafting, self.none, self.drafted]

    def listen(self, study: gr.Dropdown, text: gr.Textbox, status: gr.HTML) -> None:
        """Register the handlers: `study` names the study, `text` takes the draft."""
        on = partial(listen, status=status)
        on(self.draft.click, self.handlers.draft_guideline, [study, self.chosen], [text, self.drafted])
        on(study.change, self.handlers.show_rulings, [study], self.outputs, trigger_mode=EVERY_TIME)
