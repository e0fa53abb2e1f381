"""A pairwise study made by hand: runs of several models on the same questions, and who prefers what."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, select

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.preference_question import Preference
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.types import StudySummary
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AssignmentRow, GenerationRow, StudyItemRow
from clinicnum.db.work.annotation import annotate
from tests.db.examples import add_users, material, open_study
from tests.db.prepared import made_once
from tests.db.test_annotate import submit

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


@made_once
def compare_all(engine: Engine, *, models: int, items: int) -> None:
    """A whole study by three annotators: the lower-numbered run wins on all but each fourth item, a tie; the
    third annotator always takes the left one.
    """
    everyone = {user.name: user.user_id for user in add_users(engine)}
    open_pairwise(engine, models=models, items=items)
    with reading(engine) as session:
        runs = {row.id: row.generation_id for row in session.scalars(select(GenerationRow))}
        pairs = {
            row.generation: (row.generation, str(row.second)) for row in session.scalars(select(StudyItemRow))
        }
    for name, user_id in everyone.items():
        while True:
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=user_id)
            if item is None:
                break
            assert item.pair is not None
            with reading(engine) as session:
                generation = session.get_one(AssignmentRow, item.assignment_id).generation
            first, second = (runs[one] for one in pairs[generation])
            better = "first_better" if first < second else "second_better"
            if name == "eve":
                better = f"{item.pair.left}_better"
            elif first.endswith(("3", "7")):
                better = "both_bad"
            submit(engine, user_id, item, Judgement.model_validate({"response_judgement": better}))
