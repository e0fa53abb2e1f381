"""What the script of the adjudicate page sends, one model an action."""

from typing import Annotated

from pydantic import Field

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.annotations.contest_consequences import Scope
from clinicnum.annotations.judgement import Judgement
from clinicnum.types import Frozen

Key = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]
Comment = Annotated[str, Field(max_length=LONGEST_COMMENT)]


class LoadMessage(Frozen):
    """Nothing: what waits is found by who asks."""


class ItemMessage(Frozen):
    """An item of a study."""

    study_id: Key
    item: Key


class PlaceMessage(Frozen):
    """The item that the page shows; None where it shows none."""

    item: Key | None = None


class DecideMessage(ItemMessage):
    """A decision on what was shown: a position taken over by its number, or a judgement of one's own."""

    seen: Key
    """The mark of what was shown."""
    position: int | None = Field(default=None, ge=0, le=999)
    judgement: Judgement | None = None
    comment: Comment = ""


class ContestMessage(ItemMessage):
    """A contest on the item, by the key of its claim."""

    claim: Key


class ConsequencesMessage(ContestMessage):
    """How far upholding the contest would go."""

    scope: Scope = "group"


class UpholdMessage(ConsequencesMessage):
    """The consequences that were shown, by their mark."""

    mark: Key
    comment: Comment = ""


class RejectMessage(ContestMessage):
    """Why the question stays as it is."""

    comment: Comment = ""


class AnswerMessage(ItemMessage):
    """An answer to a flag on the item."""

    flag: Key
    comment: Comment = ""
