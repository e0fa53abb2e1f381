"""The manifest of a release, and the hash that covers all of it."""

import hashlib
import json
from typing import Any, Literal

from pydantic import Field

from clinicnum.templates.template import Status, Template
from clinicnum.types import Frozen

MANIFEST, CHANGELOG, DATACARD = "MANIFEST.json", "CHANGELOG.md", "DATACARD.md"
VALIDATION, CITATION = "validation.json", "CITATION.cff"
KIND = "clinicnum-bank-release"
FORMAT = 1
NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"


class Origin(Frozen):
    """The generation whose failure a template came from."""

    study: str
    """The study's name."""
    generation: str
    """The generation's id, as its file gives it."""
    kind: Literal["failure", "contest", "cluster"]
    contest: str | None = None
    """Id of the contest that was upheld, where one was."""

    def __str__(self) -> str:
        contest = f", contest {self.contest}" if self.contest else ""
        return f"study {self.study}, generation {self.generation}{contest}"


class ScaleEvidence(Frozen):
    """How experts rated a template on one scale in one round of review."""

    agreeing: int = Field(ge=0)
    """Experts who rated 3 or 4."""
    i_cvi: float = Field(ge=0, le=1)
    """Item content validity index: `agreeing` over the experts."""
    modified_kappa: float | None
    """I-CVI corrected for agreement by chance; None where it is not defined."""


class Evidence(Frozen):
    """Why a template counts as validated: counts and indices, no names."""

    round: int = Field(ge=1)
    experts: int = Field(ge=1)
    scales: dict[str, ScaleEvidence]
    s_cvi_ave: float | None
    """Mean I-CVI over the scales that count."""
    agreement: dict[str, float | None] = Field(default_factory=dict)
    """Agreement between the experts, by coefficient; None where a coefficient is undefined."""
    worked: int = Field(ge=0)
    """Instances that experts solved without seeing the gold."""
    worked_matched: int = Field(ge=0)
    """How many of their answers are the gold."""
    trial: dict[str, int] = Field(default_factory=dict)
    """Representation -> sampled instances that kept all validity rules."""
    reviewed: str
    """SHA-256 of the template as the experts were shown it, without its status."""


class Entry(Frozen):
    """One template of a release."""

    id: str
    version: int
    status: Status
    file: str
    sha256: str
    """SHA-256 of the template's content, without its status."""
    reviewed_by: int = 0
    """Number of experts in the round that accepted the template; 0 if it was not reviewed."""
    origins: tuple[Origin, ...] = ()


class FileHash(Frozen):
    """The hash of a published file."""

    bytes: int
    sha256: str


class PreviousRelease(Frozen):
    """The release with which the changelog compares."""

    name: str
    sha256: str


class Manifest(Frozen):
    """The manifest of a release. `sha256` covers all other fields, and through them every file."""

    kind: Literal["clinicnum-bank-release"] = "clinicnum-bank-release"
    format: Literal[1] = 1
    name: str = Field(pattern=NAME_PATTERN)
    date: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    """The date given by whoever made the release; None makes a release that does not depend on the day."""
    clinicnum_version: str
    bank_sha256: str
    """The hash by which a benchmark names the bank that it was made from."""
    before: PreviousRelease | None
    templates: tuple[Entry, ...]
    files: dict[str, FileHash]
    sha256: str = ""

    def sealed(self) -> "Manifest":
        """The manifest with its hash filled in."""
        said = json.dumps(
            self.model_dump(mode="json", exclude={"sha256"}),
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
        )
        return self.model_copy(update={"sha256": hashlib.sha256(said.encode()).hexdigest()})

    def text(self) -> str:
        """The manifest as the text of its file."""
        return json_text(self.model_dump(mode="json"))


class Release(Frozen):
    """A release that passed the check."""

    manifest: Manifest
    templates: tuple[Template, ...]
    evidence: dict[str, Evidence]
    """Template id -> evidence, for the templates that were reviewed."""
    files: dict[str, str]
    """File name -> content."""

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def sha256(self) -> str:
        return self.manifest.sha256


class ReleaseFault(Frozen):
    """A fault in one file of a release."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


def json_text(content: Any) -> str:
    """JSON as written in the files of a release: the same content always gives the same text."""
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def content_sha256(template: Template) -> str:
    """SHA-256 of a template's content, without its status."""
    said = template.model_dump(mode="json", exclude={"status"})
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_text(text: str) -> str:
    """SHA-256 of a text as UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
