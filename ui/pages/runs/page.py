"""The runs page: what models answered, how well and how it was made; compare, launch and upload runs."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.run_names import LONGEST_LABEL, display_names
from clinicnum.db.database_sessions import Store
from clinicnum.db.upload_storage import Uploads
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.runs.launch_run import runnable_benchmarks
from clinicnum.db.work.runs.run_names import label_run, run_names
from clinicnum.db.work.runs.run_overview import RunOverview, run_details
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import (
    EVERY_TIME,
    Outputs,
    data_table,
    gradio_page,
    keep_view_in_url,
    listen,
    status_line,
    success_message,
    validated,
)
from clinicnum.ui.components.job_wording import run_steps
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.components.next_steps import steps_view
from clinicnum.ui.pages.runs import details_view, view
from clinicnum.ui.pages.runs.compare_runs_tab import CompareHandlers, ComparePanel
from clinicnum.ui.pages.runs.job_result import JobResult
from clinicnum.ui.pages.runs.launch_run_tab import LaunchForm, LaunchHandlers, Models
from clinicnum.ui.pages.runs.upload_answers_tab import UploadForm, UploadHandlers


class RunChoice(Frozen):
    """A run's row id, or its name in the table, and its new label."""

    run: str = Field(default="", max_length=200)
    name: str = ""
    label: str = Field(default="", max_length=1_000)


class RunsHandlers:
    """The events of the list. Not async, so that long computations run in a worker thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.overview = RunOverview()

    def load(self, request: gr.Request) -> Outputs:
        """Show all runs, and the details of one: the run in the address, else the newest."""
        asked = str(request.query_params.get("run", ""))
        _hint, _table, choice, *_details = board = self.board(str(request.username), asked)
        return view.no_such_run(asked, choice["value"]) if asked else "", *board

    def again(self, run: object, request: gr.Request) -> Outputs:
        """Refresh the list after a job stored a run; keep the chosen run and a name being typed."""
        chosen = validated(RunChoice, run=run).run
        hint, table, choice, visible, steps, label, *rest = self.board(str(request.username), chosen)
        return "", hint, table, choice, visible, steps, gr.skip() if chosen else label, *rest

    def show(self, run: object, request: gr.Request) -> Outputs:
        """Show the chosen run."""
        return "", *self.details(str(request.username), validated(RunChoice, run=run).run)

    def choose(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Select the run of the clicked row and show it."""
        row = selected.row_value
        name = validated(RunChoice, name=row[0] if isinstance(row, list) and row else None).name
        with self.store.reading() as session:
            names = run_names(session)
        run = next((one for one, known in names.items() if known == name), None)
        if run is None:
            raise InputError(Translatable("There is no such run any more; reload the page."))
        return "", run, *self.details(str(request.username), run)

    def rename(self, run: object, label: object, request: gr.Request) -> Outputs:
        """Rename the chosen run; an empty name removes its name."""
        given, user_id = validated(RunChoice, run=run, label=label), str(request.username)
        with self.store.writing() as session:
            now = label_run(session, run=given.run, label=given.label, actor=user_id)
        said = (
            _("The run is called {name} now.", name=now) if now else _("The run has no name of its own now.")
        )
        return success_message(said), *self.board(user_id, given.run)

    def board(self, user_id: str, chosen: str | None) -> Outputs:
        """Values for the list, the choice of a run, and the details of the chosen one."""
        with self.store.reading() as session:
            found = self.overview.runs(session, user_id=user_id)
            benchmarks = {one.benchmark_id: one.name for one in runnable_benchmarks(session, user_id=user_id)}
        rows = view.run_rows(found, benchmarks)
        table = gr.update(value=rows, label=view.runs_label(rows), visible=bool(rows))
        hint = _(view.HOW) if found else _(view.NO_RUN)
        if not found:
            hidden = gr.update(visible=False)
            return hint, table, gr.update(choices=[], value=None, visible=False), hidden, *[gr.skip()] * 5
        names = display_names([one for one, _total in found])
        run = chosen if chosen in names else found[0][0].run
        choice = gr.update(choices=[(name, key) for key, name in names.items()], value=run, visible=True)
        return hint, table, choice, *self.details(user_id, run)

    def details(self, user_id: str, run: str) -> Outputs:
        """Values for a run's details: visible, next steps, label, accuracy with notes, how it was made."""
        with self.store.reading() as session:
            found = run_details(session, user_id=user_id, run=run)
            names = run_names(session)
            accuracy = stored_runs.run_accuracy(session, run=run)
        rows, label = view.accuracy_rows(accuracy), _("Accuracy of {run}", run=names[run])
        return (
            gr.update(visible=True),
            steps_view(run_steps(run)),
            found.summary.label or "",
            gr.update(value=rows, label=label, visible=bool(rows)),
            view.accuracy_notes(accuracy, found.summary),
            details_view.detail_rows(found.summary, found.meta),
        )


