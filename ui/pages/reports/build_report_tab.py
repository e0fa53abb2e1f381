"""The tab that has the worker build a report of chosen studies, or the bundle of one."""

from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.report.chosen_sections import SECTION_TITLES
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.reports.request_report import request_bundle, request_report
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, listen, status_line, validated
from clinicnum.ui.components.job_progress import JobProgress, watch
from clinicnum.ui.components.language import _
from clinicnum.ui.pages.reports import view


class BundleChoice(Frozen):
    """Form values of a bundle."""

    study: str = Field(default="", max_length=200)
    allow_credentialed: bool = False


class BuildHandlers:
    """The tab's events; `db.work` checks the right in each."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def build(
        self,
        studies: object,
        title: object,
        sections: object,
        consensus: object,
        below: object,
        request: gr.Request,
    ) -> Outputs:
        """Queue a report; the message above the tabs, such as that there is no report yet, is emptied."""
        everything = isinstance(sections, list) and set(map(str, sections)) == set(SECTION_TITLES)
        if isinstance(sections, list) and not sections:
            raise InputError(Translatable("No section is chosen; choose what the report is to hold."))
        asked = validated(
            ReportArguments,
            studies=studies,
            title=title,
            sections=() if everything else sections,
            consensus=consensus or None,
            suppress_below=below or None,
        )
        with self.store.writing() as session:
            job = request_report(session, user_id=str(request.username), asked=asked)
        return "", *watch(job), ""

    def bundle(self, study: object, allowed: object, request: gr.Request) -> Outputs:
        """Queue the job that makes the bundle of a study."""
        asked = validated(BundleChoice, study=study, allow_credentialed=allowed)
        with self.store.writing() as session:
            job = request_bundle(
                session,
                user_id=str(request.username),
                study=asked.study,
                allow_credentialed=asked.allow_credentialed,
            )
        return "", *watch(job)


def build_forms(*, leads: bool, studies: bool) -> tuple[Any, Any]:
    """Updates of the text shown in place of the form, and of the form, which is shown only to leads and if
    there are studies.
    """
    if not leads:
        return gr.update(value=_(NOT_YOURS), visible=True), gr.update(visible=False)
    return gr.update(value=_(view.NO_STUDY_YET), visible=not studies), gr.update(visible=studies)


class BuildTab:
    """The tab's components."""

    def __init__(self, handlers: BuildHandlers, above: gr.HTML) -> None:
        """Create the components in the current context; `above` is the status line above the tabs."""
        with gr.Tab(_("Build a report"), id="build"):
            self.refusal = gr.Markdown(_(NOT_YOURS), visible=False)
            with gr.Column(visible=False) as self.form:
                self.studies = gr.CheckboxGroup(
                    [],
                    label=_("Studies"),
                    elem_id="build-studies",
                    info=_(
                        "Choose one; of several, each gets its own report, and their models are compared."
                    ),
                )
                title = gr.Textbox(
                    label=_("Title"), info=_("Left empty, the names of the studies."), max_length=200
                )
                with gr.Accordion(_("What is in it"), open=False):
                    choices = view.section_choices()
                    sections = gr.CheckboxGroup(
                        choices, value=[key for _title, key in choices], label=_("Sections")
                    )
                    consensus = gr.Dropdown(
                        view.consensus_choices(), value="", label=_("Results rest on"), filterable=False
                    )
                    below = gr.Radio(
                        view.least_counts(),
                        value=0,
                        label=_("Small counts"),
                        info=_(
                            "What is published often may not show them; rows and examples are then left out."
                        ),
                    )
                make = gr.Button(_("Build the report"), variant="primary")
                on = partial(listen, status=status_line())
                self.progress = JobProgress(handlers.store)
                gr.Markdown("## " + _("Bundle of a study"))
                gr.Markdown(_(BUNDLE_HINT))
                self.study = gr.Dropdown([], label=_("Study"))
                allowed = gr.Checkbox(
                    False,
                    label=_("Records that are not open may be in it"),
                    info=_(
                        "Credentialed records, and such as are not known to be open. Give such a bundle only "
                        "to people who may see them."
                    ),
                )
                pack = gr.Button(_("Make the bundle"))
                self.bundles = gr.HTML("", padding=False, apply_default_css=False, elem_id="bundles")
        asked = [self.studies, title, sections, consensus, below]
        on(make.click, handlers.build, asked, [*self.progress.outputs, above])
        on(pack.click, handlers.bundle, [self.study, allowed], self.progress.outputs)
        self.progress.listen(on)


NOT_YOURS = Translatable("Reports are built by researchers and admins; you find theirs on the tab “Read”.")
BUNDLE_HINT = Translatable(
    "Everything of a study in one file: records, answers, every judgement, the report. Anyone can check it "
    "without a database: `clinicnum verify FILE`."
)
