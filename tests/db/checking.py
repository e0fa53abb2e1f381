"""A claims study made by hand: summaries by two models, with a reference for all items but the last."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.types import StudySummary
from clinicnum.annotations.work_item import Workitem
from tests.db.comparing import MODELS
from tests.db.examples import material, open_study

SHA = "c" * 64
CONTEXT = "Admitted with chest pain. HR 88 b.p.m., BP 120/80. Given aspirin 300 mg. Troponin was negative."
REFERENCE = "Chest pain, troponin negative. Aspirin was given."
SENTENCES = ("I am {model}.", "HR was 88 b.p.m. on admission.", "He got 3.5 mg of warfarin.")


def checked_material(*, models: int = 2, items: int = 6) -> Material:
    """Runs `sum-0`, `sum-1` on the same items; each answer has three sentences, the first names its model."""
    made = [material(wrong=items, run_id=f"sum-{place}") for place in range(models)]
    instances = tuple(
        one.model_copy(
            update={
                **{"instance_id": f"stay-{place}", "benchmark_id": "stays", "group_id": f"stay-{place}"},
                "answer": REFERENCE if place < items - 1 else None,
                "answer_exact": None,
                "answer_type": "text" if place < items - 1 else "unanswerable",
                "context": CONTEXT,
                "question": "Summarise the stay.",
                "worked": (),
                "unit": None,
            }
        )
        for place, one in enumerate(made[0].instances)
    )
    runs = tuple(
        replace(
            run,
            meta=run.meta | {"model": MODELS[number], "benchmark_sha256": SHA},
            generations=tuple(
                one.model_copy(
                    update={
                        "instance_id": f"stay-{place}",
                        "text": " ".join(SENTENCES).format(model=MODELS[number]),
                    }
                )
                for place, one in enumerate(run.generations)
            ),
        )
        for number, one_run in enumerate(made)
        for run in one_run.runs
    )
    scores = tuple(score.model_copy(update={"reason": "it is wrong"}) for one in made for score in one.scores)
    return Material(benchmark_meta={"sha256": SHA}, instances=instances, runs=runs, scores=scores)


def open_claims(engine: Engine, *, items: int = 6, **design: Any) -> StudySummary:
    """The study `checks`, annotated by ann, ben and eve."""
    made = checked_material(items=items)
    return open_study(engine, made, name="checks", include="all", asks="claims", **design)


def checks(item: Workitem, *answer: str, reference: str = "stated") -> Judgement:
    """Verdicts on the sentences in sight: of the answer's one by one, of the reference's all the same."""
    assert item.claims is not None
    given = zip(item.claims.answer, answer, strict=True)
    claims = {one.key: verdict for one, verdict in given} | {
        one.key: reference for one in item.claims.reference
    }
    return Judgement.model_validate({"response_judgement": "checked", "claims": claims})
