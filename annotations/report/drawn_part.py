"""Of which answers the labels of a study speak, where that is not all of them."""

from collections.abc import Sequence

import numpy as np

from clinicnum.annotations.report.model_run import ModelRun
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.robustness import Answer
from clinicnum.stats.clusters import Floats


def part_words(view: StudyView) -> str:
    """The part of the generations that a filter or a slice left to be drawn from; empty if it is all."""
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
    """That figures on labels speak of a part of the generations, as a sentence after others; else empty."""
    words = part_words(view)
    return f" Drawn from a part of the generations only ({words}), of which alone this speaks." * bool(words)


def spoken_of(view: StudyView, run: ModelRun) -> tuple[Sequence[Answer], Floats]:
    """The answers of a run of which labels speak, each with how many it stands for.

    Where only a part could be drawn, the drawn ones stand for it. Else it is every answer, variants only if
    any were drawn.
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
