"""A line below a form that shows the progress of the job it started, until the job ends."""

from collections.abc import Callable
from typing import Any

import gradio as gr
from markupsafe import Markup
from pydantic import Field

from clinicnum.annotations.worker_jobs import JobSummary
from clinicnum.db.database_sessions import Store
from clinicnum.db.work.jobs.job_store import get_job
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import Outputs, bring_into_view, validated
from clinicnum.ui.components.html import capitalized, note
from clinicnum.ui.components.job_wording import job_error, job_state, job_steps, progress_words, time_left
from clinicnum.ui.components.language import _
from clinicnum.ui.components.next_steps import success_with_steps

LOOK_S = 1.5
LINE = "job-line"
"""Id of the element that shows a job's progress."""
UNFINISHED = ("queued", "running")
QUEUED = Translatable("It waits for the worker.")
SILENT = Translatable("Its worker is gone; the next one takes over.")
CANCELLED = Translatable("The job was cancelled.")
STARTING = Translatable("It is being started.")


class WatchedJob(Frozen):
    """The job that the page watches."""

    job: str = Field(min_length=1, max_length=64)


class JobProgress:
    """The line, with a timer that runs only while there is a job to watch.

    A handler that has queued a job returns `watch(job_id)` for `outputs`. When the job is done, `finished`
    takes its id, so that a page can listen for `finished.change` and show what was made.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.job = gr.Textbox(visible="hidden")
        self.line = gr.HTML("", padding=False, apply_default_css=False, elem_id=LINE)
        self.finished = gr.Textbox(visible="hidden")
        self.timer = gr.Timer(LOOK_S, active=False)
        self.outputs = [self.job, self.line, self.timer]

    def listen(self, on: Callable[..., Any]) -> None:
        """Register the timer's event; `on` is the page's `listen`."""
        on(
            self.timer.tick,
            self.look,
            [self.job],
            [self.line, self.finished, self.timer],
            show_progress="hidden",
        )

    def look(self, job: object, request: gr.Request) -> Outputs:
        """Values for the line: how far the job is; stops the timer once it has ended."""
        with self.store.reading() as session:
            found = get_job(session, user_id=str(request.username), job_id=validated(WatchedJob, job=job).job)
        finished = found.job_id if found.status == "done" else gr.skip()
        return "", job_line(found), finished, gr.update(active=found.status in UNFINISHED)


def in_sight(event: Any) -> None:
    """Scroll the line into view after an event that has queued a job."""
    bring_into_view(event, LINE)


def watch(job_id: str) -> Outputs:
    """Values for `JobProgress.outputs` that begin to watch a job."""
    return job_id, _line(_(QUEUED), job_id), gr.update(active=True)


def unwatched() -> Outputs:
    """Values for `JobProgress.outputs` that leave them as they are, as no job was queued."""
    return (gr.skip(),) * 3


def job_line(job: JobSummary) -> str:
    """How far a job is, or how it ended, as HTML with a link to the page Jobs."""
    if job.status == "failed":
        return _line(_("It failed: {error}", error=job_error(job)), job.job_id, "bad")
    if job.status == "done":
        return success_with_steps(_line_text(_("Done."), job.job_id), job_steps(job))
    if job.status == "cancelled":
        return _line(_(CANCELLED), job.job_id, "warn")
    if job.status == "queued":
        return _line(_(QUEUED), job.job_id)
    if not job.alive:
        return _line(_(SILENT), job.job_id, "warn")
    if job.cancel_requested:
        return _line(job_state(job), job.job_id)
    return _line(", ".join(filter(None, (progress_words(job), time_left(job)))) or _(STARTING), job.job_id)


def _line(text: str, job_id: str, tone: str = "") -> str:
    return str(note(_line_text(text, job_id), tone))


def _line_text(text: str, job_id: str) -> Markup:
    return Markup('{} <a href="/jobs?job={}">{}</a>').format(capitalized(text), job_id, _("Show the job"))
