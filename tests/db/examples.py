"""A small study made by hand: patients whose pulse pressure was asked, and a model that is wrong for some."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.annotations.types import StudySummary, User
from clinicnum.db.engine import writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.prompt import prompt_hash
from clinicnum.types import Cell, Distractor, Generation, Instance, Record, Score, Suggestion

MODEL = "makers/Llama-3-tiny"
SHA = "b" * 64
FAILURE = Judgement(
    item_judgement="valid",
    response_judgement="failure",
    labels=(
        Label(code="causal_reasoning.arithmetic_slip", primary=True, spans=((0, 4),)),
        Label(code="hallucination", primary=False, cells=(Cell(record=1, vital="sbp_mmhg"),)),
    ),
    severity="2",
    confidence=3,
    rationale="118 - 76 is 42 \x00 <b>",
)
BLIND = Judgement(response_judgement="failure")


def instance(number: int) -> Instance:
    """The gold, 1000 + number, stands nowhere in the records, so that a leak can be told."""
    start = datetime(2180, 5, 10, 6, 27)
    records = tuple(
        Record(
            subject_id=f"s{number}",
            stay_id="1",
            charttime=start + timedelta(hours=hour),
            sbp_mmhg=Decimal(118 + hour),
            dbp_mmhg=Decimal(76),
            temperature_c=Decimal("36.8"),
            source="synthetic",
        )
        for hour in range(2)
    )
    return Instance(
        instance_id=f"i{number}",
        group_id=f"group{number}",
        benchmark_id="bench",
        template_id="pulse_pressure",
        template_version=1,
        tags=("one_step",),
        operation="arithmetic",
        subtype="pulse_pressure",
        steps=1,
        representation="structured",
        variant=None,
        context="time, sbp, dbp",
        question="What is the pulse pressure in the first record?",
        answer=str(1000 + number),
        answer_exact=f"{1000 + number}.00",
        worked=(f"gold is {1000 + number}",),
        answer_type="number",
        decimals=0,
        unit="mmHg",
        evidence=(Cell(record=0, vital="sbp_mmhg"), Cell(record=0, vital="dbp_mmhg")),
        distractors=(
            Distractor(value="2000", rule="wrong_record", code="contextual_inconsistency.wrong_record"),
        ),
        flags=("count_zero",),
        subject_id=f"s{number}",
        records=records,
    )


def material(*, wrong: int = 6, right: int = 0, run_id: str = "run-of-llama") -> Material:
    """`wrong` failures and then `right` correct answers; the model names itself."""
    instances = tuple(instance(number) for number in range(wrong + right))
    generations = tuple(
        Generation(
            generation_id=f"{run_id}-g{number}",
            run_id=run_id,
            instance_id=one.instance_id,
            text=f"I am Llama-3-tiny by {MODEL}: {'2000' if number < wrong else one.answer} \x00 ü",
            finish_reason="stop",
        )
        for number, one in enumerate(instances)
    )
    scores = tuple(
        Score(
            generation_id=generation.generation_id,
            parsed="2000" if number < wrong else instances[number].answer,
            form="lone_number",
            status="incorrect" if number < wrong else "correct",
            strict=number >= wrong,
            lenient=number >= wrong,
            reason=f"the gold is {instances[number].answer}",
        )
        for number, generation in enumerate(generations)
    )
    run = Run(meta={"model": MODEL, "benchmark_sha256": SHA}, generations=generations)
    return Material(benchmark_meta={"sha256": SHA}, instances=instances, runs=(run,), scores=scores)


def as_our_run(made: Material, prompt_ids: Sequence[str] = ("default",), **changes: Any) -> Material:
    """The same as if `clinicnum run` had asked with these prompts; `changes` are of each generation."""
    told = {
        "prompt_hash": prompt_hash(prompt_ids),
        "prompt_ids": sorted(prompt_ids),
        "decoding": {"max_new_tokens": 64, "method": "greedy", "seed": 0},
    }
    runs = (
        Run(
            meta=run.meta | told,
            generations=tuple(one.model_copy(update=changes) for one in run.generations),
        )
        for run in made.runs
    )
    return replace(made, runs=tuple(runs))


def add_users(
    engine: Engine, names: Sequence[str] = ("ann", "ben", "eve"), kind: str = "human"
) -> list[User]:
    """Annotators without a password: hashing one takes longer than the whole rest of a test."""
    with writing(engine) as session:
        return [
            users.add_user(session, name=name, role="annotator", password=None, kind=kind)  # type: ignore[arg-type]
            for name in names
        ]


def open_study(
    engine: Engine,
    made: Material | None = None,
    *,
    name: str = "six",
    annotators: Sequence[str] = ("ann", "ben", "eve"),
    overlap: int = 3,
    include: str = "mixed",
    references: Mapping[str, Judgement] | None = None,
    criteria: Sequence[Criterion] = (),
    **design: Any,
) -> StudySummary:
    """A study of six failures for three annotators, unless told otherwise."""
    with writing(engine) as session:
        return study_lifecycle.create_study(
            session,
            name=name,
            material=made or material(),
            annotators=annotators,
            design=read_design({"overlap": overlap, "include": include, **design}),
            seed=0,
            taxonomy=load_taxonomy(),
            references=references,
            criteria=criteria,
        )


def with_suggestion(made: Material, generation_id: str, code: str) -> Material:
    suggestion = Suggestion(generation_id=generation_id, code=code, rule="r", rank=1, sentence="It is so.")
    return replace(made, suggestions=(suggestion,))
