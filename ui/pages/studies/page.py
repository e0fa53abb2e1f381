"""The studies page: how far each is, what can be changed in it, and a new one with its preview."""

from collections.abc import Callable
from typing import Any, Literal

import gradio as gr
from pydantic import Field

from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import StudySummary
from clinicnum.db.sessions import Store
from clinicnum.db.work.accounts import users
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies import new_study, study_changes
from clinicnum.db.work.studies.study import close_study
from clinicnum.db.work.studies.study_progress import list_progress, study_details
from clinicnum.errors import ClinicnumError
from clinicnum.types import Frozen
from clinicnum.ui.components.messages import Reply, bad, good, parse
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.static_files import script
from clinicnum.ui.pages.studies.form import StudyForm
from clinicnum.ui.pages.studies.view import choices_view, details_view, preview_view, studies_view


class Message(Frozen):
    """What the list of studies sends."""

    action: Literal["show", "pause", "reopen", "close", "guideline", "add_annotator"]
    study: str = Field(max_length=100)
    text: str = Field(default="", max_length=100_000)
    annotator: str = Field(default="", max_length=100)


DONE = {
    "pause": "is paused: nobody can save in it until it is reopened.",
    "reopen": "is open: its annotators can go on.",
    "close": "is closed: nothing in it can be changed.",
    "guideline": "has a new guideline; judgements from now on carry its version.",
    "add_annotator": "has one more annotator; everyone's share was counted anew.",
}
SWITCHES: dict[str, Callable[..., StudySummary]] = {
    "pause": study_changes.pause_study,
    "reopen": study_changes.reopen_study,
    "close": close_study,
}


class StudiesHandlers:
    """The page's events; the gate has checked the right before any of them runs.

    Not async: counts, draws and suggestions of large studies belong in a thread.
    """

    def __init__(self, store: Store, after_closing: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.after_closing = after_closing

    def load(self) -> tuple[Reply, Reply]:
        """All studies, and what a new one can be made of."""
        with self.store.reading() as session:
            people, studies = users.list_users(session), list_progress(session)
            choices = choices_view(stored_runs.list_runs(session), people, studies)
        return {"studies": studies_view(studies), "open": None}, {"choices": choices}

    def change(self, payload: Any, request: gr.Request) -> Reply:
        """Show a study, or change one thing in it and show it as it then is."""
        told: Reply = {}
        shown: str | None = None
        try:
            message = parse(Message, payload)
            shown = message.study
            if message.action != "show":
                told = good(self._change(message, str(request.username)))
        except ClinicnumError as error:
            told = bad(error)
        return self._board(shown) | told

    def _change(self, message: Message, actor: str) -> str:
        name = message.study
        with self.store.writing() as session:
            if message.action == "guideline":
                study_changes.change_guideline(session, name=name, text=message.text, actor=actor)
            elif message.action == "add_annotator":
                study_changes.add_annotator(session, name=name, annotator=message.annotator, actor=actor)
            else:
                SWITCHES[message.action](session, name=name, actor=actor)
        if message.action == "close":
            self.after_closing()
        return f"Study {name} {DONE[message.action]}"

    def _board(self, shown: str | None) -> Reply:
        with self.store.reading() as session:
            studies = list_progress(session)
            known = shown is not None and any(one.name == shown for one in studies)
            details = (
                details_view(study_details(session, str(shown)), users.list_users(session)) if known else None
            )
        return {"studies": studies_view(studies), "open": details}

    def preview(self, payload: Any, request: gr.Request) -> Reply:
        """What the form's study would hold and ask for; nothing is written."""
        try:
            form = parse(StudyForm, payload)
            planned = self._plan(form)
            preview = planned.preview(seconds_an_item=form.seconds_an_item)
        except ClinicnumError as error:
            return bad(error)
        return {"preview": preview_view(preview), "seed": planned.seed}

    def create(self, payload: Any, request: gr.Request) -> tuple[Reply, Reply]:
        """Open the study; the list then shows it."""
        try:
            form = parse(StudyForm, payload)
            planned = self._plan(form)
            with self.store.writing() as session:
                made = new_study.open_planned(
                    session,
                    planned,
                    name=form.name,
                    taxonomy=load_taxonomy(),
                    guideline=form.guideline,
                    actor=str(request.username),
                )
        except ClinicnumError as error:
            return bad(error), gr.skip()
        told = good(f"Study {made.name} is open: {made.generations} items for {made.annotators} annotators.")
        return {"created": made.name, **told}, self._board(made.name)

    def _plan(self, form: StudyForm) -> new_study.PlannedStudy:
        """Read and count outside the transaction that writes, so that nobody who labels waits for it."""
        with self.store.reading() as session:
            return new_study.plan_stored(
                session,
                runs=form.runs,
                annotators=form.annotators,
                design=form.design(),
                seed=form.seed or new_study.new_seed(),
                references_from=form.references_from,
            )


def build_studies(*, store: Store, navbar: Navbar, after_closing: Callable[[], None]) -> gr.Blocks:
    """The page as a Blocks, to be mounted behind the right `manage_studies`.

    `after_closing` is called once a study is closed.
    """
    handlers = StudiesHandlers(store, after_closing)
    quiet: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    with gr.Blocks(title="Studies · clinicnum", analytics_enabled=False, fill_width=True) as page:
        navbar.add_to(page, "/studies")
        board = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h1>Studies</h1><div class="st-message" role="status"></div>'
            '<div class="st-root"></div></div>',
            js_on_load=script("dom.js", "studies.js"),
            apply_default_css=False,
            elem_id="studies",
        )
        form = gr.HTML(
            value={},
            html_template='<div class="cn-page"><h2>Open a new study</h2><div class="st-form"></div>'
            '<div class="st-preview"></div><div class="st-message" role="status"></div></div>',
            js_on_load=script("dom.js", "study_form.js"),
            apply_default_css=False,
            elem_id="new-study",
        )
        page.load(handlers.load, None, [board, form], **quiet)
        board.select(handlers.change, board, board, **quiet)
        form.select(handlers.preview, form, form, **quiet)
        form.submit(handlers.create, form, [form, board], **quiet)
    return page
