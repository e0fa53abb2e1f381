"""Jobs in words: title, next steps, status, progress. No Gradio, no database."""

from pathlib import PurePath
from typing import Any
from urllib.parse import urlencode

from clinicnum.annotations.worker_jobs import JobKind, JobStatus, JobSummary
from clinicnum.errors import one_line
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.language import _, ngettext
from clinicnum.ui.components.next_steps import Step

MINUTE, HOUR = 60, 3600
KIND_NAMES: dict[JobKind, str] = {
    "generate": Translatable("generate"),
    "run": Translatable("run a model"),
    "score": Translatable("score"),
    "import_items": Translatable("import items"),
    "import_generations": Translatable("import answers"),
    "lint": Translatable("check gold answers"),
    "report": Translatable("build a report"),
    "bundle": Translatable("build a bundle"),
}
STATUS_NAMES: dict[JobStatus, str] = {
    "queued": Translatable("waits"),
    "running": Translatable("runs"),
    "done": Translatable("done"),
    "failed": Translatable("failed"),
    "cancelled": Translatable("cancelled"),
}
WORKER_GONE = Translatable("its worker is gone; the next one takes over")
BEING_CANCELLED = Translatable("is being cancelled")
STEPS: dict[str, str] = {
    "generating": Translatable("generating"),
    "asking the model": Translatable("asking the model"),
    "scoring": Translatable("scoring"),
    "storing": Translatable("storing"),
    "reading": Translatable("reading"),
    "checking": Translatable("checking"),
    "building": Translatable("building"),
    "packing": Translatable("packing"),
}
"""Label of each `step` of a job's progress; a step without one is shown unchanged."""
COUNTED: dict[str, str] = {
    "generations": Translatable("{done} of {total} answers"),
    "questions": Translatable("{done} of {total} questions"),
    "instances": Translatable("{done} of {total} items"),
    "items": Translatable("{done} of {total} items"),
    "MB": Translatable("{done} of {total} MB"),
    "%": Translatable("{done} %"),
    "studies": Translatable("{done} of {total} studies"),
    "": Translatable("{done} of {total}"),
}
"""How far a job is, by the `unit` of its progress."""


def job_title(job: JobSummary) -> str:
    """What a job works on, as its title: a model, a file, a benchmark, studies."""
    asked: dict[str, Any] = job.arguments
    if job.kind == "generate":
        return asked["name"] or _("{preset} from {source}", preset=asked["preset"], source=asked["source"])
    if job.kind == "run":
        model = asked["label"] or PurePath(asked["model"]).name
        return _("{model}, estimate only", model=model) if asked["dry_run"] else model
    if job.kind == "score":
        return ngettext("{n} run", "{n} runs", len(asked["runs"]))
    if job.kind in ("import_items", "import_generations"):
        return str(asked["label"] or asked["file_name"])
    if job.kind == "lint":
        return str(asked["benchmark_id"])
    return str(asked.get("title") or ", ".join(asked.get("studies", ())) or asked.get("study", ""))


def job_steps(job: JobSummary) -> list[Step]:
    """Next steps with a job's result, as links."""
    result = job.result or {}
    steps = []
    if benchmark := result.get("benchmark"):
        asked = urlencode({"benchmark": benchmark})
        if job.kind in ("generate", "import_items"):
            steps.append((_("Launch a run on it"), f"/runs/?{asked}"))
        if job.kind == "import_items":
            steps.append((_("Upload answers to it"), f"/runs/?{asked}&tab=upload"))
        steps.append((_("Show the benchmark"), f"/benchmarks/?{asked}"))
    runs = result.get("runs", ())
    if len(runs) == 1:
        steps += [(_("Show the run"), f"/runs/?{urlencode({'run': runs[0]})}"), *run_steps(runs[0])]
    elif runs:
        steps.append((_("Show the runs"), f"/runs/?{urlencode({'run': runs[0]})}"))
    if report := result.get("report"):
        steps.append((_("Show the report"), f"/reports/?{urlencode({'report': report})}"))
    return steps


def job_error(job: JobSummary) -> str:
    """Why a job failed; empty if it did not."""
    return "" if job.error is None else one_line(_(job.error))


def would_fail_again(job: JobSummary) -> bool:
    """Whether an import failed by what its file holds, so that another try would end the same way."""
    name = job.arguments.get("file_name")
    return job.status == "failed" and bool(name) and (job.error or "").startswith(f"{name}:")


def run_steps(run: str) -> list[Step]:
    """What can be done next with a scored run, given by its row id."""
    return [
        (_("Look at its answers"), f"/explore/?{urlencode({'runs': run})}"),
        (_("Make a study of it"), f"/studies/?{urlencode({'run': run})}"),
    ]


def job_state(job: JobSummary) -> str:
    """A job's status in words; also that its worker is gone, or that it is being cancelled."""
    if job.status == "running" and not job.alive:
        return _(WORKER_GONE)
    if job.status == "running" and job.cancel_requested:
        return _(BEING_CANCELLED)
    return _(STATUS_NAMES[job.status])


def progress_words(job: JobSummary) -> str:
    """A running job's progress: step, number done and rate; empty if none is reported."""
    found = job.progress
    parts = [_(STEPS.get(found.step, found.step))]
    if (found.unit, found.total) == ("studies", 1):
        pass  # the step says it all
    elif found.total is not None:
        counted = COUNTED.get(found.unit, COUNTED[""])
        parts.append(_(counted, done=f"{found.done:,}", total=f"{found.total:,}"))
    elif found.done:
        parts.append(f"{found.done:,}")
    if found.per_second is not None and job.status == "running" and found.unit not in ("%", "MB"):
        parts.append(_rate(found.per_second))
    return ", ".join(part for part in parts if part)


def time_left(job: JobSummary) -> str:
    """About how long a running job will take; empty if that is not known."""
    seconds = job.progress.seconds_left
    if seconds is None or job.status != "running" or not job.alive:
        return ""
    return _("about {time} left", time=duration_words(seconds))


def duration_words(seconds: float) -> str:
    """A duration in words."""
    if seconds < MINUTE:
        return _("{n} s", n=max(1, round(seconds)))
    if seconds < HOUR:
        return _("{n} min", n=round(seconds / MINUTE))
    hours, minutes = divmod(round(seconds / MINUTE), MINUTE)
    return _("{hours} h {minutes} min", hours=hours, minutes=minutes)


def _rate(per_second: float) -> str:
    if per_second >= 1:
        return _("{n} a second", n=f"{per_second:,.1f}")
    return _("{n} a minute", n=f"{MINUTE * per_second:,.1f}")
