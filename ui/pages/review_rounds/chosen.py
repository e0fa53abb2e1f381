"""What the curators' page names: a round, or a version for which one is to be opened."""

from typing import Annotated

from pydantic import Field

from clinicnum.annotations.curation.review import LONGEST_COMMENT
from clinicnum.errors import InputError
from clinicnum.types import Frozen
from clinicnum.ui.components.native_page import checked

Key = Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")]
Name = Annotated[str, Field(max_length=100)]


class Round(Frozen):
    """A round, and what is done with it."""

    round: Key = ""
    expert: Name = ""
    comment: Key = ""
    text: str = Field(default="", max_length=LONGEST_COMMENT)

    @classmethod
    def named(cls, key: object, **more: object) -> "Round":
        """The round of that key. Raises InputError for what is none."""
        found = checked(cls, round=key, **more)
        if not found.round:
            raise InputError("Choose a round first.")
        return found


class Version(Frozen):
    """A version for which a round is to be opened."""

    template: str = Field(default="", max_length=200)
    version: int = Field(default=0, ge=0, lt=2**31)
    experts: Annotated[tuple[Name, ...], Field(max_length=100)] = ()

    @classmethod
    def named(cls, key: object, experts: object = ()) -> "Version":
        """The version of a `key_of`. Raises InputError for what is none."""
        template, _, number = key.rpartition(" ") if isinstance(key, str) else ("", "", "")
        if not template or not number.isascii() or not number.isdecimal():
            raise InputError("Choose a template version first.")
        return checked(cls, template=template, version=number[:12], experts=experts)


def key_of(template_id: object, version: object) -> str:
    """What the page calls a version by."""
    return f"{template_id} {version}"
