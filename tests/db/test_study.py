"""Opening a study: all of its material or none of it, on a real database."""

from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from annotations.material import Material, Run
from annotations.taxonomy import load_taxonomy
from clinicnum.errors import InputError
from clinicnum.types import Suggestion
from db.engine import reading, writing
from db.rows import (
    AssignmentRow,
    BenchmarkRow,
    GenerationRow,
    InstanceRow,
    Row,
    RunRow,
    ScoreRow,
    StudyItemRow,
    StudyRow,
    TemplateRow,
)
from db.work import study, users
from tests.db.examples import add_users, material, open_study


def count(engine: Engine, table: type[Row]) -> int:
    with reading(engine) as session:
        return session.scalars(select(func.count()).select_from(table)).one()


def test_a_study_holds_what_was_asked_for(engine: Engine) -> None:
    add_users(engine, ["ann", "ben", "eve", "ida"])
    summary = open_study(
        engine, material(wrong=17, right=20), annotators=["ann", "BEN ", "eve", "ida"], overlap=3
    )
    assert (summary.generations, summary.annotators, summary.assignments) == (20, 4, 60)
    assert (summary.status, summary.submitted, summary.simulated_annotators) == ("open", 0, 0)
    with reading(engine) as session:
        rows = list(session.scalars(select(AssignmentRow)))
        items = {item.generation: item for item in session.scalars(select(StudyItemRow))}
        template = session.scalars(select(TemplateRow)).one()
    assert set(Counter(row.generation for row in rows).values()) == {3}
    assert set(Counter(row.user_id for row in rows).values()) == {15}
    chances = Counter((item.stratum, item.inclusion_probability) for item in items.values())
    assert chances == {
        ("arithmetic/structured/failure", 1.0): 17,
        ("arithmetic/structured/correct", 3 / 20): 3,
    }
    assert (template.template_id, template.version, template.status) == ("pulse_pressure", 1, "unreviewed")


def test_the_same_files_in_a_second_study_are_stored_once(engine: Engine) -> None:
    add_users(engine)
    open_study(engine, name="one")
    tables = (BenchmarkRow, InstanceRow, RunRow, GenerationRow, ScoreRow, TemplateRow)
    before = [count(engine, table) for table in tables]
    assert before == [1, 6, 1, 6, 6, 1]
    open_study(engine, name="two")
    assert [count(engine, table) for table in tables] == before
    assert count(engine, StudyRow) == 2


def test_several_runs_come_into_one_study(engine: Engine) -> None:
    add_users(engine)
    one, two = material(wrong=4), material(wrong=4, run_id="run-of-qwen")
    both = replace(one, runs=one.runs + two.runs, scores=one.scores + two.scores)
    assert open_study(engine, both).generations == 8
    assert count(engine, RunRow) == 2
    assert count(engine, InstanceRow) == 4


def test_a_new_score_of_the_same_generation_leaves_the_older_study_as_it_was(engine: Engine) -> None:
    add_users(engine)
    open_study(engine, name="one")
    made = material()
    open_study(
        engine,
        replace(made, scores=tuple(s.model_copy(update={"reason": "scored anew"}) for s in made.scores)),
        name="two",
    )
    assert count(engine, ScoreRow) == 12


def _changed(made: Material) -> Material:
    first = made.instances[0].model_copy(update={"question": "Something else?"})
    return replace(made, instances=(first, *made.instances[1:]))


def _other_benchmark(made: Material) -> Material:
    return replace(made, benchmark_meta={"sha256": "c" * 64})


def _with_suggestion(made: Material, generation_id: str, code: str) -> Material:
    suggestion = Suggestion(generation_id=generation_id, code=code, rule="r", rank=1, sentence="It is so.")
    return replace(made, suggestions=(suggestion,))


