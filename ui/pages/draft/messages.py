"""What the drafts page sends. No Gradio, no database."""

from typing import Any

from pydantic import Field

from clinicnum.annotations.curation.drafts import check_content
from clinicnum.errors import InputError
from clinicnum.types import Frozen


class Message(Frozen):
    """One message; each event reads what it needs of it."""

    draft: str | None = Field(default=None, max_length=200)
    revision: int = Field(default=0, ge=0, le=2**31 - 1)
    content: Any = None
    yaml: str | None = Field(default=None, max_length=100_000)
    from_draft: str | None = Field(default=None, max_length=200)
    """The draft that a new one goes on from."""
    template: str | None = Field(default=None, max_length=200)
    version: int = Field(default=0, ge=0, le=2**31 - 1)
    """The version of the bank that a new one puts right."""

    def on(self) -> str:
        """The draft that it is about. Raises InputError if it names none."""
        if not self.draft:
            raise InputError("the message names no draft; reload the page")
        return self.draft

    def checked(self) -> dict[str, Any]:
        """The content. Raises InputError if it cannot be kept."""
        return check_content(self.content)
