"""Request models of the adjudicate page's actions."""

from typing import Annotated

from pydantic import Field

from clinicnum.annotations.adjudication import LONGEST_COMMENT
from clinicnum.annotations.claim_verdict import MOST_CLAIMS
from clinicnum.annotations.consequences_of_upholding import Scope
from clinicnum.annotations.judgement import Judgement
from clinicnum.types import Frozen

Key = Annotated[str, Field(pattern=r"^[0-9a-z-]{1,64}$")]
Comment = Annotated[str, Field(max_length=LONGEST_COMMENT)]


class LoadRequest(Frozen):
    """Requests the queue."""

    study: Annotated[str | None, Field(max_length=2000)] = None
    """The id or name of the study to put first, which the page's address gives."""


class ChooseRequest(Frozen):
    """The study whose items come first; None for no study."""

    study_id: Key | None = None


class ItemRequest(Frozen):
    """Identifies an item of a study."""

    study_id: Key
    item: Key


class PlaceRequest(Frozen):
    """The item that the page currently shows; None if it shows none."""

    item: Key | None = None


class DecideRequest(ItemRequest):
    """A decision: the number of a position to adopt or the adjudicator's own judgement, and answers to the
    disputed questions; in a study that judges no failures, these alone.
    """

    seen: Key
    """Fingerprint of the item's state as shown, to detect changes made since."""
    position: int | None = Field(default=None, ge=0, le=999)
    judgement: Judgement | None = None
    answers: dict[Annotated[str, Field(max_length=80)], Annotated[str, Field(max_length=80)]] = Field(
        default_factory=dict, max_length=MOST_CLAIMS
    )
    """What is decided on each disputed question beyond labels, by its key."""
    comment: Comment = ""


class ContestRequest(ItemRequest):
    """Identifies a contest on the item by the key of its claim."""

    claim: Key


class ConsequencesRequest(ContestRequest):
    """The scope for which to preview the consequences of upholding the contest."""

    scope: Scope = "group"


class UpholdRequest(ConsequencesRequest):
    """Upholds the contest; `mark` is the fingerprint of the consequences shown to the user."""

    mark: Key
    comment: Comment = ""
    ruling: bool = False
    """Whether the comment is a general rule to add to the guideline."""


class RejectRequest(ContestRequest):
    """Rejects the contest; the comment gives the reason."""

    comment: Comment = ""
    ruling: bool = False


class AnswerRequest(ItemRequest):
    """Answers a flag on the item."""

    flag: Key
    comment: Comment = ""
    ruling: bool = False


class ThreadRequest(ItemRequest):
    """Identifies a thread about the item, as the page shows it."""

    thread: Key


class AnswerThreadRequest(ThreadRequest):
    """Answers in a thread."""

    comment: Comment = ""
    ruling: bool = False
