"""Jobs of the worker process: kinds, arguments and progress. No database.

A job does what the command of the same name does, by the same functions.
"""

from typing import Any, Literal

from pydantic import Field

from clinicnum.annotations.types import UtcTime
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

JobStatus = Literal["queued", "running", "done", "failed", "cancelled"]
JOB_STATUSES: tuple[JobStatus, ...] = ("queued", "running", "done", "failed", "cancelled")
JobKind = Literal[
    "generate", "run", "score", "import_items", "import_generations", "lint", "report", "bundle"
]
JOB_KINDS: tuple[JobKind, ...] = (
    "generate",
    "run",
    "score",
    "import_items",
    "import_generations",
    "lint",
    "report",
    "bundle",
)
MODEL_KINDS: tuple[JobKind, ...] = ("run",)
"""Kinds that run a model, which takes a graphics card: one job of them runs at a time."""
OTHER_KINDS: tuple[JobKind, ...] = tuple(one for one in JOB_KINDS if one not in MODEL_KINDS)
"""The other kinds: one job of them runs at a time, beside one that runs a model."""


class GenerateArguments(Frozen):
    """Generate and store a benchmark; the fields are the options of `clinicnum generate` of the same name,
    and `release` and `name`.
    """

    source: str = "synthetic"
    path: str | None = None
    """Folder or file of records on the worker's machine; None: synthetic records."""
    columns: str = ""
    open_data: bool = False
    preset: str = "small"
    quota: str = ""
    representation: str = "all"
    scope: str | None = None
    bank: str = "base"
    release: str = ""
    """Name of a published release whose templates replace those of `bank`; empty for none."""
    variants: str = ""
    seed: int = 0
    name: str = ""
    """Display name of the benchmark; empty for none."""


KEY_NAME = "^[A-Z0-9_]*API_KEY$"
"""Allowed names of variables with a server's key; no other secret's name matches."""


MOST_SAMPLES = 100
"""Most runs in one job."""


class RunArguments(Frozen):
    """Run a model on a stored benchmark; its scores and suggestions follow."""

    benchmark_id: str
    client: Literal["local", "openai"] = "local"
    model: str
    """Model folder on the worker's machine, or the model's name on the server."""
    base_url: str | None = None
    api_key_env: str | None = Field(default=None, pattern=KEY_NAME)
    """Name of the worker's environment variable that holds the key, which is never stored; it must end in
    API_KEY, as a server of anybody's choice is sent its value."""
    max_new_tokens: int = Field(default=256, ge=1)
    limit: int | None = Field(default=None, ge=1)
    seed: int = 0
    temperature: float = 0.0
    samples: int = Field(default=1, ge=1, le=MOST_SAMPLES)
    """Answers drawn per question, each as a separate run."""
    dtype: str | None = None
    dry_run: bool = False
    """Only count tokens and estimate the time."""
    allow_remote: bool = False
    """Consent: credentialed data may leave this machine."""
    label: str = ""
    """Display name of the run; empty for none."""


class ScoreArguments(Frozen):
    """Score stored runs anew, with suggestions."""

    runs: tuple[str, ...]
    """Row ids."""


class ImportArguments(Frozen):
    """Store items or generations made elsewhere, from an uploaded file."""

    upload: str
    """Id of the uploaded file."""
    file_name: str
    format: str
    """A format of `clinicnum import`."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Our field -> column of the file."""
    benchmark_id: str | None = None
    """For generations: the stored benchmark that they answer."""
    model: str = ""
    """For generations: the model that answered."""
    own_prompts: bool = False
    """For generations: the model was sent the prompts that the instances name."""
    label: str = ""
    open_data: bool = False
    """For items: the data are open, so any server may get them."""
    variants: str = ""
    """For items: the variants to make of each, as `clinicnum import items --variants` takes them."""
    seed: int = 0
    """For items: decides what the variants change."""


class LintArguments(Frozen):
    """Check a stored benchmark by the rules of `clinicnum lint`."""

    benchmark_id: str


class ReportArguments(Frozen):
    """Build and freeze a report of one or several studies."""

    studies: tuple[str, ...]
    """Names."""
    title: str = ""
    consensus: str | None = None
    sections: tuple[str, ...] = ()
    """Ids of the sections to include; empty for all."""
    suppress_below: int | None = Field(default=None, ge=3)
    """N: hide counts of 1 to N - 1 and what reveals one; None: show all."""


class BundleArguments(Frozen):
    """Build the bundle of a study, which anyone can verify."""

    study: str
    allow_credentialed: bool = False
    """Consent: the bundle may hold credentialed records."""


ARGUMENTS: dict[JobKind, type[Frozen]] = {
    "generate": GenerateArguments,
    "run": RunArguments,
    "score": ScoreArguments,
    "import_items": ImportArguments,
    "import_generations": ImportArguments,
    "lint": LintArguments,
    "report": ReportArguments,
    "bundle": BundleArguments,
}


class Progress(Frozen):
    """How far a job has got."""

    done: int = 0
    total: int | None = None
    """None where it is not known beforehand."""
    unit: str = ""
    """What is counted, such as `generations`."""
    step: str = ""
    """What the job is doing now, such as `scoring`."""
    per_second: float | None = None
    seconds_left: float | None = None
    begun_again: int = 0
    """Restarts of the job in a row without progress."""


class JobSummary(Frozen):
    """A job in a list."""

    job_id: str
    kind: JobKind
    status: JobStatus
    arguments: dict[str, Any]
    requested_by: str
    """Name of the account."""
    created_at: UtcTime
    started_at: UtcTime | None
    ended_at: UtcTime | None
    attempt: int
    progress: Progress
    error: Translatable | None
    result: dict[str, Any] | None
    cancel_requested: bool = False
    alive: bool = True
    """False for a running job whose worker has not been heard from lately."""
