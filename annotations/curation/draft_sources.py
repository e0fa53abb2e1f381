"""The source of a draft: a failed answer, a contest of a gold answer, or a cluster of failures."""

from typing import Literal

from pydantic import Field, model_validator

from clinicnum.types import Frozen

SourceKind = Literal["failure", "contest", "cluster"]


class Source(Frozen):
    """One generation in the study in which it was judged."""

    study_id: str = Field(max_length=200)
    generation: str = Field(max_length=200)
    """The generation's row id."""
    kind: SourceKind
    contest: str | None = Field(default=None, max_length=200)
    """The annotation that contested the gold; given with the kind `contest`, and only there."""

    @model_validator(mode="after")
    def _consistent(self) -> "Source":
        if (self.contest is not None) != (self.kind == "contest"):
            raise ValueError(f"a source of the kind {self.kind} goes {_goes(self.kind)} a contest")
        return self


def _goes(kind: SourceKind) -> str:
    return "with" if kind == "contest" else "without"
