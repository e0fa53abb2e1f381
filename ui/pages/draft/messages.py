"""What the script of the drafts page sends, one model an action. No Gradio, no database."""

from typing import Annotated, Any

from pydantic import Field

from clinicnum.annotations.curation.drafts import check_content
from clinicnum.types import Frozen

Name = Annotated[str, Field(min_length=1, max_length=200)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class LoadMessage(Frozen):
    """The draft to open; None for the list."""

    draft: Name | None = None


class DraftMessage(Frozen):
    """A draft."""

    draft: Name


class RevisionMessage(DraftMessage):
    """A draft as it was at a revision."""

    revision: Number


class ContentMessage(Frozen):
    """The content of a draft, which `checked` reads."""

    content: Any

    def checked(self) -> dict[str, Any]:
        """The content. Raises InputError if it cannot be kept."""
        return check_content(self.content)


class CreateMessage(Frozen):
    """What a new draft begins with: a content, perhaps that of another draft, or a version of the bank."""

    content: Any = None
    from_draft: Name | None = None
    template: Name | None = None
    version: Number = 0

    def checked(self) -> dict[str, Any]:
        """The content. Raises InputError if it cannot be kept."""
        return check_content(self.content)


class SaveMessage(RevisionMessage, ContentMessage):
    """The content typed on a revision."""


class RebaseMessage(RevisionMessage):
    """The version of the bank from which a draft goes on."""

    version: Number


class CheckMessage(Frozen):
    """What is typed, in the form or as YAML."""

    content: Any = None
    yaml: str | None = Field(default=None, max_length=100_000)
