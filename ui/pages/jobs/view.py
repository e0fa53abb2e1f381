"""Jobs as rows of a table, and one job in detail. No Gradio, no database."""

from collections.abc import Sequence

from markupsafe import Markup

from clinicnum.annotations.worker_jobs import JobSummary
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.html import MISSING, framed, note
from clinicnum.ui.components.job_wording import (
    KIND_NAMES,
    duration_words,
    job_error,
    job_state,
    job_steps,
    job_title,
    progress_words,
    time_left,
)
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.markdown_links import bullets, escape_markdown, link
from clinicnum.ui.components.value_display_names import STATUS_NAMES

ABOUT = Translatable(
    "What was asked of the worker: to generate benchmarks, run models, import, build reports. One run of a "
    "model goes on at a time, and one other job beside it."
)
NO_JOB = Translatable("Nobody has asked for a job yet. Ask for one on the page Benchmarks or Runs.")
NO_WORKER = Translatable(
    "Jobs wait, but no worker has been heard from lately. Ask whoever runs the server to start one:"
)
CHOOSE = Translatable("It is shown below. Or click its row in the table.")
COMMAND = "clinicnum worker"
COLUMNS = (
    Translatable("Job"),
    Translatable("State"),
    Translatable("Progress"),
    Translatable("Time left"),
    Translatable("By"),
    Translatable("Asked for, UTC"),
    Translatable("ID"),
)
WIDTHS: list[str | int] = ["200px", "140px", "260px", "140px", "130px", "150px", "170px"]
COUNTS = {
    "instances": Translatable("Items: {n}."),
    "findings": Translatable("Findings: {n}."),
}
"""Key of a count in a job's result -> its text on the page."""
TIME_FORMAT = "%Y-%m-%d %H:%M"


def rows(jobs: Sequence[JobSummary]) -> list[list[str]]:
    """Rows for COLUMNS, one a job."""
    return [
        [
            _name(one),
            job_state(one),
            "" if one.status == "done" else progress_words(one),
            time_left(one),
            one.requested_by,
            one.created_at.strftime(TIME_FORMAT),
            one.job_id,
        ]
        for one in jobs
    ]


def choices(jobs: Sequence[JobSummary]) -> list[tuple[str, str]]:
    """(label, id) of each job."""
    return [
        (_("{job}, {time} UTC", job=_name(one), time=one.created_at.strftime(TIME_FORMAT)), one.job_id)
        for one in jobs
    ]


def _name(job: JobSummary) -> str:
    return f"{_(KIND_NAMES[job.kind])}: {job_title(job)}"


def table_label(jobs: Sequence[JobSummary]) -> str:
    """The heading of the table."""
    return ngettext("{n} job", "{n} jobs", len(jobs))


def notices(jobs: Sequence[JobSummary], *, no_worker: bool) -> str:
    """As HTML, a notice that there is no worker, or else that there is no job; empty if there are a worker
    and a job.
    """
    if no_worker:
        command = Markup("{} <code>{}</code>").format(_(NO_WORKER), COMMAND)
        return str(note(command, "warn"))
    return "" if jobs else str(note(_(NO_JOB)))


def details(job: JobSummary) -> str:
    """One job: a bar, how far it is, and what went wrong, as HTML."""
    found = job.progress
    name = _name(job)
    parts = [Markup("<h2>{}</h2>").format(name[:1].upper() + name[1:])]
    unfinished = job.status in ("queued", "running")
    if job.status == "running" and found.total:
        bar = Markup('<progress class="cn-progress" max="{}" value="{}" aria-label="{}"></progress>')
        parts.append(bar.format(found.total, found.done, _("Progress")))
    state = [job_state(job), progress_words(job) if unfinished else "", time_left(job)]
    parts.append(Markup("<p>{}</p>").format(" · ".join(one for one in state if one)))
    if job.error:
        parts.append(note(_("It failed: {error}", error=job_error(job)), "bad"))
    parts.append(Markup("<p class='cn-muted'>{}</p>").format(_times(job)))
    return framed(Markup("").join(parts))


def _times(job: JobSummary) -> str:
    said = [_("Asked for by {name} at {time} UTC", name=job.requested_by, time=_time(job.created_at))]
    if job.started_at is not None:
        said.append(_("begun at {time}", time=_time(job.started_at)))
    if job.ended_at is not None:
        said.append(_("ended at {time}", time=_time(job.ended_at)))
    if job.started_at is not None and job.ended_at is not None and job.ended_at > job.started_at:
        taken = (job.ended_at - job.started_at).total_seconds()
        said.append(_("took {time}", time=duration_words(taken)))
    if job.attempt > 1:
        said.append(_("attempt {n}", n=job.attempt))
    return ", ".join(said)


def _time(at: object) -> str:
    return MISSING if at is None else f"{at:{TIME_FORMAT}}"


def made(job: JobSummary) -> str:
    """Links to what the job made, and what it counted, as Markdown."""
    result = job.result or {}
    lines = [_(text, n=f"{result[entry]:,}") for entry, text in COUNTS.items() if entry in result]
    scored = {"correct": 0, **result["statuses"]} if result.get("statuses") else {}
    statuses = [f"{n:,} {_(STATUS_NAMES[one])}" for one, n in scored.items()]
    lines += [_("Answers: {statuses}.", statuses=", ".join(statuses))] if statuses else []
    lines += [link(text, path) for text, path in job_steps(job)]
    if estimate := result.get("estimate"):
        lines.append(bullets(escape_markdown(str(one)) for one in estimate))
    return "\n\n".join(lines)
