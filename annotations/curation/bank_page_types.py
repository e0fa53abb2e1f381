"""Types for the bank page: search criteria, lists of template versions, and details of one version."""

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
    """Words that must each occur in the id, the tags or the wordings."""
    operation: Literal["", "retrieval", "arithmetic", "comparison", "aggregation"] = ""
    status: Standing = "standing"
    """A status, or `standing` for every status but retired."""
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
    """None for a version known only from a benchmark."""
    tags: tuple[str, ...]
    wording: str
    """The first wording; empty for a version known only from a benchmark."""
    health: Health | None
    """How the version does in benchmarks and studies; None until computed."""


class VersionPage(Frozen):
    """One page of a list of template versions."""

    found: int
    page: int
    """Page number from 1; the last page, if a later one was requested."""
    rows: tuple[VersionSummary, ...]


class VersionStep(Frozen):
    """One version in the history of a template."""

    version: int
    status: Status
    changed_at: UtcTime | None


class RoundLine(Frozen):
    """A review round of a template version."""

    round_id: str
    number: int
    status: str
    opened_at: UtcTime


class DraftLine(Frozen):
    """A draft for a template, in the list on the bank page."""

    draft_id: str
    status: str
    changed_at: UtcTime


class Origin(Frozen):
    """A failed answer from which a draft of this version was made."""

    study: str
    item: str
    """The id of the item on the pages of the study."""
    kind: str
    code: str | None
    """Taxonomy code of the failure that the draft should provoke."""


class StudyUse(Frozen):
    """A study that labelled instances of this version."""

    study: str
    labels: int


class VersionDetails(Frozen):
    """Everything the page shows about one version."""

    listed: VersionSummary
    template: Template | None
    """None for a version known only from a benchmark."""
    author: str | None
    changed_at: datetime | None
    versions: tuple[VersionStep, ...]
    """All versions of the template, the last first."""
    rounds: tuple[RoundLine, ...]
    drafts: tuple[DraftLine, ...]
    origins: tuple[Origin, ...]
    releases: tuple[str, ...]
    benchmarks: tuple[tuple[str, int], ...]
    """(benchmark, instances)."""
    uses: tuple[StudyUse, ...]
    runs: tuple[tuple[str, int, int], ...]
    """(model, number asked, number right); models of an open study are unnamed."""
