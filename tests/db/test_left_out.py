"""What an upheld contest invalidated is drawn in no later study, and every way to open one says so."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import GenerationRow, InstanceRow, StudyItemRow
from clinicnum.db.work.studies import study_lifecycle, study_planning
from clinicnum.errors import Conflict, InputError
from tests.db.adjudicating import next_of
from tests.db.examples import FAILURE, open_study
from tests.db.test_contests import answered, contest, look, sums, uphold

SAID = (
    "left out: 6 answers to 3 instances that upheld contests invalidated: "
    "6 of 3 by study six (by hand: group)"
)


def two_groups() -> Material:
    """Two questions in three representations each, answered wrongly by two models: 12 generations."""
    return answered(sums(), {"One": False, "Two": False})


def upheld(engine: Engine) -> tuple[Material, set[str]]:
    """A study on two questions, one of which an upheld contest took out; the ids of its three instances."""
    made = two_groups()
    people = contest(engine, made=made)
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    group = item.instance.group_id
    return made, {one.instance_id for one in made.instances if one.group_id == group}


def drawn(engine: Engine, name: str) -> list[tuple[str, float]]:
    """(instance, inclusion probability) of each item of a study."""
    statement = (
        select(col(InstanceRow.instance_id), col(StudyItemRow.inclusion_probability))
        .join(GenerationRow, col(GenerationRow.instance) == col(InstanceRow.id))
        .join(StudyItemRow, col(StudyItemRow.generation) == col(GenerationRow.id))
    )
    with reading(engine) as session:
        study = study_lifecycle.find_study(session, name)
        rows = session.execute(statement.where(col(StudyItemRow.study_id) == study.id))
        return [(instance, chance) for instance, chance in rows]


def planned(
    engine: Engine, references: dict[str, object] | None = None, **design: object
) -> study_planning.PlannedStudy:
    with reading(engine) as session:
        return study_planning.plan_stored(
            session,
            runs=["One", "Two"],
            annotators=["ann", "ben"],
            design=Design.model_validate({"overlap": 2, "include": "all", **design}),
            seed=3,
            references=references,  # type: ignore[arg-type]
        )


def test_no_later_study_draws_an_invalidated_instance_and_chances_are_over_what_remains(
    engine: Engine,
) -> None:
    made, gone = upheld(engine)
    open_study(engine, made, name="later", include="all", size=3)
    found = drawn(engine, "later")
    assert {chance for _, chance in found} == {3 / 6}
    assert len(found) == 3
    assert not {instance for instance, _ in found} & gone
    plan = planned(engine)
    preview = plan.preview()
    assert (preview.available, preview.drawn, preview.of_invalidated()) == (6, 6, SAID)
    with writing(engine) as session:
        study_planning.open_planned(session, plan, name="latest", taxonomy=load_taxonomy())
    assert not {instance for instance, _ in drawn(engine, "latest")} & gone
    written = planned(engine, where={"representations": ["structured"]}).preview()
    assert written.of_invalidated().startswith("left out: 2 answers to 1 instance "), "what passes the filter"


def test_a_reference_on_an_invalidated_instance_is_refused_with_what_to_do(engine: Engine) -> None:
    made, gone = upheld(engine)
    on = {one.instance_id: one.generation_id for one in made.generations()}
    references = {on[key]: FAILURE for key in sorted(on)}
    with pytest.raises(InputError, match=r"3 references on invalidated instances.*delete these") as caught:
        open_study(engine, made, name="later", references=references, controls=1)
    assert "study 'six'" in str(caught.value)
    with pytest.raises(InputError, match="3 references on invalidated instances"):
        planned(engine, references=dict(references), training=1).preview()
    kept = {on[key]: FAILURE for key in sorted(on) if key not in gone}
    open_study(engine, made, name="later", references=kept, controls=1)


def test_a_study_of_nothing_but_invalidated_failures_says_that_they_are_left_out(engine: Engine) -> None:
    made, gone = upheld(engine)
    one = sorted({one.run_id for one in made.generations()})[0]
    runs = tuple(run for run in made.runs if run.generations[0].run_id == one)
    said = {gen.generation_id: gen.instance_id for run in runs for gen in run.generations}
    scores = tuple(
        score.model_copy(update={} if said[score.generation_id] in gone else {"status": "correct"})
        for score in made.scores
        if score.generation_id in said
    )
    with pytest.raises(InputError, match="3 more are left out: upheld contests invalidated"):
        open_study(engine, replace(made, runs=runs, scores=scores), name="later")


def test_a_study_planned_before_a_contest_was_upheld_is_not_opened(engine: Engine) -> None:
    people = contest(engine, made=two_groups())
    plan = planned(engine)
    assert plan.left_out is None
    item = next_of(engine, people["ada"])
    uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark)
    with pytest.raises(Conflict, match="upheld after the study was planned"), writing(engine) as session:
        study_planning.open_planned(session, plan, name="later", taxonomy=load_taxonomy())