GOOD = material()
WRONG_STUDIES = {
    "unknown annotator": (GOOD, {"annotators": ["ann", "bob"]}, "no user 'bob'; add the account first"),
    "not an annotator": (GOOD, {"annotators": ["ann", "boss"]}, "'boss' has the role admin"),
    "switched off": (GOOD, {"annotators": ["ann", "gone"]}, "'gone' is switched off"),
    "named twice": (GOOD, {"annotators": ["ann", "ann"]}, "named twice"),
    "overlap too large": (GOOD, {"overlap": 4}, "overlap 4 with 3 annotators"),
    "overlap zero": (GOOD, {"overlap": 0}, "overlap 0 with 3 annotators"),
    "name taken": (GOOD, {"name": " first "}, "study 'first' exists already"),
    "no name": (GOOD, {"name": " "}, "study name ' ' cannot be used"),
    "no failures": (material(wrong=0, right=3), {}, "none of the 3 generations is a failure"),
    "bad include": (GOOD, {"include": "some"}, "--include 'some' does not exist"),
    "no instances": (replace(GOOD, instances=()), {}, "benchmark has no instances"),
    "no generations": (replace(GOOD, runs=()), {}, "generations files hold no line"),
    "run twice": (replace(GOOD, runs=GOOD.runs * 2), {}, "given more than once"),
    "score of a stranger": (
        replace(GOOD, runs=(Run({}, GOOD.generations()[1:]),)),
        {},
        "scores name unknown",
    ),
    "unscored": (replace(GOOD, scores=GOOD.scores[1:]), {}, "1 of 6 generations have no score"),
    "stranger instance": (
        replace(GOOD, instances=GOOD.instances[1:]),
        {},
        "generations name unknown instances",
    ),
    "other benchmark": (_other_benchmark(GOOD), {}, "sha256 bbbbbbbbbbbb, the one given has cccccccccccc"),
    "changed instance": (_changed(GOOD), {}, "instance_id i0 is in the database already with other content"),
    "suggestion's stranger": (_with_suggestion(GOOD, "none", "omission"), {}, "suggestions name unknown"),
    "suggestion's code": (
        _with_suggestion(GOOD, GOOD.scores[0].generation_id, "laziness"),
        {},
        "'laziness' is not in taxonomy",
    ),
}


def test_a_study_that_cannot_be_opened_stores_nothing_and_says_why(engine: Engine) -> None:
    add_users(engine, ["ann", "ben", "eve", "gone"])
    with writing(engine) as session:
        users.add_user(session, name="boss", role="admin", password=None)
        users.set_active(session, name="gone", active=False)
    open_study(engine, name="first")
    tables = sorted(Row.metadata.tables)

    def stored() -> list[int]:
        with reading(engine) as session:
            statements = [select(func.count()).select_from(Row.metadata.tables[table]) for table in tables]
            return [session.execute(statement).scalar_one() for statement in statements]

    before = stored()
    for case, (made, arguments, complaint) in WRONG_STUDIES.items():
        with pytest.raises(InputError, match=complaint):
            open_study(engine, made, **{"name": case, **arguments})  # type: ignore[arg-type]
        assert stored() == before, case


def test_suggestions_are_kept_with_their_study_and_hidden(engine: Engine) -> None:
    add_users(engine)
    made = _with_suggestion(GOOD, GOOD.scores[0].generation_id, "omission.missed_step")
    open_study(engine, made)
    with reading(engine) as session:
        assert session.scalars(select(StudyRow)).one().suggestion_policy == "hidden"


def test_a_changed_taxonomy_needs_a_new_version(engine: Engine) -> None:
    add_users(engine)
    open_study(engine, name="one")
    changed = load_taxonomy().model_copy(update={"order": ("read",)})
    with (
        pytest.raises(InputError, match="taxonomy clinical-numeracy 1 is in the database already"),
        writing(engine) as session,
    ):
        study.create_study(
            session,
            name="two",
            material=material(),
            annotators=["ann"],
            overlap=1,
            include="mixed",
            seed=0,
            taxonomy=changed,
        )


def test_the_taxonomy_comes_back_as_it_was(engine: Engine) -> None:
    add_users(engine)
    summary = open_study(engine)
    with reading(engine) as session:
        assert study.taxonomy_of_study(session, study_id=summary.study_id) == load_taxonomy()


def test_an_unknown_study_is_named_beside_the_known_ones(engine: Engine) -> None:
    add_users(engine)
    with pytest.raises(InputError, match="none yet"), writing(engine) as session:
        study.close_study(session, name="six")
    open_study(engine)
    with (
        pytest.raises(InputError, match="no study 'seven'; expected one of: six"),
        writing(engine) as session,
    ):
        study.close_study(session, name="seven")


def test_the_order_of_the_work_differs_between_annotators_and_not_between_databases(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with reading(engine) as session:
        orders = {
            name: list(
                session.scalars(
                    select(col(GenerationRow.generation_id))
                    .join(AssignmentRow, col(AssignmentRow.generation) == col(GenerationRow.id))
                    .where(col(AssignmentRow.user_id) == user_id)
                    .order_by(col(AssignmentRow.position))
                )
            )
            for name, user_id in annotators.items()
        }
    assert len({tuple(order) for order in orders.values()}) == 3
    assert orders["ann"] == [f"run-of-llama-g{number}" for number in (3, 2, 4, 5, 0, 1)]
