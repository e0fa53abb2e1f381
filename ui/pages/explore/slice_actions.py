"""Buttons that turn a slice into a study's sample or a template draft."""

from urllib.parse import urlencode

import gradio as gr

from clinicnum.db.database_sessions import Store
from clinicnum.db.work.drafts.from_failure import begin_from_generations
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.ui.components.gradio_page import Outputs, listen
from clinicnum.ui.components.language import _
from clinicnum.ui.components.markdown_links import destination_field, follow
from clinicnum.ui.pages.explore.layout import Layout
from clinicnum.ui.pages.explore.view_query import read_values


class SliceUseHandlers:
    """What the buttons do: open the new-study form on the slice, or draft a template from its failures."""

    def __init__(self, store: Store, explorer: Explorer) -> None:
        self.store, self.explorer = store, explorer

    def make_study(self, *values: object) -> Outputs:
        """Go to the form of a new study, whose sample is drawn from the slice."""
        asked = read_values(values).slice()
        return "", f"/studies/?{urlencode(asked.parameters())}"

    def draft_template(self, request: gr.Request, *values: object) -> Outputs:
        """Begin a draft from the labelled failures of the slice, and go to it."""
        user_id = str(request.username)
        with self.store.reading() as session:
            found = self.explorer.slice_of(session, user_id=user_id, query=read_values(values).slice())
        keys = [key.decode() for key in found.frame.keys[found.chosen & ~found.frame.correct].tolist()]
        with self.store.writing() as session:
            draft = begin_from_generations(session, user_id=user_id, generations=keys)
        return "", f"/draft/?draft={draft}"


class SliceUses:
    """The buttons that make a study's sample or a template draft of the slice."""

    def __init__(self) -> None:
        with gr.Row():
            self.study = gr.Button(_("Have this slice labelled in a study"))
            self.draft = gr.Button(_("Draft a template from its labelled failures"), visible=False)
        self.go = destination_field()

    def listen(self, handlers: SliceUseHandlers, status: gr.HTML, parts: Layout) -> None:
        """Register the events."""
        follow(listen(self.study.click, handlers.make_study, parts.inputs, [self.go], status=status), self.go)
        follow(
            listen(self.draft.click, handlers.draft_template, parts.inputs, [self.go], status=status), self.go
        )
