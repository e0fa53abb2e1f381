"""A pairwise study made by hand: runs of several models on the same questions, and who prefers what."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.preference_question import Preference
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.types import StudySummary
from tests.db.examples import material, open_study

MODELS = ("makers/Alpha-7B", "makers/Beta-7B", "makers/Gamma-7B")


def compared_material(*, models: int = 2, items: int = 6) -> Material:
    """Runs `run-0`, `run-1`, ... on the same items; each text names its own model and the one before."""
    made = [material(wrong=items, run_id=f"run-{place}") for place in range(models)]
    runs = tuple(
        replace(
            run,
            meta=run.meta | {"model": MODELS[place]},
            generations=tuple(
                one.model_copy(
                    update={
                        "text": f"{MODELS[place]}, not {MODELS[(place + 1) % models]}: "
                        f"answer {place} to {one.instance_id}"
                    }
                )
                for one in run.generations
            ),
        )
        for place, one_run in enumerate(made)
        for run in one_run.runs
    )
    return replace(made[0], runs=runs, scores=tuple(score for one in made for score in one.scores))


def open_pairwise(engine: Engine, *, models: int = 2, items: int = 6, **design: Any) -> StudySummary:
    """The study `pairs`, annotated by ann, ben and eve."""
    made = compared_material(models=models, items=items)
    return open_study(engine, made, name="pairs", include="all", pairwise=True, **design)


def prefers(preference: Preference, why: str | None = None) -> Judgement:
    return Judgement(response_judgement=preference, rationale=why)
