"""The home page: what waits for the account, the first steps, and the sample project."""

from functools import partial

import gradio as gr
from pydantic import Field

from clinicnum.api.sample_project import sample_material
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.home import sample_project
from clinicnum.db.work.home.pending_work import overview
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    Outputs,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.home import view
from clinicnum.ui.pages.home.first_steps_view import steps_html


class SampleChoice(Frozen):
    """Form values of the sample project."""

    annotators: tuple[str, ...] = Field(default=(), max_length=20)
    confirmed: bool = False


class HomeHandlers:
    """The page's events. Not async, so that making the sample runs in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show what waits for the account."""
        return "", *self._shown(str(request.username))

    def make_sample(self, annotators: object, request: gr.Request) -> Outputs:
        """Make the sample project, with a study for these annotators."""
        chosen, user_id = validated(SampleChoice, annotators=annotators), str(request.username)
        with self.store.reading() as session:
            sample_project.sample_annotators(session, user_id=user_id)
        material = sample_material()
        with self.store.writing() as session:
            sample_project.make_sample(session, material, user_id=user_id, annotators=chosen.annotators)
        return success_message(_(view.MADE)), *self._shown(user_id)

    def remove_sample(self, confirmed: object, request: gr.Request) -> Outputs:
        """Remove the sample project, and what people labelled in it if that was confirmed."""
        chosen, user_id = validated(SampleChoice, confirmed=confirmed), str(request.username)
        with self.store.writing() as session:
            sample_project.remove_sample(session, user_id=user_id, confirmed=chosen.confirmed)
        return success_message(_(view.REMOVED)), *self._shown(user_id)

    def _shown(self, user_id: str) -> Outputs:
        with self.store.reading() as session:
            found = overview(session, user_id=user_id)
            own = found.evaluating
            people = sample_project.sample_annotators(session, user_id=user_id) if own else ()
        waiting = view.waiting_text(found)
        reports = view.reports_text(found.reports)
        hidden = gr.update(visible=False)
        if own is None:
            return waiting, "", "", reports, hidden, "", gr.skip(), hidden, gr.skip()
        return (
            waiting,
            steps_html(own, found.user),
            view.studies_table(own.studies),
            reports,
            gr.update(visible=not own.sample and "label" not in own.steps),
            view.sample_text(people),
            gr.update(choices=list(people), value=[], visible=bool(people)),
            gr.update(visible=own.sample),
            gr.update(value=False, visible=own.labelled > 0, label=view.confirm_label(own.labelled)),
        )


def build_home(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for every role."""
    handlers = HomeHandlers(store)
    with gradio_page(_("Home"), "/home", navbar) as page:
        status = status_line()
        waiting = gr.Markdown(elem_id="waiting")
        steps = gr.HTML(apply_default_css=False, padding=False)
        studies = gr.HTML(apply_default_css=False, padding=False, elem_id="studies")
        reports = gr.Markdown(elem_id="reports")
        with gr.Column(visible=False) as making:
            gr.Markdown("## " + _("Sample project"))
            about = gr.Markdown(elem_classes="cn-hint")
            annotators = gr.Dropdown([], multiselect=True, label=_("Annotators"), info=_(view.ANNOTATORS))
            with gr.Row():
                make = gr.Button(_("Make the sample project"), scale=0, min_width=300)
        with gr.Column(visible=False) as removing:
            gr.Markdown("## " + _("Sample project"))
            gr.Markdown(_(view.SAMPLE_HERE), elem_classes="cn-hint")
            confirmed = gr.Checkbox(label=_("Delete the labels, too"), visible=False)
            with gr.Row():
                remove = gr.Button(_("Remove the sample project"), scale=0, min_width=300)
        shown = [waiting, steps, studies, reports, making, about, annotators, removing, confirmed]
        on = partial(listen, status=status)
        on(page.load, handlers.load, outputs=shown)
        on(make.click, handlers.make_sample, [annotators], shown)
        on(remove.click, handlers.remove_sample, [confirmed], shown)
    return page
