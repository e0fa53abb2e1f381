"""A judgement in words and as a form: the labels of its fields, once for all pages."""

from typing import Any

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.taxonomy import Taxonomy

WHEN = "%Y-%m-%d %H:%M"
RESPONSES = {
    "acceptable": "Acceptable",
    "right_answer_unsound_reasoning": "Right answer, unsound reasoning",
    "failure": "Failure",
    "cannot_judge": "Cannot judge",
}
ITEMS = {"valid": "valid", "gold_wrong": "gold is wrong", "ambiguous": "ambiguous"}
CONFIDENCES = {1: "low", 2: "medium", 3: "high"}


def code_words(taxonomy: Taxonomy, code: str) -> str:
    """A code as `Class: sub-class`; `none` as it is."""
    level1, _, sub = code.partition(".")
    if code == "none":
        return "no failure"
    name = taxonomy.find(level1).name
    return f"{name}: {taxonomy.find(code).name.lower()}" if sub else name


def judgement_words(judgement: Judgement, taxonomy: Taxonomy) -> str:
    """A judgement in one line."""
    words = [RESPONSES[judgement.response_judgement]]
    primary = [label.code for label in judgement.labels if label.primary]
    further = [label.code for label in judgement.labels if not label.primary]
    words += [code_words(taxonomy, code) for code in primary]
    if further:
        words.append("also " + ", ".join(code_words(taxonomy, code) for code in further))
    if judgement.severity is not None:
        words.append(f"severity {judgement.severity.replace('_', ' ')}")
    if judgement.item_judgement != "valid":
        words.append(f"item: {ITEMS[judgement.item_judgement]}")
    if judgement.confidence is not None:
        words.append(f"confidence {CONFIDENCES[judgement.confidence]}")
    return "; ".join(words)


def judgement_form(judgement: Judgement | None) -> dict[str, Any] | None:
    """A saved judgement as the page's form."""
    if judgement is None:
        return None
    primary = next((label for label in judgement.labels if label.primary), None)
    return {
        "item_judgement": judgement.item_judgement,
        "proposed_gold": judgement.proposed_gold or "",
        "response_judgement": judgement.response_judgement,
        "primary": primary.code if primary else None,
        "spans": [list(span) for span in primary.spans] if primary else [],
        "cells": [cell.model_dump(mode="json") for cell in primary.cells] if primary else [],
        "further": [label.code for label in judgement.labels if not label.primary],
        "severity": judgement.severity,
        "confidence": judgement.confidence,
        "rationale": judgement.rationale or "",
    }
