"""The jobs page: what the worker does, one job with its log, cancel and try again; it stays current."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import gradio as gr
from pydantic import Field

from clinicnum.annotations.worker_jobs import JobSummary
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.jobs import job_store
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
from clinicnum.ui.components.job_wording import would_fail_again
from clinicnum.ui.components.language import _
from clinicnum.ui.components.navbar import Navbar
from clinicnum.ui.pages.jobs import view

BUSY_S, IDLE_S = 2, 15
"""Seconds between refreshes while a job is unfinished, and otherwise."""
SHOWN = 10
"""How many outputs the events have beside the status line."""
CANCELLED = Translatable("The job is cancelled. What it had stays for another try.")
BEING_CANCELLED = Translatable("The job is being cancelled.")
AGAIN = Translatable("The job waits for the worker again, and goes on from what it had.")


class JobChoice(Frozen):
    """A job's id, and a digest of what the page shows."""

    job: str = Field(default="", max_length=64)
    seen: str = Field(default="", max_length=64)


class JobsHandlers:
    """The page's events."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def load(self, request: gr.Request) -> Outputs:
        """Show all jobs, and the one in the address, else the newest."""
        asked = str(request.query_params.get("job", ""))
        return "", *self._shown(str(request.username), validated(JobChoice, job=asked).job)

    def show(self, job: object, request: gr.Request) -> Outputs:
        """Show the chosen job."""
        return "", *self._shown(str(request.username), validated(JobChoice, job=job).job)

    def choose(self, selected: gr.SelectData, request: gr.Request) -> Outputs:
        """Show the job of the clicked row."""
        row = selected.row_value
        key = row[-1] if isinstance(row, list) and row else ""
        return "", *self._shown(str(request.username), validated(JobChoice, job=key).job)

    def look(self, job: object, seen: object, request: gr.Request) -> Outputs:
        """Refresh the page; leave it unchanged if nothing has changed."""
        asked = validated(JobChoice, job=job, seen=seen)
        if not asked.seen:  # the page is still being loaded, with the job in its address
            return (gr.skip(),) * (1 + SHOWN)
        shown = self._shown(str(request.username), asked.job)
        return gr.skip(), *((gr.skip(),) * SHOWN if shown[-1] == asked.seen else shown)

    def cancel(self, job: object, request: gr.Request) -> Outputs:
        """Cancel the job."""
        user_id, asked = str(request.username), validated(JobChoice, job=job)
        with self.store.writing() as session:
            status = job_store.cancel_job(session, user_id=user_id, job_id=asked.job)
        said = success_message(_(CANCELLED) if status == "cancelled" else _(BEING_CANCELLED))
        return said, *self._shown(user_id, asked.job)

    def retry(self, job: object, request: gr.Request) -> Outputs:
        """Try the job again."""
        user_id, asked = str(request.username), validated(JobChoice, job=job)
        with self.store.writing() as session:
            job_store.retry_job(session, user_id=user_id, job_id=asked.job)
        return success_message(_(AGAIN)), *self._shown(user_id, asked.job)

    def _shown(self, user_id: str, asked: str) -> Outputs:
        """Values for notices, table, list, details, links, log, buttons, timer, and a digest of them."""
        with self.store.reading() as session:
            jobs = job_store.list_jobs(session, user_id=user_id)
            no_worker = job_store.waiting_without_worker(session)
            ids = [one.job_id for one in jobs]
            chosen = jobs[ids.index(asked)] if asked in ids else next(iter(jobs), None)
            log = job_store.job_log(session, user_id=user_id, job_id=chosen.job_id) if chosen else ""
        notices, rows = view.notices(jobs, no_worker=no_worker), view.rows(jobs)
        unfinished = any(one.status in ("queued", "running") for one in jobs)
        table = gr.update(value=rows, label=view.table_label(jobs), visible=bool(jobs))
        choice = gr.update(
            choices=view.choices(jobs), value=chosen.job_id if chosen else None, visible=bool(jobs)
        )
        one = _details(chosen, log)
        digest = sha256(repr((notices, rows, one)).encode()).hexdigest()
        return notices, table, choice, *one, gr.update(value=BUSY_S if unfinished else IDLE_S), digest


def _details(job: JobSummary | None, log: str) -> Outputs:
    if job is None:
        return "", "", gr.update(visible=False), gr.update(visible=False), gr.update(visible=False)
    cancels = job.status in ("queued", "running") and not job.cancel_requested
    return (
        view.details(job),
        view.made(job),
        gr.update(value=log, visible=bool(log)),
        gr.update(visible=cancels),
        gr.update(visible=job.status in ("failed", "cancelled") and not would_fail_again(job)),
    )


def build_jobs(*, store: Store, navbar: Navbar) -> gr.Blocks:
    """Build the page; the caller mounts it for users who have the permission `evaluate`."""
    handlers = JobsHandlers(store)
    with gradio_page(_("Jobs"), "/jobs", navbar) as page:
        gr.Markdown(_(view.ABOUT), elem_classes="cn-hint")
        notices = gr.HTML("", padding=False, apply_default_css=False)
        status = status_line()
        table = data_table(
            view.COLUMNS, column_widths=view.WIDTHS, visible=False, elem_id="jobs", explains=None
        )
        job = gr.Dropdown([], label=_("Job"), info=_(view.CHOOSE), visible=False)
        details = gr.HTML("", padding=False, apply_default_css=False)
        made = gr.Markdown("")
        with gr.Row():
            cancel = gr.Button(_("Cancel"), visible=False, scale=0, min_width=160)
            retry = gr.Button(_("Try again"), variant="primary", visible=False, scale=0, min_width=160)
        log = gr.Textbox(
            label=_("The end of its log"), lines=4, max_lines=16, interactive=False, visible=False
        )
        seen = gr.Textbox(visible="hidden")
        timer = gr.Timer(BUSY_S)
        shown = [notices, table, job, details, made, log, cancel, retry, timer, seen]
        on: Callable[..., Any] = partial(listen, status=status, outputs=shown)
        on(page.load, handlers.load)
        on(job.input, handlers.show, [job], js=keep_view_in_url(["job"]), trigger_mode=EVERY_TIME)
        on(table.select, handlers.choose, trigger_mode=EVERY_TIME)
        on(timer.tick, handlers.look, [job, seen], show_progress="hidden")
        on(cancel.click, handlers.cancel, [job])
        on(retry.click, handlers.retry, [job])
    return page
