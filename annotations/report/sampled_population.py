"""The generations that a study's labels represent, where these are not all."""

from collections.abc import Sequence

import numpy as np

from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Answer
from clinicnum.stats.clustered_intervals import Floats


def part_words(view: StudyView) -> str:
    """The part of the generations from which the study was drawn; empty if it is all or unknown."""
    if view.tables.design is None:
        return ""
    where = view.tables.design.where
    named = {
        "operation": where.operations,
        "representation": where.representations,
        "template": where.template_ids,
        "status": where.statuses,
    }
    parts = [f"{name} {' or '.join(values)}" for name, values in named.items() if values]
    parts += [where.slice] * bool(where.slice)
    if parts and not where.variants and _base_alone(view):
        parts.append("base questions")
    return "; ".join(parts)


def _base_alone(view: StudyView) -> bool:
    """Whether there were answers to variants, of which none was drawn."""
    drawn = (one.generation_id for one in view.tables.inclusions)
    return any(one.variant is not None for one in view.tables.instances) and all(
        view.instance(key).variant is None for key in drawn
    )


def part_said(view: StudyView) -> str:
    """Note that label-based figures represent only a part of the generations; empty otherwise."""
    words = part_words(view)
    return f" Drawn from a part of the generations only ({words}), of which alone this speaks." * bool(words)


def with_variants(view: StudyView) -> str:
    """Note in brackets that answers to variants count too; empty if none was drawn."""
    drawn = (view.instance(one.generation_id) for one in view.tables.inclusions)
    return " (answers to variants among them)" * any(one.variant is not None for one in drawn)


def spoken_of(view: StudyView, run: ModelRun) -> tuple[Sequence[Answer], Floats]:
    """The answers of a run that the labels represent, with one weight each.

    If the study drew from a part only, these are the drawn ones, weighted by 1 / inclusion probability.
    Otherwise all, with weight 1; variants are included only if any were drawn.
    """
    drawn = {one.generation_id for one in view.tables.inclusions}
    answers = [one for one in run.answers if not one.failed]
    if part_words(view):
        answers = [one for one in answers if one.generation.generation_id in drawn]
        weights = [view.weight(one.generation.generation_id) for one in answers]
        return answers, np.array(weights, dtype=float)
    if _base_alone(view):
        answers = [one for one in answers if one.instance.variant is None]
    return answers, np.ones(len(answers))
