"""An answer that another program obtained, in the form that all importers yield."""

from dataclasses import dataclass
from typing import Literal

from clinicnum.imports.row_errors import Row

FinishReason = Literal["stop", "length", "error"]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The score stored with an answer in the imported file."""

    correct: bool
    parsed: str | None
    """What the source's scorer read from the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAnswer(Row):
    """One answer and the instance that it answers."""

    instance_id: str
    text: str
    finish_reason: FinishReason = "stop"
    """The reason why the text ended; `stop` if the source does not say."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_s: float | None = None
    thinking: str | None = None
    error: str | None = None
    stored: StoredResult | None = None
