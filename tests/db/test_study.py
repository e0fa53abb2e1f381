"""Opening a study: all of its material or none of it, on a real database."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.annotations.study_design import Design, Filter
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import (
    AssignmentRow,
    BenchmarkRow,
    GenerationRow,
    InstanceRow,
    ReferenceRow,
    Row,
    RunRow,
    ScoreRow,
    StudyAnnotatorRow,
    StudyItemRow,
    StudyRow,
    TemplateRow,
)
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import InputError
from tests.db.examples import BLIND, FAILURE, add_users, material, open_study, with_suggestion


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
        assert list(session.scalars(select(AssignmentRow))) == []
        items = {item.generation: item for item in session.scalars(select(StudyItemRow))}
        template = session.scalars(select(TemplateRow)).one()
        assert set(session.scalars(select(col(StudyAnnotatorRow.total)))) == {15}
    assert sorted(item.position for item in items.values()) == list(range(20))
    assert {(item.round, item.places, item.taken) for item in items.values()} == {("main", 3, 0)}
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


GOOD = material()
WRONG_STUDIES: dict[str, tuple[Material, dict[str, Any], str]] = {
    "unknown annotator": (GOOD, {"annotators": ["ann", "bob"]}, "no user 'bob'; add the account first"),
    "not an annotator": (GOOD, {"annotators": ["ann", "boss"]}, "'boss' has the role admin"),
    "switched off": (GOOD, {"annotators": ["ann", "gone"]}, "'gone' is switched off"),
    "named twice": (GOOD, {"annotators": ["ann", "ann"]}, "named twice"),
    "overlap too large": (
        GOOD,
        {"overlap": 4},
        "4 people are to label each answer, but only 3",
    ),
    "overlap zero": (GOOD, {"overlap": 0}, "cannot be opened like this: overlap"),
    "name taken": (
        GOOD,
        {"name": " first "},
        r"there is a study 'first' already; choose another name \(--name\)",
    ),
    "no name": (GOOD, {"name": " "}, r"the study has no name yet; give it one \(--name\)"),
    "long name": (GOOD, {"name": "x" * 101}, "has 101 characters; expected at most 100"),
    "name with a control character": (GOOD, {"name": "a\0b"}, "characters that cannot be shown"),
    "no failures": (material(wrong=0, right=3), {}, "none of the 3 generations is a failure"),
    "too few references": (GOOD, {"training": 2, "controls": 1}, "need 3 references; got 0"),
    "reference of a stranger": (GOOD, {"references": {"g": BLIND}}, "1 references name unknown generations"),
    "reference half made": (
        GOOD,
        {"references": {GOOD.scores[0].generation_id: FAILURE.model_copy(update={"labels": ()})}},
        "is incomplete: A failure needs a primary label",
    ),
    "nothing left by the filter": (
        GOOD,
        {"where": {"operations": ["retrieval"]}},
        "none of the 0 generations is a failure",
    ),
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
    "suggestion's stranger": (with_suggestion(GOOD, "none", "omission"), {}, "suggestions name unknown"),
    "suggestion's code": (
        with_suggestion(GOOD, GOOD.scores[0].generation_id, "laziness"),
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
            open_study(engine, made, **{"name": case, **arguments})
        assert stored() == before, case


def test_suggestions_are_kept_with_their_study_and_hidden(engine: Engine) -> None:
    add_users(engine)
    made = with_suggestion(GOOD, GOOD.scores[0].generation_id, "omission.missed_step")
    open_study(engine, made)
    with reading(engine) as session:
        assert session.scalars(select(StudyRow)).one().suggestion_policy == "hidden"


def test_an_unknown_study_is_named_beside_the_known_ones(engine: Engine) -> None:
    add_users(engine)
    with pytest.raises(InputError, match="none yet"), writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    open_study(engine)
    with (
        pytest.raises(InputError, match="no study 'seven'; expected one of: six"),
        writing(engine) as session,
    ):
        study_lifecycle.close_study(session, name="seven")


def test_training_and_control_items_are_set_aside_and_everyone_gets_them(engine: Engine) -> None:
    add_users(engine)
    made = material(wrong=9)
    references = {f"run-of-llama-g{number}": FAILURE for number in range(4)}
    summary = open_study(
        engine, made, overlap=2, references=references, training=2, controls=1, repeat_share=0.1
    )
    assert (summary.generations, summary.assignments) == (6, 6 * 2 + 3 * 3)
    with reading(engine) as session:
        items = list(session.scalars(select(StudyItemRow).order_by(col(StudyItemRow.position))))
        assert count(engine, ReferenceRow) == 3
        tables = load_study_tables(session, summary.name)
        assert all(one == FAILURE for one in tables.references.values())
        assert len(tables.references) == 3
        kept = session.scalars(select(StudyRow)).one()
        assert study_lifecycle.design_of(kept) == Design(overlap=2, training=2, controls=1, repeat_share=0.1)
    assert [item.position for item in items] == [-2, -1, *range(7)]
    assert [item.round for item in items[:2]] == ["training", "training"]
    assert Counter((item.round, item.places, item.stratum) for item in items) == {
        ("training", 3, "training"): 2,
        ("control", 3, "control"): 1,
        ("main", 2, "arithmetic/structured/failure"): 6,
    }


def test_a_study_of_a_size_draws_that_many_by_strata_with_their_chances(engine: Engine) -> None:
    add_users(engine)
    where = Filter(statuses=("incorrect", "correct"))
    open_study(engine, material(wrong=20, right=20), size=10, correct_share=0.2, where=where)
    with reading(engine) as session:
        items = list(session.scalars(select(StudyItemRow)))
    assert Counter((item.stratum, item.inclusion_probability) for item in items) == {
        ("arithmetic/structured/failure", 8 / 20): 8,
        ("arithmetic/structured/correct", 2 / 20): 2,
    }
