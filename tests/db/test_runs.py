"""Runs in the database before and without a study, and studies opened on them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.study_design import Design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.study_summary import RunSummary
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, ScoreRow, StudyItemRow, StudyRunRow, StudyScoreRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import adjudicate
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.runs import stored_runs
from clinicnum.db.work.studies import study_changes, study_lifecycle
from clinicnum.db.work.studies.references_from_closed_study import closed_references
from clinicnum.errors import InputError
from tests.db.examples import FAILURE, MODEL, SHA, add_users, material, open_study


def add(engine: Engine, made: Material) -> tuple[RunSummary, ...]:
    with writing(engine) as session:
        return stored_runs.add_runs(session, material=made)


def listed(engine: Engine) -> tuple[RunSummary, ...]:
    with reading(engine) as session:
        return stored_runs.list_runs(session)


def test_a_run_is_listed_with_its_model_counts_and_studies(engine: Engine) -> None:
    add_users(engine)
    (added,) = add(engine, material(wrong=4, right=2))
    assert (added.run_id, added.benchmark_id, added.model) == ("run-of-llama", "bench", MODEL)
    assert (added.generations, added.scored, added.studies) == (6, 6, ())
    assert added.statuses == {"correct": 2, "incorrect": 4}
    open_study(engine, material(wrong=4, right=2))
    assert [one.studies for one in listed(engine)] == [("six",)]
    with reading(engine) as session:
        assert session.scalars(select(col(AuditRow.action)).where(col(AuditRow.action) == "add_run")).all()


def test_a_run_that_grew_is_added_to_and_keeps_its_newest_meta(engine: Engine) -> None:
    made = material(wrong=4)
    half = replace(
        made, runs=(replace(made.runs[0], generations=made.generations()[:2]),), scores=made.scores[:2]
    )
    assert add(engine, half)[0].generations == 2
    grown = replace(made, runs=(replace(made.runs[0], meta={"model": "renamed", "benchmark_sha256": SHA}),))
    (again,) = add(engine, grown)
    assert (again.generations, again.model) == (4, "renamed")


def test_scores_given_anew_take_the_place_of_the_old_ones_and_the_old_come_back(engine: Engine) -> None:
    made = material(wrong=2)
    other = replace(
        made,
        scores=tuple(
            one.model_copy(update={"status": "correct", "strict": True, "lenient": True})
            for one in made.scores
        ),
    )
    for given, statuses in ((made, {"incorrect": 2}), (other, {"correct": 2}), (made, {"incorrect": 2})):
        assert add(engine, given)[0].statuses == statuses
    with reading(engine) as session:
        assert sorted(session.scalars(select(col(ScoreRow.current)))) == [False, False, True, True]


def test_samples_that_are_stored_together_are_called_by_their_numbers(engine: Engine) -> None:
    made = [material(wrong=2, run_id=f"sample-{number}") for number in (1, 2)]
    runs = tuple(
        replace(one.runs[0], meta=one.runs[0].meta | {"decoding": {"sample": number}})
        for number, one in enumerate(made, start=1)
    )
    both = replace(made[0], runs=runs, scores=(*made[0].scores, *made[1].scores))
    assert [one.label for one in add(engine, both)] == [f"{MODEL} #1", f"{MODEL} #2"]
    for label, called in (("ours", "ours"), ("", "ours"), ("x" * 80, "x" * 77)):
        with writing(engine) as session:
            added = stored_runs.add_runs(session, material=both, label=label)
        assert [one.label for one in added] == [f"{called} #1", f"{called} #2"]
    assert add(engine, made[0])[0].label == f"{'x' * 77} #1"


def test_accuracy_of_a_run_is_that_of_its_current_scores(engine: Engine) -> None:
    made = material(wrong=4, right=12)
    plain = tuple(one.model_copy(update={"flags": (), "variant": None}) for one in made.instances)
    add(engine, replace(made, instances=plain))
    with reading(engine) as session:
        overall = stored_runs.run_accuracy(session, run="run-of-llama").overall
    assert overall is not None
    assert (overall.n, overall.correct, overall.n_subjects) == (16, 12, 16)
    assert overall.interval.low is not None


def test_a_study_on_stored_runs_is_the_one_that_the_files_would_open(engine: Engine) -> None:
    add_users(engine)
    made = material(wrong=9, right=5)
    both = (made.runs[0], material(wrong=9, right=5, run_id="run-of-qwen").runs[0])
    scores = (*made.scores, *material(wrong=9, right=5, run_id="run-of-qwen").scores)
    open_study(engine, replace(made, runs=both, scores=scores), name="files", overlap=2, size=8)
    with writing(engine) as session:
        stored = stored_runs.load_stored(session, runs=["run-of-llama", "run-of-qwen"])
        study_lifecycle.create_study(
            session,
            name="stored",
            material=stored.material,
            loaded=stored.loaded,
            annotators=["ann", "ben", "eve"],
            design=Design(overlap=2, size=8),
            seed=0,
            taxonomy=load_taxonomy(),
        )

    def held(name: str) -> list[list[Any]]:
        statements = (
            select(StudyItemRow).order_by(col(StudyItemRow.position)),
            select(StudyScoreRow).order_by(col(StudyScoreRow.position)),
            select(StudyRunRow).order_by(col(StudyRunRow.run)),
        )
        with reading(engine) as session:
            key = study_lifecycle.find_study(session, name).id
            return [
                [
                    row.model_dump(exclude={"study_id", "item_id"})
                    for row in session.scalars(one)
                    if row.study_id == key
                ]
                for one in statements
            ]

    assert held("stored") == held("files")


def test_runs_that_cannot_be_taken_are_refused_by_name(engine: Engine) -> None:
    add(engine, material(wrong=2))
    elsewhere = material(wrong=2)
    moved = tuple(one.model_copy(update={"benchmark_id": "other"}) for one in elsewhere.instances)
    add(engine, replace(elsewhere, instances=moved))
    with reading(engine) as session:
        keys = {one.benchmark_id: one.run for one in stored_runs.list_runs(session)}
        for names, complaint in (
            ([], "no run was chosen"),
            (["nobody"], "there is no run 'nobody'; choose one of those there are"),
            (["run-of-llama"], "several runs are called .run-of-llama.; name one by its key"),
            ([keys["bench"], keys["bench"]], "chosen twice"),
            ([keys["bench"], keys["other"]], r"the runs are on 2 benchmarks \(bench, other\)"),
        ):
            with pytest.raises(InputError, match=complaint):
                stored_runs.load_stored(session, runs=names)


def test_runs_that_do_not_fit_together_are_not_loaded(engine: Engine) -> None:
    made = material(wrong=2)
    with pytest.raises(InputError, match="1 of 2 generations have no score"):
        add(engine, replace(made, scores=made.scores[1:]))
    assert listed(engine) == ()


def test_references_are_the_items_that_a_closed_study_agreed_on(engine: Engine) -> None:
    people = {one.name: one.user_id for one in add_users(engine)}
    open_study(engine, material(wrong=4), overlap=2, annotators=["ann", "ben"])
    odd = FAILURE.model_copy(update={"severity": "0"})
    for name in ("ann", "ben"):
        for _ in range(4):
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=people[name])
                assert item is not None
                apart = name == "ben" and item.instance.context and item.progress.done == 0
                annotate.submit(
                    session,
                    user_id=people[name],
                    assignment_id=item.assignment_id,
                    revision=0,
                    judgement=odd if apart else FAILURE,
                    active_ms=5,
                )
    with reading(engine) as session:
        stored = stored_runs.load_stored(session, runs=["run-of-llama"])
        with pytest.raises(InputError, match="'six' is open; references come from a closed one"):
            closed_references(session, "six", loaded=stored.loaded)
    with writing(engine) as session:
        ada = users.add_user(session, name="ada", role="adjudicator", password=None).user_id
        study_lifecycle.close_study(session, name="six")
    with reading(engine) as session:
        found = closed_references(session, "six", loaded=stored.loaded)
    assert len(found) == 3
    with writing(engine) as session:
        study_changes.reopen_study(session, name="six")
        presented = adjudicate.next_adjudication_item(session, user_id=ada).presented
        assert presented is not None
        adjudicate.decide(
            session,
            user_id=ada,
            study_id=presented.study_id,
            item=presented.item,
            seen=presented.seen,
            judgement=FAILURE.model_copy(update={"rationale": "decided"}),
        )
        study_lifecycle.close_study(session, name="six")
    with reading(engine) as session:
        found = closed_references(session, "six", loaded=stored.loaded)
    assert sorted(str(one.rationale) for one in found.values()) == ["None", "None", "None", "decided"]
    for judgement in found.values():
        if judgement.rationale == "decided":
            continue
        assert [label.code for label in judgement.labels] == ["causal_reasoning.arithmetic_slip"]
        assert (judgement.severity, judgement.missing()) == ("2", None)
