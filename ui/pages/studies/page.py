"""The studies page: each study's progress and settings, and the form for a new study."""

from collections.abc import Callable
from functools import partial

import gradio as gr

from clinicnum.annotations.study_summary import StudyDetails
from clinicnum.annotations.types import StudySummary, User
from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation.qualification_changes import trainees
from clinicnum.db.work.explore.explore_page_data import Explorer
from clinicnum.db.work.studies import study_changes
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.db.work.studies.study_progress import list_progress, study_details
from clinicnum.errors import InputError
from clinicnum.ui.components.confirmation import Confirmation
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    gradio_page,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.studies import qualification, view
from clinicnum.ui.pages.studies.deadline import DeadlineHandlers, DeadlinePanel
from clinicnum.ui.pages.studies.new_study import NEW, NewStudyForm
from clinicnum.ui.pages.studies.rulings import RulingsHandlers, RulingsList
from clinicnum.ui.pages.studies.study_change_values import StudyChange

BOARD_OUTPUTS = 15 + qualification.OUTPUTS
"""Number of values that `StudiesHandlers.board` returns."""
PARTS = ("annotators", "guideline", "deadline", "design")
"""Ids of the tabs of one study, which an address may name."""


class StudiesHandlers:
    """The page's events; the authorization middleware has already checked the right.

    Not async, so that counting large studies runs in a worker thread. Each returns a message and the board.
    """

    def __init__(self, store: Store, after_closing: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.after_closing = after_closing
        self.rulings = RulingsHandlers(store)

    def load(self, request: gr.Request) -> Outputs:
        """Show all studies, and the study and tab that the address names; say if there is no such study."""
        part, asked = (request.query_params.get(name, "") for name in ("part", "study"))
        tabs = gr.Tabs(selected=part) if part in PARTS else gr.skip()
        board = self.board(asked)
        unknown = asked and board[1]["value"] is None
        return view.no_such_study(asked) if unknown else "", *board, tabs

    def show(self, study: object) -> Outputs:
        """Show the chosen study."""
        return "", *self.board(validated(StudyChange, study=study).required_name())

    def choose(self, selected: gr.SelectData) -> Outputs:
        """Show the study of the clicked row."""
        row = selected.row_value
        return self.show(row[0] if isinstance(row, list) and row else None)

    def pause(self, study: object, request: gr.Request) -> Outputs:
        """Pause a study: nobody can save judgements until it is reopened."""
        return self._switch(study_changes.pause_study, study, request, view.PAUSED)

    def reopen(self, study: object, request: gr.Request) -> Outputs:
        """Reopen a paused study; for a closed one, ask for confirmation first."""
        with self.store.reading() as session:
            progress = study_details(session, validated(StudyChange, study=study).required_name()).progress
        if progress.status == "closed":
            warning = view.warning_view(_("Reopen {name}?", name=progress.name), view.REOPEN)
            return "", *[gr.skip()] * BOARD_OUTPUTS, gr.update(visible=True), warning
        return *self.confirm_reopen(study, request), gr.update(visible=False), ""

    def confirm_reopen(self, study: object, request: gr.Request) -> Outputs:
        """Reopen a closed study after confirmation."""
        return self._switch(study_changes.reopen_study, study, request, view.REOPENED)

    def close(self, study: object) -> Outputs:
        """Ask for confirmation before closing a study, listing its unfinished work."""
        with self.store.reading() as session:
            progress = study_details(session, validated(StudyChange, study=study).required_name()).progress
        warning = view.warning_view(
            _("Close {name}?", name=progress.name), view.CLOSE, progress.closing_note()
        )
        return "", gr.update(visible=True), warning

    def confirm_close(self, study: object, request: gr.Request) -> Outputs:
        """Close a study after confirmation."""
        answer = self._switch(close_study, study, request, view.CLOSED)
        self.after_closing()
        return answer

    def _switch(
        self, switch: Callable[..., StudySummary], study: object, request: gr.Request, said: str
    ) -> Outputs:
        name = validated(StudyChange, study=study).required_name()
        with self.store.writing() as session:
            switch(session, name=name, actor=str(request.username))
        return success_message(_(said, name=name)), *self.board(name)

    def add_annotator(self, study: object, annotator: object, request: gr.Request) -> Outputs:
        """Add an annotator to a study."""
        change = validated(StudyChange, study=study, annotator=annotator)
        if not change.annotator:
            raise InputError("Choose an account to add.")
        with self.store.writing() as session:
            study_changes.add_annotator(
                session, name=change.required_name(), annotator=change.annotator, actor=str(request.username)
            )
        return success_message(_(view.ADDED, name=change.study)), *self.board(change.study)

    def save_guideline(self, study: object, text: object, rulings: object, request: gr.Request) -> Outputs:
        """Save a new version of a study's guideline, made with these rulings."""
        change = validated(StudyChange, study=study, text=text, rulings=rulings)
        with self.store.writing() as session:
            study_changes.change_guideline(
                session,
                name=change.required_name(),
                text=change.text,
                rulings=change.rulings.split(),
                actor=str(request.username),
            )
        shown = (*self.board(change.study), "", *self.rulings.values(change.study))
        return success_message(_(view.GUIDELINE_SAVED, name=change.study)), *shown

    def show_version(self, study: object, version: object) -> Outputs:
        """Show a version of a study's guideline."""
        return "", view.guideline_view(self._version(study, version))

    def copy_version(self, study: object, version: object) -> Outputs:
        """Copy a version's text into the editor as the start of a new version, made with no ruling."""
        return "", self._version(study, version), ""

    def _version(self, study: object, version: object) -> str:
        change = validated(StudyChange, study=study, version=version)
        with self.store.reading() as session:
            found = study_details(session, change.required_name()).guidelines
        text = next((one.text for one in found if one.version == change.version), None)
        if text is None:
            raise InputError("This study has no such version; choose one of the list.")
        return text

    def board(self, chosen: str | None) -> Outputs:
        """Values for the table, the dropdown, the chosen study, and the message if there is no study."""
        with self.store.reading() as session:
            studies = list_progress(session)
            known = chosen is not None and any(one.name == chosen for one in studies)
            people = users.list_users(session)
            details = study_details(session, str(chosen)) if known else None
            trained = trainees(session, name=str(chosen)) if known else ()
        some, names = bool(studies), [one.name for one in studies]
        table = gr.update(value=view.study_rows(studies), label=view.studies_label(studies), visible=some)
        choice = gr.update(choices=names, value=chosen if known else None, visible=some)
        if details is None:
            hidden, kept = gr.update(visible=False), [gr.skip()] * (BOARD_OUTPUTS - 4)
            return table, choice, hidden, *kept, "" if some else view.no_study()
        shown = *_details(details, people), *qualification.panel_values(trained)
        return table, choice, gr.update(visible=True), *shown, ""


def _details(details: StudyDetails, people: tuple[User, ...]) -> Outputs:
    status = details.progress.status
    editable = status != "closed"
    versions = [(view.version_label(one.version, one.created_at), one.version) for one in details.guidelines]
    addable = view.addable(details, people)
    latest = details.guidelines[0] if details.guidelines else None
    return (
        view.summary_view(details.progress),
        gr.update(visible=status == "open"),
        gr.update(visible=status != "open"),
        gr.update(visible=editable),
        view.annotator_rows(details),
        gr.update(choices=addable, value=None),
        gr.update(visible=editable and bool(addable)),
        gr.update(choices=versions, value=latest.version if latest else None),
        view.guideline_view(latest.text if latest else ""),
        view.design_rows(details),
        str(details.progress.deadline or ""),
    )


def build_studies(
    *, store: Store, uploads: Uploads, navbar: Navbar, after_closing: Callable[[], None], explorer: Explorer
) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `manage_studies`.

    `after_closing` is called after a study has been closed.
    """
    handlers = StudiesHandlers(store, after_closing)
    with gradio_page(_("Studies"), "/studies", navbar) as page, gr.Tabs() as tabs:
        with gr.Tab(_("Studies")):
            board = StudyBoard(handlers)
        with gr.Tab(_("New study"), id=NEW):
            form = NewStudyForm(store, explorer, uploads, tabs)
        board.listen(page)
        form.listen(page, lambda name: handlers.board(name), board.outputs)
    return page


class StudyBoard:
    """The table of studies, and the details and settings of the chosen one."""

    def __init__(self, handlers: StudiesHandlers) -> None:
        self.handlers = handlers
        self.status = status_line()
        self.nothing = gr.HTML(apply_default_css=False, padding=False)
        self.table = data_table(view.STUDY_COLUMNS, elem_id="studies", explains="study_progress")
        self.study = gr.Dropdown([], label=_("Study"), info=_(view.CHOOSE))
        with gr.Column(visible=False, elem_id="study") as self.details:
            self.summary = gr.HTML(apply_default_css=False)
            with gr.Row():
                self.pause = gr.Button(_("Pause"), min_width=120)
                self.reopen = gr.Button(_("Reopen"), min_width=120)
                self.close = gr.Button(_("Close"), min_width=120)
            self.closing = Confirmation(_("Close the study"), _("Leave it open"))
            self.reopening = Confirmation(_("Reopen the study"), _("Leave it closed"))
            with gr.Tabs() as self.parts:
                with gr.Tab(_("Annotators"), id="annotators"):
                    self.annotators = data_table(
                        view.ANNOTATOR_COLUMNS, label=_("Annotators"), explains="annotator_progress"
                    )
                    with gr.Row(visible=False) as self.adding:
                        self.annotator = gr.Dropdown([], label=_("Add an annotator"), info=_(view.ADD))
                        self.add = gr.Button(_("Add to the study"))
                    self.qualification = qualification.QualificationPanel()
                with gr.Tab(_("Guideline"), id="guideline"):
                    self.version = gr.Dropdown([], label=_("Version"))
                    self.guideline = gr.HTML(apply_default_css=False)
                    self.rulings = RulingsList(handlers.rulings)
                    self.text = gr.Textbox(
                        label=_("New version"), info=_(view.NEW_GUIDELINE), lines=6, max_length=50_000
                    )
                    with gr.Row():
                        self.copy = gr.Button(_("Start from the version shown"))
                        self.save = gr.Button(_("Save as a new version"), variant="primary")
                with gr.Tab(_("Deadline"), id="deadline"), gr.Row():
                    self.deadline = DeadlinePanel()
                with gr.Tab(_("Design"), id="design"):
                    self.design = data_table(view.DESIGN_COLUMNS, label=_("Design"), explains="study_design")
        self.outputs = [
            *(self.table, self.study, self.details, self.summary, self.pause, self.reopen, self.close),
            *(self.annotators, self.annotator, self.adding, self.version, self.guideline, self.design),
            *(self.deadline.day, *self.qualification.outputs, self.nothing),
        ]

    def listen(self, page: gr.Blocks) -> None:
        """Register the handlers."""
        on = partial(listen, status=self.status)
        handlers, study, board = self.handlers, self.study, self.outputs
        text = [self.text, self.rulings.drafted]
        on(page.load, handlers.load, outputs=[*board, self.parts])
        on(self.study.input, handlers.show, [study], board, trigger_mode=EVERY_TIME)
        on(self.table.select, handlers.choose, outputs=board, trigger_mode=EVERY_TIME)
        on(self.pause.click, handlers.pause, [study], board)
        self.reopening.focus_after(
            on(self.reopen.click, handlers.reopen, [study], [*board, *self.reopening.outputs])
        )
        self.reopening.on_confirm(on, handlers.confirm_reopen, [study], board)
        self.closing.focus_after(on(self.close.click, handlers.close, [study], self.closing.outputs))
        self.closing.on_confirm(on, handlers.confirm_close, [study], board)
        on(self.add.click, handlers.add_annotator, [study, self.annotator], board)
        on(
            self.version.input,
            handlers.show_version,
            [study, self.version],
            [self.guideline],
            trigger_mode=EVERY_TIME,
        )
        deciding = qualification.QualificationHandlers(handlers.store, handlers.board)
        self.qualification.listen(deciding, study, self.status, board)
        self.deadline.listen(DeadlineHandlers(handlers.store, handlers.board), study, self.status, board)
        on(self.copy.click, handlers.copy_version, [study, self.version], text)
        self.rulings.listen(self.study, self.text, self.status)
        on(
            self.save.click,
            handlers.save_guideline,
            [study, *text],
            [*board, self.text, *self.rulings.outputs],
        )
