"""A draft: a template being written, valid or not yet, with everyone who edited it."""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from clinicnum.annotations.curation.draft_sources import Source
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

DEEPEST = 40
"""Most levels of nesting; the deepest tree of the bank has half as many."""
LARGEST_NUMBER = 2**53
"""Largest whole number: JavaScript cannot represent larger ones exactly."""
LARGEST = 100_000
"""Most characters of the content as JSON; the longest template of the bank has a tenth of it."""
DraftStatus = Literal["open", "submitted", "discarded"]
DraftKind = Literal["template", "item"]


class DraftSummary(Frozen):
    """A draft in one line of a list."""

    draft_id: str
    template_id: str
    """The id in the draft's content; empty if there is none yet."""
    wording: str
    """The draft's first wording; empty if there is none yet."""
    status: DraftStatus
    author: str
    """Name of the person who began the draft."""
    changed_by: str
    """Name of the person who saved the draft last."""
    changed_at: datetime
    revision: int
    version: tuple[str, int] | None
    """The template version as which the draft was sent to review."""


class Draft(Frozen):
    """A draft with everything that is known about it."""

    summary: DraftSummary
    content: dict[str, Any]
    """The content of the draft's YAML, including anything missing or wrong."""
    edited_by: tuple[str, ...]
    """Names of everyone who saved it or wrote the draft it continues; the author may not be among them."""
    base: tuple[str, int] | None
    """The template version that the draft corrects."""
    note: str
    provokes: str | None
    """Taxonomy code of the failure that the template should provoke."""
    sources: tuple[Source, ...]
    source_items: tuple[str | None, ...]
    """Ids of the source items on pages, in the same order; None for an answer that its study did not assign.
    """


class StaleDraft(Conflict):
    """A save based on an outdated revision: nothing was written, and the message says who saved before and
    when.
    """

    def __init__(self, name: str | None, at: datetime) -> None:
        super().__init__(
            Translatable(
                "{name} saved this draft at {time} UTC on {date}, after you opened it; nothing was "
                "overwritten. Choose what to keep of each, or keep yours as a new draft.",
                name=name or Translatable("somebody"),
                time=f"{at:%H:%M:%S}",
                date=f"{at:%Y-%m-%d}",
            )
        )


class OvertakenDraft(Conflict):
    """A newer version of the template was added after the draft was begun; submitting the draft would lose
    it.
    """

    def __init__(self, template_id: str, version: int) -> None:
        super().__init__(
            Translatable(
                "version {version} of {template} was added since this draft was begun; compare what it says, "
                "then go on from it",
                version=version,
                template=template_id,
            )
        )
        self.template_id, self.version = template_id, version


def check_content(content: object) -> dict[str, Any]:
    """Return the content if it can be stored: a mapping of plain values, neither too deep nor too large.

    Raises InputError for anything else. The content need not be a valid template.
    """
    if not isinstance(content, dict):
        raise InputError(Translatable("a draft is a mapping of a template's fields; got something else"))
    if _size(content, ()) > LARGEST:
        raise InputError(Translatable("a draft holds at most {most} characters; shorten it", most=LARGEST))
    return content


def _size(value: object, path: tuple[str, ...]) -> int:
    if len(path) > DEEPEST:
        raise InputError(
            Translatable("a draft goes at most {most} levels deep; make the tree flatter", most=DEEPEST)
        )
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise InputError(Translatable("the names of a draft's fields are texts; correct them"))
        for key in value:
            _check_text(key, path)
        return sum(len(key) + 4 + _size(part, (*path, key)) for key, part in value.items())
    if isinstance(value, list):
        return sum(1 + _size(part, (*path, str(at))) for at, part in enumerate(value, start=1))
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(Translatable("a draft's numbers are finite, got {value}; correct it", value=value))
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise InputError(
            Translatable(
                "{place}: a draft's whole numbers go to 2^53, got a larger one; correct it",
                place=_place(path),
            )
        )
    if isinstance(value, str):
        _check_text(value, path)
    if value is None or isinstance(value, str | int | float):
        return len(str(value)) + 2
    raise InputError(
        Translatable(
            "a draft holds texts, numbers, lists and mappings, got {kind}", kind=type(value).__name__
        )
    )


def _check_text(text: str, path: tuple[str, ...]) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            Translatable(
                "{place}: a draft's texts are UTF-8, got half of a character (U+{code:04X}); type it anew",
                place=_place(path),
                code=ord(text[error.start]),
            )
        ) from error


def _place(path: tuple[str, ...]) -> str:
    return " ".join(".".join(path).split())[:80] or "template"


def changed_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the top-level fields that differ, sorted."""
    return tuple(sorted(name for name in {*old, *new} if _absent(old, name) != _absent(new, name)))


def _absent(content: Mapping[str, Any], name: str) -> Any:
    return content.get(name)
