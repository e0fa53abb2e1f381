"""Answers to a real benchmark whose chances of being right are known, with a pattern planted or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import clinicnum
from clinicnum.slices.find_slices import Slice
from clinicnum.slices.slice_conditions import Condition

FACETS = (
    *("operation", "representation", "vital", "steps", "answer_type", "template"),
    *("records", "context_length", "age", "gender"),
)
PATTERNS = ("a vital in long contexts", "a representation", "a group of patients")
Flags = NDArray[np.bool_]


@cache
def questions() -> pd.DataFrame:
    """The benchmark of the preset `paper`: 4,272 questions on 366 synthetic patients."""
    made = clinicnum.generate(preset="paper", seed=1)
    return pd.DataFrame([_facets(one) for one in made])


def _facets(one: clinicnum.Instance) -> dict[str, Any]:
    return {
        "subject_id": one.subject_id,
        "template": one.template_id,
        "operation": one.operation,
        "representation": one.representation,
        "vital": tuple(sorted({cell.vital for cell in one.evidence})),
        "steps": one.steps,
        "answer_type": one.answer_type,
        "records": len(one.records),
        "context_length": len(one.context),
        "age": one.records[0].age_years,
        "gender": one.records[0].gender,
    }


def patterns() -> Mapping[str, tuple[Flags, set[str], float]]:
    """By name: which questions are harder, the facets that say so, and by how much (log odds)."""
    asked = questions()
    temperature = asked["vital"].map(lambda cell: "temperature_c" in cell)
    long_contexts = temperature & (asked["context_length"] >= 2_000)
    old_women = (asked["gender"] == "F") & (asked["age"] >= 70)
    made = (
        (np.asarray(long_contexts), {"vital", "context_length"}, 1.75),
        (np.asarray(asked["representation"] == "note"), {"representation"}, 0.75),
        (np.asarray(old_women), {"gender", "age"}, 1.2),
    )
    return dict(zip(PATTERNS, made, strict=True))


@dataclass(frozen=True)
class Drawn:
    """One draw of a model's answers."""

    answers: pd.DataFrame
    chance: NDArray[np.float64]
    """The true chance of each question for a patient like any other."""


def draw(
    seed: Sequence[int], *, base: float, subjects: float, templates: float, harder: NDArray[Any] | None = None
) -> Drawn:
    """Answers of a model with accuracy `base` whose log odds vary between subjects and between templates.

    `subjects` and `templates` are standard deviations; `harder` is what is subtracted for each question.
    """
    rng, asked = np.random.default_rng(seed), questions()
    whose, patients = pd.factorize(asked["subject_id"])
    which, kinds = pd.factorize(asked["template"])
    odds = np.log(base / (1 - base)) + rng.normal(0, templates, len(kinds))[which]
    odds = odds - (0 if harder is None else harder)
    drawn = _share(odds + rng.normal(0, subjects, len(patients))[whose])
    return Drawn(asked.assign(correct=rng.random(len(asked)) < drawn), _share(odds))


def _share(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found


def is_found(found: Slice, harder: Flags) -> bool:
    """Whether a slice holds the planted questions: what both hold is at least half of what either holds."""
    inside = np.zeros(len(harder), dtype=bool)
    inside[found.rows] = True
    return bool((inside & harder).sum() >= 0.5 * (inside | harder).sum())


def is_false(found: Slice, drawn: Drawn) -> bool:
    """Whether the questions of a slice are not truly harder, by a point or more, than those they are said to
    be harder than: the rest, and the rest of those that meet one of two conditions.
    """
    inside = np.zeros(len(drawn.chance), dtype=bool)
    inside[found.rows] = True
    within = [np.ones(len(inside), dtype=bool)]
    if len(found.conditions) > 1:
        within += [_holds(one, drawn.answers) for one in found.conditions]
    return any(drawn.chance[inside].mean() > drawn.chance[some & ~inside].mean() - 0.01 for some in within)


def _holds(one: Condition, frame: pd.DataFrame) -> Flags:
    column = frame[one.facet]
    if one.operator == "=":
        tuples = column.map(lambda cell: one.value in cell if isinstance(cell, tuple) else cell == one.value)
        return np.asarray(tuples, dtype=bool)
    return np.asarray(column >= one.value if one.operator == ">=" else column < one.value)
