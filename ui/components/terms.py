"""The field's terms that pages show, by the values that stand for them."""

from clinicnum.annotations.types import Role, StudyStatus
from clinicnum.translatable import Translatable
from clinicnum.types import ScoreStatus
from clinicnum.ui.components.language import _

ROLE_NAMES: dict[Role, str] = {
    "annotator": Translatable("annotator"),
    "adjudicator": Translatable("adjudicator"),
    "curator": Translatable("curator"),
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


def study_label(name: str, status: StudyStatus) -> str:
    """A study's name for a list to choose from, with its status unless it is open."""
    return name if status == "open" else f"{name} ({_(STUDY_STATUS_NAMES[status])})"
