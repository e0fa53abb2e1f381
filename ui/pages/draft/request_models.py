"""Request models of the drafts page's actions. No Gradio, no database."""

from typing import Annotated, Any

from pydantic import Field

from clinicnum.annotations.curation.drafts import check_content
from clinicnum.types import Frozen

Name = Annotated[str, Field(min_length=1, max_length=200)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class LoadRequest(Frozen):
    """The draft to open; None opens the list."""

    draft: Name | None = None


class DraftRequest(Frozen):
    """Identifies a draft."""

    draft: Name


class RevisionRequest(DraftRequest):
    """Identifies a draft and the revision that the browser has."""

    revision: Number


class ContentRequest(Frozen):
    """The content of a draft, validated by `checked`."""

    content: Any

    def checked(self) -> dict[str, Any]:
        """The content. Raises InputError if it cannot be stored."""
        return check_content(self.content)


class CreateRequest(Frozen):
    """What a new draft starts from: given content, possibly from another draft, or a version in the bank."""

    content: Any = None
    from_draft: Name | None = None
    template: Name | None = None
    version: Number = 0

    def checked(self) -> dict[str, Any]:
        """The content. Raises InputError if it cannot be stored."""
        return check_content(self.content)


class SaveRequest(RevisionRequest, ContentRequest):
    """The edited content, and the revision it is based on."""


class RebaseRequest(RevisionRequest):
    """Names the version in the bank on which to rebase a draft."""

    version: Number


class CheckRequest(Frozen):
    """The content to check, from the form or as YAML."""

    content: Any = None
    yaml: str | None = Field(default=None, max_length=100_000)
