"""Runs on templates of the bank, labelled failures in a closed study, and a contest that was upheld."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.engine import writing
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from clinicnum.types import Generation, Instance, Score
from tests.clinicnum.lint_planting import bench
from tests.db.adjudicating import add_role, next_of
from tests.db.examples import add_users, open_study
from tests.db.prepared import made_once
from tests.db.test_annotate import submit
from tests.db.test_contests import contest, look, maybe_next, uphold

TEMPLATES = ("arithmetic.bp_sum", "arithmetic.pulse_pressure", "arithmetic.shock_index")
SLIP, OTHER = "causal_reasoning.arithmetic_slip", "contextual_inconsistency.wrong_record"


@cache
def of_the_bank() -> tuple[Template, ...]:
    """The base bank's TEMPLATES."""
    return tuple(one for one in named_bank("base") if one.id in TEMPLATES)


def asked(templates: Sequence[str] = TEMPLATES, each: int = 4) -> list[Instance]:
    """So many unflagged instances of each template, that are no variants."""
    plain = [one for one in bench() if one.variant is None and not one.flags]
    return [one for name in templates for one in [p for p in plain if p.template_id == name][:each]]


def is_right(run: int, item: int) -> bool:
    """Run number 0 is the worst; which items it gets right looks arbitrary."""
    return (item * 7 + run * 5) % 13 < run


def graded(instances: Sequence[Instance], number: int) -> Material:
    """So many runs, right where `is_right` says so."""
    made_runs, scores = [], []
    for run in range(number):
        said = []
        for place, one in enumerate(instances):
            right, key = is_right(run, place), f"run{run}-{place}"
            said.append(
                Generation(
                    generation_id=key,
                    run_id=f"run{run}",
                    instance_id=one.instance_id,
                    text=f"I added the two values and got {one.answer if right else 'something'}",
                    finish_reason="stop",
                )
            )
            scores.append(
                Score(
                    generation_id=key,
                    parsed=one.answer if right else "4711",
                    form="json",
                    status="correct" if right else "incorrect",
                    strict=right,
                    lenient=right,
                    reason="made up",
                )
            )
        made_runs.append(Run(meta={"model": f"acme/Model-{run}"}, generations=tuple(said)))
    return Material(
        benchmark_meta={}, instances=tuple(instances), runs=tuple(made_runs), scores=tuple(scores)
    )


def add_graded(engine: Engine, number: int, instances: Sequence[Instance] | None = None) -> Material:
    """So many runs on templates of the bank."""
    made = graded(instances or asked(), number)
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
        stored_runs.add_runs(session, material=made)
    return made


def failing(code: str) -> Judgement:
    return Judgement(
        item_judgement="valid",
        response_judgement="failure",
        labels=(Label(code=code, primary=True),),
        severity="1",
        rationale="only the annotator wrote this",
    )


@made_once
def closed_study(engine: Engine) -> dict[str, str]:
    """Two wrong answers that three annotators labelled, closed; ids by name."""
    made = graded(asked(("arithmetic.bp_sum",), each=2), 1)
    people = {user.name: user.user_id for user in add_users(engine)}
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    open_study(engine, made, name="labelled", include="all")
    for name, code in (("ann", SLIP), ("ben", SLIP), ("eve", OTHER)):
        while (item := maybe_next(engine, people[name])) is not None:
            submit(engine, people[name], item, failing(code))
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="labelled", actor="command line")
    return {**people, "cur": add_role(engine, "cur", "curator")}


def upheld(engine: Engine) -> dict[str, str]:
    """An open study `six`, in which the gold of a bp_sum was contested and 7 upheld; ids by name."""
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    wrong = failing(SLIP).model_copy(update={"item_judgement": "gold_wrong", "proposed_gold": "7"})
    people = contest(engine, wrong)
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    return {**people, "cur": add_role(engine, "cur", "curator")}
