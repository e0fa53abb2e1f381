"""What the bank page asks for and receives."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from clinicnum.annotations.curation.template_health import Health
from clinicnum.annotations.types import UtcTime
from clinicnum.templates.template import Status, Template
from clinicnum.types import Frozen

PAGE = 50
Standing = Literal["standing", "draft", "in_review", "unreviewed", "validated", "retired"]
Sort = Literal["id", "accuracy", "contests", "discrimination", "instances", "changed"]


def _without_nul(value: object) -> object:
    """The value without NUL characters, which PostgreSQL does not store in text."""
    return value.replace("\0", " ") if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_without_nul), Field(max_length=200)]


class VersionSearch(Frozen):
    """Search criteria for the list of versions; each one narrows it."""

    text: Text = ""
    """Words that id, tags or wordings hold, each somewhere."""
    operation: Literal["", "retrieval", "arithmetic", "comparison", "aggregation"] = ""
    status: Standing = "standing"
    """`standing`: all but the retired."""
    tag: Text = ""
    contested: bool = False
    hard: bool = False
    sort: Sort = "id"
    page: int = Field(default=1, ge=1, le=100_000)


class VersionSummary(Frozen):
    """One template version in a list."""

    template_id: str
    version: int
    status: Status
    operation: str | None
    """None for one known from a benchmark only."""
    tags: tuple[str, ...]
    wording: str
    """The first; empty for one known from a benchmark only."""
    health: Health | None
    """None as long as nothing was counted."""


class VersionPage(Frozen):
    """One page of a list of template versions."""

    found: int
    page: int
    """From 1; the last one there is, if a later one was asked for."""
    rows: tuple[VersionSummary, ...]


class VersionStep(Frozen):
    """Another version of the same template."""

    version: int
    status: Status
    changed_at: UtcTime | None


class RoundLine(Frozen):
    """A review round of the version."""

    round_id: str
    number: int
    status: str
    opened_at: UtcTime


class DraftLine(Frozen):
    """A draft for this template."""

    draft_id: str
    status: str
    changed_at: UtcTime


class Origin(Frozen):
    """A failed answer from which a draft of this version was made."""

    study: str
    item: str
    """What pages call it in the study."""
    kind: str
    code: str | None
    """What the draft should provoke."""


class StudyUse(Frozen):
    """A study that labelled instances of this version."""

    study: str
    labels: int


class VersionDetails(Frozen):
    """Everything the page shows about one version."""

    listed: VersionSummary
    template: Template | None
    """None for one known from a benchmark only."""
    author: str | None
    changed_at: datetime | None
    versions: tuple[VersionStep, ...]
    """Of the template, the last first."""
    rounds: tuple[RoundLine, ...]
    drafts: tuple[DraftLine, ...]
    origins: tuple[Origin, ...]
    releases: tuple[str, ...]
    benchmarks: tuple[tuple[str, int], ...]
    """(benchmark, instances)."""
    uses: tuple[StudyUse, ...]
    runs: tuple[tuple[str, int, int], ...]
    """(model, asked, right); a model of an open study has no name."""
