"""Values that the review rounds page sends: a round, or a template version to open one for."""

from typing import Annotated

from pydantic import Field

from clinicnum.annotations.curation.review_sheet import LONGEST_COMMENT
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen
from clinicnum.ui.components.gradio_page import validated

Key = Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")]
Name = Annotated[str, Field(max_length=100)]


class RoundInputs(Frozen):
    """A review round, with the arguments of the action on it."""

    round: Key = ""
    expert: Name = ""
    comment: Key = ""
    text: str = Field(default="", max_length=LONGEST_COMMENT)

    @classmethod
    def from_key(cls, key: object, **more: object) -> "RoundInputs":
        """The round with that key. Raises InputError if the key is empty or malformed."""
        found = validated(cls, round=key, **more)
        if not found.round:
            raise InputError(Translatable("Choose a round first."))
        return found


class NewRoundInputs(Frozen):
    """A template version to open a round for, with the experts to invite."""

    template: str = Field(default="", max_length=200)
    version: int = Field(default=0, ge=0, lt=2**31)
    experts: Annotated[tuple[Name, ...], Field(max_length=100)] = ()

    @classmethod
    def from_key(cls, key: object, experts: object = ()) -> "NewRoundInputs":
        """Parse a key made by `version_key`. Raises InputError if it is not one."""
        template, _, number = key.rpartition(" ") if isinstance(key, str) else ("", "", "")
        if not template or not number.isascii() or not number.isdecimal():
            raise InputError(Translatable("Choose a template version first."))
        return validated(cls, template=template, version=number[:12], experts=experts)


def version_key(template_id: object, version: object) -> str:
    """The key by which the page refers to a version."""
    return f"{template_id} {version}"
