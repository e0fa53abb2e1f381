"""A run of 1,000 answers, a subject each: all 100 scored wrong are judged, and 18 of the 900 scored right."""

from clinicnum.annotations.judgement import Label
from clinicnum.annotations.report.study_tables import Inclusion, StudyTables
from clinicnum.annotations.types import Annotation
from tests.annotations.report_example import study

WRONG, RIGHT, JUDGED = 100, 900, 18


def stratified_study() -> StudyTables:
    """Three annotators call each of the 100 a failure, every other one an omission, and none of the 18."""
    plain = study(simulated=False)
    instance, generation, score = plain.instances[0], plain.generations[1], plain.scores[1]
    names = [f"{n:04}" for n in range(WRONG + RIGHT)]
    drawn = names[: WRONG + JUDGED]
    return plain.model_copy(
        update={
            "instances": tuple(
                instance.model_copy(update={"instance_id": f"i{one}", "subject_id": f"s{one}", "flags": ()})
                for one in names
            ),
            "generations": tuple(
                generation.model_copy(update={"generation_id": one, "instance_id": f"i{one}"})
                for one in names
            ),
            "scores": tuple(
                score.model_copy(
                    update={
                        "generation_id": one,
                        "status": "incorrect" if n < WRONG else "correct",
                        "strict": n >= WRONG,
                        "lenient": n >= WRONG,
                    }
                )
                for n, one in enumerate(names)
            ),
            "inclusions": tuple(
                Inclusion(
                    generation_id=one,
                    stratum="failure" if n < WRONG else "correct",
                    probability=1.0 if n < WRONG else JUDGED / RIGHT,
                )
                for n, one in enumerate(drawn)
            ),
            "annotations": tuple(
                _judged(plain.annotations[0], one, who, n) for n, one in enumerate(drawn) for who in range(3)
            ),
            "contests": (),
        }
    )


def _judged(like: Annotation, generation: str, who: int, n: int) -> Annotation:
    code = "omission.missed_step" if n % 2 else "hallucination"
    failure = n < WRONG
    return like.model_copy(
        update={
            "annotation_id": f"a{generation}-{who}",
            "generation_id": generation,
            "annotator_id": f"annotator-{who + 1}",
            "item_judgement": "valid",
            "response_judgement": "failure" if failure else "acceptable",
            "labels": (Label(code=code, primary=True),) if failure else (),
            "severity": "1" if failure else None,
        }
    )
