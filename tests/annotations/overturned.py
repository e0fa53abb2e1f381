"""A study whose adjudicator overturns the majority, and leaves one disagreement open; made up.

On each of its generations two annotators call an omission and one a hallucination. The adjudicator decides
for the hallucination on every other one and accepts the answers between; the last generation has three
classes and no decision.
"""

from datetime import UTC, datetime

from clinicnum.annotations.adjudication import Adjudication
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.types import Annotation
from tests.annotations.report_example import study

CODES = ("omission.missed_step", "omission.missed_step", "hallucination")
THREE = ("omission", "contextual_inconsistency", "hallucination")


def overturned_study() -> StudyTables:
    """The study; annotators are people."""
    plain = study(simulated=False)
    drawn = [one.generation_id for one in plain.inclusions]
    annotations = tuple(
        _with_code(one, (THREE if one.generation_id == drawn[-1] else CODES)[n % 3])
        for n, one in enumerate(plain.annotations)
    )
    return plain.model_copy(
        update={
            "study_name": "overturned",
            "annotations": annotations,
            "adjudications": tuple(
                _decision(key, n, [one for one in annotations if one.generation_id == key])
                for n, key in enumerate(drawn[:-1])
            ),
        }
    )


def _with_code(one: Annotation, code: str) -> Annotation:
    return one.model_copy(update={"labels": (Label(code=code, primary=True),), "severity": "1"})


def _decision(key: str, n: int, cited: list[Annotation]) -> Adjudication:
    failure = n % 2 == 0
    return Adjudication(
        adjudication_id=f"d{n}",
        study_id="example",
        generation_id=key,
        adjudicator_id="J1",
        judgement=Judgement(
            item_judgement="valid",
            response_judgement="failure" if failure else "acceptable",
            labels=(Label(code="hallucination", primary=True),) if failure else (),
            severity="3" if failure else None,
        ),
        taken_over=failure,
        cites=tuple(one.annotation_id for one in cited),
        stands=True,
        taxonomy_version="1",
        created_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
