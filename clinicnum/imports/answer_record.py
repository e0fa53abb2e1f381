"""An answer made elsewhere, in the form all importers yield."""

from dataclasses import dataclass
from typing import Literal

from clinicnum.imports.rows import Row

FinishReason = Literal["stop", "length", "error"]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The score that the source stores with an answer."""

    correct: bool
    parsed: str | None
    """What its scorer read out of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAnswer(Row):
    """One answer and the instance that it answers."""

    instance_id: str
    text: str
    finish_reason: FinishReason = "stop"
    """`stop` too where the source does not say."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_s: float | None = None
    thinking: str | None = None
    error: str | None = None
    stored: StoredResult | None = None
