"""A small study for the tests of reports: made up, deterministic, with every kind of row.

12 patients, one question each in two representations; operation and outcome cycle. `strange` is text that
must be shown and never run.
"""

from datetime import UTC, datetime
from decimal import Decimal

from clinicnum.annotations.judgement import Label, Severity
from clinicnum.annotations.report.study_tables import CodeName, Inclusion, StudyTables
from clinicnum.annotations.types import Annotation, Contest
from clinicnum.types import (
    OPERATIONS,
    Cell,
    Generation,
    Instance,
    Record,
    RepresentationName,
    Score,
)

STRANGE = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{ 7 * 7 }} &amp;"
CODES = (
    CodeName(code="omission", name="Omission"),
    CodeName(code="omission.missed_step", name="Missed step"),
    CodeName(code="contextual_inconsistency", name="Contextual inconsistency"),
    CodeName(code="contextual_inconsistency.wrong_record", name="Wrong record"),
    CodeName(code="hallucination", name="Hallucination"),
)
REPRESENTATIONS: tuple[RepresentationName, ...] = ("structured", "note")
PATIENTS = 12


def study(*, simulated: bool = True, source: str = "synthetic", patients: int = PATIENTS) -> StudyTables:
    """The study; `simulated` types its annotators, `source` is where its records come from."""
    instances = tuple(_instance(n, one, source) for n in range(patients) for one in REPRESENTATIONS)
    generations = tuple(
        Generation(
            generation_id=f"g-{one.instance_id}",
            run_id="run1",
            instance_id=one.instance_id,
            text=f"The heart rate at 06:27 was 9{n % 10}. {STRANGE}",
            finish_reason="stop",
        )
        for n, one in enumerate(instances)
    )
    scores = tuple(_score(n, one) for n, one in enumerate(generations))
    failed = [one for one in scores if not one.lenient]
    return StudyTables(
        study_name="example",
        guideline_version="1",
        taxonomy_name="clinical-numeracy",
        taxonomy_version="1",
        taxonomy_codes=CODES,
        overlap=3,
        benchmark={"benchmark_id": "bench", "sha256": "ab" * 32, "seed": 0},
        runs={
            "run1": {"model": "SmolLM2-135M-Instruct", "dtype": "float32", "packages": {"torch": "2.13.0"}}
        },
        instances=instances,
        generations=generations,
        scores=scores,
        inclusions=tuple(
            Inclusion(generation_id=one.generation_id, stratum="incorrect", probability=0.5) for one in failed
        ),
        annotations=tuple(
            _annotation(n, one.generation_id, annotator, simulated)
            for n, one in enumerate(failed)
            for annotator in range(3)
        ),
        contests=(
            Contest(
                contest_id="c1",
                generation_id=failed[0].generation_id,
                annotator_id="annotator-1",
                kind="gold_wrong",
                proposed_gold="-12.5",
            ),
        ),
    )


def _instance(n: int, representation: RepresentationName, source: str) -> Instance:
    subject = f"s{n:02}"
    records = tuple(
        Record(
            subject_id=subject,
            stay_id=f"stay{n}",
            charttime=datetime(2180, 5, 10, 6 + hour, 27),
            temperature_c=Decimal("36.8"),
            heart_rate_bpm=Decimal(88 + n + hour),
            resp_rate_bpm=Decimal(16),
            spo2_pct=Decimal(97),
            sbp_mmhg=Decimal(121),
            dbp_mmhg=Decimal(74),
            source=source,
        )
        for hour in range(3)
    )
    return Instance(
        instance_id=f"i{n:02}-{representation}",
        group_id=f"group{n}",
        benchmark_id="bench",
        template_id="heart_rate_at",
        template_version=1,
        operation=OPERATIONS[n % 4],
        subtype="value",
        steps=0,
        representation=representation,
        context="context",
        question="What was the heart rate (beats per minute) at 2180-05-10 06:27:00?",
        answer=str(88 + n),
        answer_exact=str(88 + n),
        answer_type="number",
        decimals=0,
        unit="beats per minute",
        evidence=(Cell(record=0, vital="heart_rate_bpm"),),
        flags=("crossing_at_first_record",) if n == 2 else (),
        subject_id=subject,
        records=records,
    )


def _score(n: int, generation: Generation) -> Score:
    right = n % 3 == 0
    status = "correct" if right else ("unparsable" if n % 7 == 1 else "incorrect")
    return Score.model_validate(
        {
            "generation_id": generation.generation_id,
            "parsed": None if status == "unparsable" else f"9{n % 10}",
            "form": None if status == "unparsable" else "lone_number",
            "status": status,
            "strict": right and n % 2 == 0,
            "lenient": right,
            "reason": "equals the gold" if right else "=another value",
        }
    )


def _annotation(n: int, generation_id: str, annotator: int, simulated: bool) -> Annotation:
    code = CODES[1 + 2 * ((n + (annotator == 2 and n % 3 == 0)) % 2)].code
    severity: Severity = "2" if annotator == 1 and n % 4 == 0 else "1"
    return Annotation(
        annotation_id=f"a-{generation_id}-{annotator}",
        study_id="example",
        generation_id=generation_id,
        annotator_id=f"{'simulated' if simulated else 'annotator'}-{annotator + 1}",
        annotator_kind="simulated" if simulated else "human",
        revision=1,
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code=code, primary=True, spans=((4, 14), (10, 28)), context_spans=((0, 5),)),),
        severity=severity,
        rationale=STRANGE if annotator == 0 else None,
        taxonomy_version="1",
        guideline_version="1",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
