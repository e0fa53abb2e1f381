"""The function of each kind of job; see the docstring of this folder for how to add one."""

from collections.abc import Callable
from typing import Any

from clinicnum.annotations.worker_jobs import JobKind
from clinicnum.scripts.commands.jobs.bundle import bundle
from clinicnum.scripts.commands.jobs.generate import generate
from clinicnum.scripts.commands.jobs.import_generations import import_generations
from clinicnum.scripts.commands.jobs.import_items import import_items
from clinicnum.scripts.commands.jobs.job_context import JobContext
from clinicnum.scripts.commands.jobs.lint import lint
from clinicnum.scripts.commands.jobs.report import report
from clinicnum.scripts.commands.jobs.run_model import run_model
from clinicnum.scripts.commands.jobs.score import score

KINDS: dict[JobKind, Callable[[JobContext, Any], dict[str, Any]]] = {
    "generate": generate,
    "import_items": import_items,
    "import_generations": import_generations,
    "lint": lint,
    "run": run_model,
    "score": score,
    "report": report,
    "bundle": bundle,
}
