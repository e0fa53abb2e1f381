"""A study that has all a report can speak of: two models, variants, confidences, contests, a weighted sample.

Built on `report_example.study`; made up and deterministic. The scorer is wrong about two answers: it calls
one right that the annotators call a failure, and one wrong that they accept.
"""

from datetime import UTC, datetime

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.types import Annotation, Contest, Invalidation
from clinicnum.types import Generation, Instance, Score
from tests.annotations.report_example import PATIENTS, _annotation, study

MODELS = {"run1": "model-a", "run2": "model-b"}
OPTIONS = ("88", "101", "102", "103")
ORDERS = 5
PROBABILITY = {True: 0.25, False: 1.0}
"""Scored right or not -> chance of being drawn."""
GROUP_OUT = "group0"
DECIDED = 3
"""Of the drawn, by place; the annotators differ on its primary class."""


def whole_study() -> StudyTables:
    """The study; annotators are people."""
    plain = study(simulated=False)
    instances = (*plain.instances, *_typos(plain.instances), *_shuffles(plain.instances))
    answered = [(run, n, one) for run in MODELS for n, one in enumerate(instances)]
    generations = tuple(_generation(run, n, one) for run, n, one in answered)
    scores = tuple(_score(run, n, one) for run, n, one in answered)
    drawn = [
        score
        for (run, n, one), score in zip(answered, scores, strict=True)
        if run == "run1" and one.variant is None and (not score.lenient or n % 4 == 0)
    ]
    return plain.model_copy(
        update={
            "study_name": "whole",
            "runs": {run: {"model": name, "dtype": "float32"} for run, name in MODELS.items()},
            "instances": instances,
            "generations": generations,
            "scores": scores,
            "inclusions": tuple(
                Inclusion(
                    generation_id=one.generation_id,
                    stratum="correct" if one.lenient else "failure",
                    probability=PROBABILITY[one.lenient],
                )
                for one in drawn
            ),
            "annotations": tuple(
                judged for n, one in enumerate(drawn) for who in range(3) for judged in [_judged(n, one, who)]
            ),
            "adjudications": _decisions(drawn),
            "invalidations": tuple(
                Invalidation(
                    instance_id=one.instance_id, contest_id="c0", rule="by hand: group", reason="=made up"
                )
                for one in (*instances, instances[0].model_copy(update={"instance_id": "never-answered"}))
                if one.group_id == GROUP_OUT
            ),
            "contests": tuple(
                Contest(
                    contest_id=f"c{n}",
                    generation_id=drawn[n].generation_id,
                    annotator_id="annotator-1",
                    kind="gold_wrong",
                    proposed_gold="1",
                    status=status,
                    decided_by=None if status == "open" else "J1",
                    comment=None if status == "open" else "made up",
                )
                for n, status in enumerate(("upheld", "open", "rejected"))
            ),
        }
    )


def _decisions(drawn: list[Score]) -> tuple[Adjudication, ...]:
    """On one item a decision that was superseded, and then one that stands."""
    judged = [_judged(DECIDED, drawn[DECIDED], who) for who in range(3)]
    return tuple(
        Adjudication(
            adjudication_id=f"d{number}",
            study_id="example",
            generation_id=judged[0].generation_id,
            adjudicator_id="J1",
            judgement=Judgement(
                item_judgement="valid",
                response_judgement="failure",
                labels=(Label(code=code, primary=True),),
                severity="3",
            ),
            taken_over=False,
            comment="=SUM(A1)",
            cites=tuple(one.annotation_id for one in judged),
            stands=number == 1,
            taxonomy_version="1",
            created_at=datetime(2026, 1, 2, number, tzinfo=UTC),
        )
        for number, code in enumerate(("hallucination", "omission.missed_step"))
    )


def _typos(instances: tuple[Instance, ...]) -> tuple[Instance, ...]:
    return tuple(
        one.model_copy(
            update={
                "instance_id": f"{one.instance_id}-typo",
                "variant": "input.typo",
                "base_id": one.instance_id,
                "expected": "same",
            }
        )
        for one in instances
    )


def _shuffles(instances: tuple[Instance, ...]) -> tuple[Instance, ...]:
    return tuple(
        one.model_copy(
            update={
                "instance_id": f"{one.instance_id}-shuffle-{order}",
                "variant": f"options.shuffle.{order}",
                "base_id": one.instance_id,
                "expected": "same",
                "answer": OPTIONS[0],
                "options": OPTIONS,
                "scoring": "choice",
            }
        )
        for one in instances[:PATIENTS]
        for order in range(1, ORDERS + 1)
    )


def _right(run: str, n: int, one: Instance) -> bool:
    if one.variant is not None and one.variant.startswith("options"):
        return n % 7 != 0
    return (7 * n + 3 * len(one.variant or "") + (run == "run2")) % 5 < 3


def _generation(run: str, n: int, one: Instance) -> Generation:
    return Generation(
        generation_id=f"{run}-{one.instance_id}",
        run_id=run,
        instance_id=one.instance_id,
        text=f"The answer is {n}.",
        finish_reason="stop",
        answer_confidence=0.5 + 0.09 * (n % 5) if run == "run1" else None,
    )


def _score(run: str, n: int, one: Instance) -> Score:
    right = _right(run, n, one)
    return Score(
        generation_id=f"{run}-{one.instance_id}",
        parsed=one.answer if right else "101",
        form="json",
        status="correct" if right else "incorrect",
        strict=right and n % 2 == 0,
        lenient=right,
        reason="made up",
    )


def _judged(n: int, score: Score, who: int) -> Annotation:
    """Annotators follow the score but for two: the first drawn they accept, the last right one they fail."""
    wrong = not score.lenient
    if n in (0, 6):
        wrong = not wrong
    made = _annotation(n, score.generation_id, who, simulated=False)
    if wrong:
        return made
    return made.model_copy(
        update={"item_judgement": "valid", "response_judgement": "acceptable", "labels": (), "severity": None}
    )
