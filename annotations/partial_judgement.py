"""A judgement as a page's form holds it: possibly incomplete, labels in parts, missing text as an empty
string.
"""

from typing import Annotated, Any

from pydantic import Field, create_model

from clinicnum.annotations.judgement import (
    CUSTOM_NAME,
    FIELDS,
    MOST_CUSTOM,
    MOST_EVIDENCE,
    MOST_LABELS,
    CustomValue,
    Judgement,
    default_of,
)
from clinicnum.types import Cell, Frozen

MOST_CHARACTERS = 10_000_000
_Code = Annotated[str, Field(max_length=80)]
_Offset = Annotated[int, Field(ge=0, le=MOST_CHARACTERS)]


class LabelsInParts(Frozen):
    """The labels of a judgement as separate fields of a form."""

    primary: _Code | None = None
    spans: tuple[tuple[_Offset, _Offset], ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Evidence in the text, for the primary label: offsets in code points, as Python counts them."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """Evidence in the record table, for the primary label."""
    further: tuple[_Code, ...] = Field(default=(), max_length=MOST_LABELS)
    custom: dict[Annotated[str, Field(pattern=CUSTOM_NAME)], CustomValue | None] = Field(
        default={}, max_length=MOST_CUSTOM
    )
    """Answers to the study's own fields, by name."""


_FIELDS: dict[str, Any] = {
    name: (
        Annotated[field.annotation | None, *field.metadata],  # type: ignore[operator]
        default_of(name) if FIELDS[name].chosen else "",
    )
    for name, field in Judgement.model_fields.items()
    if name in FIELDS and name != "labels"
}
JudgementForm = create_model("JudgementForm", __base__=LabelsInParts, **_FIELDS)
"""A form with each field of a judgement, empty until it is chosen; also stored as the page's draft."""


def empty_form() -> dict[str, Any]:
    """A form with nothing chosen, as plain JSON."""
    return JudgementForm().model_dump(mode="json")


def form_of(judgement: Judgement) -> dict[str, Any]:
    """A saved judgement as a form, as plain JSON."""
    primary = next((label for label in judgement.labels if label.primary), None)
    filled = judgement.model_dump(mode="json", include=set(_FIELDS), exclude_none=True)
    return {
        **empty_form(),
        **filled,
        "primary": primary.code if primary else None,
        "spans": [list(span) for span in primary.spans] if primary else [],
        "cells": [cell.model_dump(mode="json") for cell in primary.cells] if primary else [],
        "further": [label.code for label in judgement.labels if not label.primary],
        "custom": judgement.model_dump(mode="json", include={"custom"}).get("custom", {}),
    }
