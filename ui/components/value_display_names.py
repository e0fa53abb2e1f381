"""The words that pages show for stored values, such as roles, operations and statuses of scores."""

from collections.abc import Iterable

from clinicnum.annotations.types import Role, StudyStatus
from clinicnum.translatable_text import Translatable
from clinicnum.types import ScoreStatus
from clinicnum.ui.components.language import _

ROLE_NAMES: dict[Role, str] = {
    "annotator": Translatable("annotator"),
    "adjudicator": Translatable("adjudicator"),
    "curator": Translatable("curator"),
    "researcher": Translatable("researcher"),
    "admin": Translatable("admin"),
}
OPERATION_NAMES: dict[str, str] = {
    "retrieval": Translatable("retrieval"),
    "arithmetic": Translatable("arithmetic"),
    "comparison": Translatable("comparison"),
    "aggregation": Translatable("aggregation"),
    "external": Translatable("made elsewhere"),
    "all": Translatable("all"),
}
REPRESENTATION_NAMES: dict[str, str] = {
    "structured": Translatable("structured"),
    "templated": Translatable("templated"),
    "note": Translatable("note"),
    "external": Translatable("made elsewhere"),
    "all": Translatable("all"),
}
TICK_NAMES: dict[str, str] = {
    "met": Translatable("Met"),
    "not_met": Translatable("Not met"),
    "not_applicable": Translatable("Does not apply"),
}
STATUS_NAMES: dict[ScoreStatus, str] = {
    "correct": Translatable("correct"),
    "incorrect": Translatable("incorrect"),
    "unparsable": Translatable("unparsable"),
    "abstained": Translatable("abstained"),
    "empty": Translatable("empty"),
    "truncated": Translatable("truncated"),
    "error": Translatable("error"),
}
STUDY_STATUS_NAMES: dict[StudyStatus, str] = {
    "open": Translatable("open"),
    "paused": Translatable("paused"),
    "closed": Translatable("closed"),
}


WORDS: dict[str, str] = {
    **OPERATION_NAMES,
    **REPRESENTATION_NAMES,
    **{str(status): name for status, name in STATUS_NAMES.items()},
    **{str(status): name for status, name in STUDY_STATUS_NAMES.items()},
    # answers to a variant of a question, in a stratum of their own
    "variant": Translatable("variant"),
    # what a draft was made from
    "failure": Translatable("failure"),
    "contest": Translatable("contest"),
    "cluster": Translatable("cluster"),
    # states of a draft or a review round
    "draft": Translatable("draft"),
    "submitted": Translatable("submitted"),
    "discarded": Translatable("discarded"),
    "accepted": Translatable("accepted"),
    "returned": Translatable("returned"),
}
"""Stored value -> the English term shown for it."""


def word(value: str) -> str:
    """The value in the page's language; a value that is not in WORDS stays as it is."""
    return _(WORDS.get(value, value))


def labelled(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Choices of (label, value) with their labels in the page's language."""
    return [(_(label), value) for label, value in choices]


def study_label(name: str, status: StudyStatus) -> str:
    """A study's name for a list to choose from, with its status unless it is open."""
    return name if status == "open" else f"{name} ({_(STUDY_STATUS_NAMES[status])})"
