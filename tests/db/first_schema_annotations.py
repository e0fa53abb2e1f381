"""What two people annotated in a study that the first schema held, and the states of their assignments."""

from typing import Any

PEOPLE = {"u-ann": "A2", "u-ben": "A1"}


def judged(generation: int, who: str, revision: int, **judgement: Any) -> dict[str, Any]:
    """An annotation's payload as the first version wrote it."""
    return {
        "item_judgement": "valid",
        "proposed_gold": None,
        "response_judgement": "failure",
        "labels": [],
        "severity": None,
        "confidence": None,
        "rationale": None,
        "annotation_id": f"n-{who}-{generation}-{revision}",
        "study_id": "old",
        "generation_id": f"run-of-llama-g{generation}",
        "annotator_id": PEOPLE[who],
        "annotator_kind": "human",
        "round": "main",
        "revision": revision,
        "suggestion_shown": False,
        "active_ms": 4000,
        "taxonomy_version": "1",
        "guideline_version": "1",
        "created_at": "2026-03-01T08:30:00.123456Z",
        **judgement,
    }


SLIP = {
    "labels": [{"code": "causal_reasoning.arithmetic_slip", "primary": True, "spans": [[0, 4]], "cells": []}],
    "severity": "2",
    "confidence": 3,
    "rationale": "118 - 76 is 42 \x00 <b>",
}
FINE = {"response_judgement": "acceptable"}
ANNOTATIONS = [
    judged(0, "u-ann", 1),
    judged(0, "u-ann", 2, **SLIP),
    judged(0, "u-ben", 1),
    judged(0, "u-ben", 2, **SLIP),
    judged(1, "u-ann", 1, **FINE),
    judged(1, "u-ann", 2, **FINE, item_judgement="ambiguous"),
    judged(1, "u-ben", 1),
    judged(1, "u-ben", 2, **SLIP),
    judged(2, "u-ben", 1),
]
STATES: dict[tuple[str, int], dict[str, Any]] = {
    ("u-ann", 0): {"status": "submitted", "revision": 2},
    ("u-ann", 1): {"status": "submitted", "revision": 2},
    ("u-ann", 2): {"status": "skipped", "revision": 0, "skip_reason": "unreadable \x00"},
    ("u-ann", 3): {"status": "open", "revision": 0, "draft": {"rationale": "half"}},
    ("u-ben", 0): {"status": "submitted", "revision": 2},
    ("u-ben", 1): {"status": "submitted", "revision": 2},
    ("u-ben", 2): {"status": "open", "revision": 1},
    ("u-ben", 3): {"status": "open", "revision": 0},
}
