"""Request models of the annotate page's actions."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.partial_judgement import JudgementForm
from clinicnum.types import Frozen

DAY_MS = 24 * 3600 * 1000
MOST_REVISIONS = 1_000_000
LONGEST_NAME = 100
ID = r"^[0-9a-z-]{1,64}$"
Id = Annotated[str, Field(pattern=ID)]


def _checked_form(form: dict[str, Any]) -> dict[str, Any]:
    return JudgementForm.model_validate(form).model_dump(mode="json")


NO_ITEM = "-"
"""An id that no assignment has, in place of text that cannot be an id."""


def _id_of_address(value: Any) -> str | None:
    if value is None:
        return None
    return value if isinstance(value, str) and re.match(ID, value) else NO_ITEM


def _short_or_none(value: Any) -> str | None:
    return (value.strip()[:LONGEST_NAME] or None) if isinstance(value, str) else None


class LoadRequest(Frozen):
    """The assignment or the study to open first, if any.

    Both are from the page's URL, so they may be malformed; without either, the current item opens.
    """

    assignment_id: Annotated[str | None, BeforeValidator(_id_of_address)] = None
    study: Annotated[str | None, BeforeValidator(_short_or_none)] = None
    """The study's id or name."""


class ChooseRequest(Frozen):
    """The study from which the next items come; None: from the oldest first."""

    study_id: Id | None = None


class StudiesRequest(Frozen):
    """Requests the user's studies as they stand. It has no fields, as they depend only on the user."""


class TourRequest(Frozen):
    """How the tour ended."""

    end: Literal["seen", "skipped"]


class PracticeRequest(Frozen):
    """A built-in practice item, counted from 0, and the step to take with it."""

    place: int = Field(default=0, ge=0, le=99)
    step: Literal["open", "judge", "submit"] = "open"
    judgement: Judgement | None = None
    """What `judge` and `submit` take."""


class AssignmentRequest(Frozen):
    """Identifies an assignment and the revision that the page shows."""

    assignment_id: Id
    revision: int = Field(default=0, ge=0, le=MOST_REVISIONS)


class JudgementRequest(AssignmentRequest):
    """A judgement: the blind one, or the complete one on submit."""

    judgement: Judgement
    active_ms: int = Field(default=0, ge=0, le=DAY_MS)


class SkipRequest(AssignmentRequest):
    """The reason for skipping an item."""

    reason: str = Field(default="", max_length=500)


class FlagRequest(AssignmentRequest):
    """The note of a flag; None removes the flag."""

    note: str | None = Field(default=None, max_length=500)


class DraftRequest(AssignmentRequest):
    """The unfinished form."""

    form: Annotated[dict[str, Any], AfterValidator(_checked_form)]


class AnswersRequest(Frozen):
    """Requests the answers of adjudicators. It has no fields, as they depend only on the user."""


class ReplyRequest(Frozen):
    """A reply in the thread of one of the user's items."""

    assignment_id: Id
    text: str = Field(default="", max_length=LONGEST_COMMENT)


class PreviousRequest(Frozen):
    """The assignment that the page currently shows; None if it shows none."""

    assignment_id: Id | None = None


class GuidelineRequest(Frozen):
    """The study whose guideline and codes are requested."""

    study_id: Id
