"""What the annotate page sends: parsed once, here, before anything is done with it."""

from typing import Annotated, Literal

from pydantic import Field, ValidationError

from clinicnum.annotations.judgement import (
    MOST_EVIDENCE,
    MOST_LABELS,
    ItemJudgement,
    Judgement,
    ResponseJudgement,
    Severity,
)
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.types import Cell, Frozen

DAY_MS = 24 * 3600 * 1000
MOST_REVISIONS = 1_000_000
MOST_CHARACTERS = 10_000_000
Code = Annotated[str, Field(max_length=80)]
Offset = Annotated[int, Field(ge=0, le=MOST_CHARACTERS)]
Id = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]


class Form(Frozen):
    """What the page holds while an item is in work; kept as the draft, whole or half chosen."""

    item_judgement: ItemJudgement = "valid"
    proposed_gold: str = Field(default="", max_length=200)
    response_judgement: ResponseJudgement | None = None
    primary: Code | None = None
    spans: tuple[tuple[Offset, Offset], ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Evidence in the text, for the primary label: offsets in code points, as Python counts them."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Evidence in the record table, for the primary label."""
    further: tuple[Code, ...] = Field(default=(), max_length=MOST_LABELS)
    severity: Severity | None = None
    confidence: Literal[1, 2, 3] | None = None
    rationale: str = Field(default="", max_length=4000)


class Message(Frozen):
    """One request of the page."""

    assignment_id: Id | None = None
    revision: int = Field(default=0, ge=0, le=MOST_REVISIONS)
    active_ms: int = Field(default=0, ge=0, le=DAY_MS)
    judgement: Judgement | None = None
    form: Form | None = None
    reason: str | None = Field(default=None, max_length=500)
    note: str | None = Field(default=None, max_length=500)
    study_id: Id | None = None

    def on(self) -> str:
        """The assignment it is about. Raises InputError if it names none."""
        if self.assignment_id is None:
            raise InputError("This page had lost its item; nothing was saved. Reload the page and go on.")
        return self.assignment_id

    def judged(self) -> Judgement:
        """The judgement it carries. Raises InputError if there is none."""
        if self.judgement is None:
            raise InputError("No judgement arrived; nothing was saved. Choose one and submit again.")
        return self.judgement


def parse_message(payload: object) -> Message:
    """Read a page's message. Raises InputError that names the first field that is not as it should be."""
    out = payload.get("out") if isinstance(payload, dict) else None
    try:
        return Message.model_validate(out)
    except ValidationError as error:
        raise InputError(f"Not saved: {first_problem(error)}. Correct it and submit again.") from error
