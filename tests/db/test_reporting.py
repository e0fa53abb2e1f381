"""A study read back whole, and scripted annotators who fill one."""

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.annotation import annotate, unblinded_assignment
from clinicnum.db.work.studies.load_whole_study import (
    load_annotations,
    load_study_agreement,
    load_study_tables,
)
from clinicnum.db.work.studies.study_summaries import list_studies
from clinicnum.errors import InputError, NotAllowed
from clinicnum.scripts.commands.common.simulated_annotators import add_simulated, label_study
from tests.db.examples import FAILURE, MODEL, SHA, add_users, material, open_study

ROBOTS = ("simulated-1", "simulated-2", "simulated-3")


@pytest.fixture
def labelled(engine: Engine) -> Engine:
    """A study of 12 failures and 2 correct answers, labelled by three scripted annotators."""
    add_simulated(engine, ROBOTS)
    add_simulated(engine, ROBOTS)
    summary = open_study(engine, material(wrong=12, right=5), annotators=ROBOTS)
    assert (summary.generations, summary.simulated_annotators) == (14, 3)
    assert label_study(engine, "six", error_rate=0.2, seed=0) == 42
    assert label_study(engine, "six", error_rate=0.2, seed=0) == 0
    return engine


def test_a_study_comes_back_as_it_went_in(labelled: Engine) -> None:
    made = material(wrong=12, right=5)
    with reading(labelled) as session:
        tables = load_study_tables(session, "six")
    assert tables.instances == made.instances
    assert tables.generations == made.generations()
    assert tables.scores == made.scores
    assert tables.benchmark == {"sha256": SHA}
    assert tables.runs == {"run-of-llama": {"model": MODEL, "benchmark_sha256": SHA}}
    assert sorted({one.probability for one in tables.inclusions}) == [2 / 5, 1.0]
    assert len(tables.inclusions) == 14
    assert (tables.taxonomy_name, tables.taxonomy_version, tables.overlap) == ("clinical-numeracy", "2", 3)
    assert tables.taxonomy_codes[1].name == "Missed record"


def test_each_annotator_is_a_pseudonym_typed_simulated_with_every_revision(labelled: Engine) -> None:
    with reading(labelled) as session:
        tables = load_study_tables(session, "six")
    assert "simulated-" not in tables.model_dump_json()
    assert {one.annotator_id for one in tables.annotations} == {"A1", "A2", "A3"}
    assert {one.annotator_kind for one in tables.annotations} == {"simulated"}
    assert len(tables.annotations) == 14 * 3 * 2
    drawn = {one.generation_id for one in tables.inclusions}
    keys = [(one.generation_id, one.annotator_id, one.revision) for one in tables.annotations]
    wanted = [one.generation_id for one in tables.generations if one.generation_id in drawn]
    assert keys == [(g, a, r) for g in wanted for a in ("A1", "A2", "A3") for r in (1, 2)]


def test_agreement_is_computed_from_the_last_revisions_and_says_simulated(labelled: Engine) -> None:
    with reading(labelled) as session:
        figures = load_study_agreement(session, "six")
        detailed = load_study_agreement(session, "six", details=True)
    assert figures.simulated
    result = figures.agreement.layer("response_judgement").result
    assert result is not None
    assert (result.population.items, result.population.labels) == (14, 42)
    beside = detailed.agreement.layer("response_judgement").result
    assert beside is not None
    assert beside.coefficients == result.coefficients
    assert [pair.annotators for pair in beside.pairwise] == [("A1", "A2"), ("A1", "A3"), ("A2", "A3")]
    assert "template" in {one.by for one in beside.beside}


def test_without_errors_the_scripted_annotators_agree_wholly(engine: Engine) -> None:
    add_simulated(engine, ROBOTS)
    open_study(engine, annotators=ROBOTS)
    label_study(engine, "six", error_rate=0, seed=0)
    with reading(engine) as session:
        annotations = load_study_tables(session, "six").annotations
    labels = {label.code for one in annotations for label in one.labels}
    assert labels == {"contextual_inconsistency.wrong_record"}
    assert {one.response_judgement for one in annotations} == {"failure"}


def test_contests_that_stand_are_in_the_tables(engine: Engine, annotators: dict[str, str]) -> None:
    doubts = {
        "ann": Judgement(
            item_judgement="gold_wrong", proposed_gold="7 \x00", response_judgement="acceptable"
        ),
        "ben": Judgement(item_judgement="ambiguous", response_judgement="acceptable"),
    }
    for name, doubt in doubts.items():
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=annotators[name])
            assert item is not None
            who = {"user_id": annotators[name], "assignment_id": item.assignment_id}
            annotate.submit(session, **who, revision=0, judgement=doubt, active_ms=5)
            if name == "ben":
                annotate.submit(session, **who, revision=1, judgement=FAILURE, active_ms=9)
    with reading(engine) as session:
        tables = load_study_tables(session, "six")
        assert load_annotations(session, "no such study") == ()
    (contest,) = tables.contests
    assert (contest.kind, contest.proposed_gold, contest.status) == ("gold_wrong", "7 \x00", "open")
    assert contest.contest_id in {one.annotation_id for one in tables.annotations}
    assert [one.active_ms for one in tables.annotations if one.response_judgement == "failure"] == [9]


def test_a_person_cannot_read_the_gold_as_a_scripted_annotator_does(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=annotators["ann"])
        assert item is not None
        with pytest.raises(NotAllowed, match="Only a simulated annotator"):
            unblinded_assignment.load_unblinded(
                session, user_id=annotators["ann"], assignment_id=item.assignment_id
            )


def test_a_scripted_annotator_reads_its_own_assignments_only(labelled: Engine) -> None:
    robots = add_users(labelled, ["robot"], kind="simulated")
    with reading(labelled) as session:
        item = annotate.previous(session, user_id=_robot(labelled), assignment_id=None)
        assert item is not None
        with pytest.raises(NotAllowed, match="not assigned to you"):
            unblinded_assignment.load_unblinded(
                session, user_id=robots[0].user_id, assignment_id=item.assignment_id
            )


def _robot(engine: Engine) -> str:
    with reading(engine) as session:
        study_id = list_studies(session)[0].study_id
        return unblinded_assignment.simulated_annotators(session, study_id=study_id)[0][0]


def test_labelling_needs_a_study_with_scripted_annotators(engine: Engine, annotators: dict[str, str]) -> None:
    with pytest.raises(InputError, match="has no simulated annotators"):
        label_study(engine, "six", error_rate=0, seed=0)
    with pytest.raises(InputError, match="no study 'none'"):
        label_study(engine, "none", error_rate=0, seed=0)
