"""What the annotate page sends: parsed once, here, before anything is done with it."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.judgement_form import JudgementForm
from clinicnum.errors import InputError
from clinicnum.io.jsonl import first_problem
from clinicnum.types import Frozen

DAY_MS = 24 * 3600 * 1000
MOST_REVISIONS = 1_000_000
Id = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]


def _checked_form(form: dict[str, Any]) -> dict[str, Any]:
    return JudgementForm.model_validate(form).model_dump(mode="json")


class Message(Frozen):
    """One request of the page."""

    assignment_id: Id | None = None
    revision: int = Field(default=0, ge=0, le=MOST_REVISIONS)
    active_ms: int = Field(default=0, ge=0, le=DAY_MS)
    judgement: Judgement | None = None
    form: Annotated[dict[str, Any], AfterValidator(_checked_form)] | None = None
    """What is chosen so far."""
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