class RunBoard:
    """The table of runs, and the chosen one."""

    def __init__(self, handlers: RunsHandlers) -> None:
        self.handlers = handlers
        self.status = status_line()
        self.hint = gr.Markdown(elem_classes="cn-hint")
        self.table = data_table(
            view.COLUMNS, column_widths=view.WIDTHS, visible=False, elem_id="runs", explains="runs"
        )
        self.run = gr.Dropdown([], label=_("Run"), info=_(view.CHOOSE), visible=False)
        with gr.Column(visible=False) as self.details:
            self.next = gr.HTML(padding=False, apply_default_css=False)
            self.accuracy = data_table(
                view.ACCURACY_COLUMNS, max_height=700, elem_id="accuracy", explains="accuracy"
            )
            self.notes = gr.Markdown(elem_classes="cn-hint")
            with gr.Accordion(_("Name of the run"), open=False):
                self.label = gr.Textbox(
                    label=_("Name"), info=_(view.NAME), max_length=LONGEST_LABEL, elem_id="run-name"
                )
                self.rename = gr.Button(_("Save the name"), min_width=120)
            with gr.Accordion(_("How it was made"), open=False):
                self.made = data_table(
                    details_view.DETAIL_COLUMNS,
                    label=_("How it was made"),
                    elem_id="made",
                    column_widths=("30%", "70%"),
                    explains=None,
                )
        self.shown = [self.details, self.next, self.label, self.accuracy, self.notes, self.made]
        self.outputs = [self.hint, self.table, self.run, *self.shown]

    def listen(self, page: gr.Blocks) -> None:
        """Register the handlers."""
        on, handlers, run = partial(listen, status=self.status), self.handlers, self.run
        on(page.load, handlers.load, outputs=self.outputs)
        view_in_url: dict[str, Any] = {"js": keep_view_in_url(["run"]), "trigger_mode": EVERY_TIME}
        on(run.input, handlers.show, [run], self.shown, **view_in_url)
        on(self.table.select, handlers.choose, outputs=[run, *self.shown], trigger_mode=EVERY_TIME)
        renamed = partial(gr.on, [self.rename.click, self.label.submit])
        on(renamed, handlers.rename, [run, self.label], self.outputs)

    def refresh_after(self, trigger: Callable[..., Any]) -> None:
        """Reload the list when `trigger` fires."""
        listen(trigger, self.handlers.again, [self.run], self.outputs, status=self.status)


def build_runs(*, store: Store, uploads: Uploads, navbar: Navbar, models: Models) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `evaluate`.

    `uploads` keeps uploaded files; `models` returns the models on this machine that can be launched, as
    (name, path).
    """
    handlers = RunsHandlers(store)
    with gradio_page(_("Runs"), "/runs", navbar) as page:
        job = JobResult(store)
        with gr.Tabs() as tabs:
            with gr.Tab(_("Runs"), id="runs"):
                board = RunBoard(handlers)
            with gr.Tab(_("Compare"), id="compare") as compare_tab:
                comparing = ComparePanel()
            with gr.Tab(_("Launch"), id="launch"):
                launching = LaunchForm(tabs)
            with gr.Tab(_("Upload"), id="upload"):
                uploading = UploadForm(uploads, tabs)
        board.listen(page)
        comparing.listen(CompareHandlers(store), compare_tab)
        launching.listen(LaunchHandlers(store, models), page, job.outputs)
        uploading.listen(UploadHandlers(store, uploads), page, job.outputs)
        job.listen()
        board.refresh_after(job.progress.finished.change)
    return page
