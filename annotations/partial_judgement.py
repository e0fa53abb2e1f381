"""A judgement as a page's form holds it: possibly incomplete, labels in parts, missing text as an empty
string.
"""

from typing import Annotated, Any

from pydantic import Field, create_model

from clinicnum.annotations.claim_verdict import CLAIM_KEY, MOST_CLAIMS
from clinicnum.annotations.judgement import (
    CUSTOM_NAME,
    FIELDS,
    MOST_CUSTOM,
    MOST_EVIDENCE,
    MOST_LABELS,
    MOST_TICKS,
    TICK,
    CriterionVerdict,
    CustomValue,
    Judgement,
    Label,
    default_of,
)
from clinicnum.types import Cell, Frozen

MOST_CHARACTERS = 10_000_000
_Code = Annotated[str, Field(max_length=80)]
_Offset = Annotated[int, Field(ge=0, le=MOST_CHARACTERS)]


_Spans = tuple[tuple[_Offset, _Offset], ...]


class Evidence(Frozen):
    """The evidence for one label. Offsets are in code points, as Python counts them."""

    spans: _Spans = Field(default=(), max_length=MOST_EVIDENCE)
    """In the model's text."""
    context_spans: _Spans = Field(default=(), max_length=MOST_EVIDENCE)
    """In the context."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_EVIDENCE)
    """In the record table."""


class LabelsInParts(Evidence):
    """The labels of a judgement as separate fields of a form; the evidence is that for the primary label."""

    primary: _Code | None = None
    further: tuple[_Code, ...] = Field(default=(), max_length=MOST_LABELS)
    custom: dict[Annotated[str, Field(pattern=CUSTOM_NAME)], CustomValue | None] = Field(
        default={}, max_length=MOST_CUSTOM
    )
    """Answers to the study's own fields, by name."""
    criteria: dict[Annotated[str, Field(pattern=TICK)], CriterionVerdict | None] = Field(
        default={}, max_length=2 * MOST_TICKS
    )
    """Ticks of the item's criteria by key; also some of an earlier version, which no longer count."""
    claims: dict[Annotated[str, Field(pattern=CLAIM_KEY)], Annotated[str, Field(max_length=24)] | None] = (
        Field(default={}, max_length=2 * MOST_CLAIMS)
    )
    """Verdicts on sentences by key, some of them without the harm that they need."""
    further_evidence: dict[_Code, Evidence] = Field(default={}, max_length=MOST_LABELS)
    """The evidence for further labels, by code."""


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
        **_evidence(primary),
        "further": [label.code for label in judgement.labels if not label.primary],
        "custom": judgement.model_dump(mode="json", include={"custom"}).get("custom", {}),
        "criteria": dict(judgement.criteria),
        "claims": dict(judgement.claims),
        "further_evidence": {
            label.code: _evidence(label)
            for label in judgement.labels
            if not label.primary and _has_any(label)
        },
    }


def _evidence(label: Label | None) -> dict[str, Any]:
    told = {} if label is None else label.model_dump(mode="json", include=set(Evidence.model_fields))
    return Evidence.model_validate(told).model_dump(mode="json")


def _has_any(label: Label) -> bool:
    return any(getattr(label, part) for part in Evidence.model_fields)
