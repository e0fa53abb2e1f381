"""The sample project is made and removed as a whole, labels included, and the audit log agrees with both."""

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.escape_markdown import escaped
from clinicnum.annotations.guideline import default_guideline
from clinicnum.annotations.guideline_cases import find_cases
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.api.sample_project import RUNS, sample_material
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import GuidelineRow, Row, StudyItemRow, StudyRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.explore.saved_views import save_view
from clinicnum.db.work.home import sample_project
from clinicnum.db.work.home.scripted_people import RULING
from clinicnum.db.work.runs.stored_runs import list_runs
from clinicnum.db.work.studies import load_whole_study
from clinicnum.db.work.studies.study_summaries import list_studies
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.examples import FAILURE, material, open_study

STAYS = ("audit", "taxonomy", "template")
"""Tables in which the sample leaves something: what was logged, and what every installation has."""


@pytest.fixture(scope="module")
def sample() -> Material:
    return sample_material()


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    roles = {"ann": "annotator", "ben": "annotator", "ada": "adjudicator", "rex": "researcher"}
    with writing(engine) as session:
        return {
            name: users.add_user(session, name=name, role=role, password=None).user_id  # type: ignore[arg-type]
            for name, role in roles.items()
        }


def tables(engine: Engine) -> dict[str, Any]:
    with reading(engine) as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table)).all()))
            for table in Row.metadata.sorted_tables
            if table.name not in STAYS
        }


def make(engine: Engine, material: Material, user_id: str, *annotators: str, labelled: int = 2) -> None:
    with writing(engine) as session:
        sample_project.make_sample(
            session, material, user_id=user_id, annotators=annotators, labelled=labelled
        )


def check_audit(engine: Engine) -> None:
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session))
        assert compare_with_log(session) == ()


def judge_all(engine: Engine, user_id: str, severity: str) -> None:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
        while item is not None:
            annotate.flag(session, user_id=user_id, assignment_id=item.assignment_id, note="what is meant?")
            annotate.submit(
                session,
                user_id=user_id,
                assignment_id=item.assignment_id,
                revision=0,
                judgement=FAILURE.model_copy(update={"severity": severity}),
                active_ms=9,
            )
            item = annotate.next_assignment(session, user_id=user_id)


def test_the_material_is_the_same_each_time_and_has_every_kind_of_failure(sample: Material) -> None:
    assert sample_material() == sample
    statuses = Counter(one.status for one in sample.scores)
    assert set(statuses) >= {"correct", "incorrect", "abstained", "truncated"}
    wrong = {run: 0 for run in RUNS}
    for answer, verdict in zip(sample.generations(), sample.scores, strict=True):
        wrong[answer.run_id] += not verdict.lenient
    assert wrong["sample-hasty"] > wrong["sample-careful"] >= sample_project.ITEMS


def test_a_labelled_and_adjudicated_sample_is_removed_with_all_its_rows_and_can_be_made_again(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    with writing(engine) as session:
        users.add_user(session, name="eve", role="annotator", password=None)
    open_study(engine, material(), name="ours", annotators=("eve",), overlap=1)
    before = tables(engine)
    make(engine, sample, people["rex"], "ann", "ben")
    with reading(engine) as session:
        assert {run.label for run in list_runs(session)} >= set(RUNS.values())
    judge_all(engine, people["ann"], "1")
    judge_all(engine, people["ben"], "4")
    with writing(engine) as session:
        waiting = [one for one in list_waiting(session, user_id=people["ada"]) if one.study == "Sample"]
        assert len(waiting) == sample_project.ITEMS
        runs = [one.run for one in list_runs(session) if one.run_id in RUNS]
        save_view(session, user_id=people["rex"], name="of the sample", query={"runs": runs})
    check_audit(engine)
    with writing(engine) as session, pytest.raises(Conflict, match="People made 24 judgements"):
        sample_project.remove_sample(session, user_id=people["rex"])
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=people["rex"], confirmed=True)
    assert tables(engine) == before
    check_audit(engine)
    make(engine, sample, people["rex"], "ann")
    judge_all(engine, people["ann"], "1")
    check_audit(engine)


def test_scripts_label_and_adjudicate_one_study_of_the_sample_and_differ_as_people_do(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    make(engine, sample, people["rex"], labelled=sample_project.LABELLED_ITEMS)
    with reading(engine) as session:
        (study,) = list_studies(session)
        assert (study.name, study.submitted) == (sample_project.LABELLED, 3 * sample_project.LABELLED_ITEMS)
        tables = load_whole_study.load_study_tables(session, sample_project.LABELLED)
        waiting = list_waiting(session, user_id=people["ada"])
    assert {one.annotator_kind for one in tables.annotations} == {"simulated"}
    assert {one.adjudicator_kind for one in tables.adjudications} == {"simulated"}
    assert len(tables.adjudications) >= 3
    assert len([one for one in waiting if one.due]) == sample_project.LEFT
    seen: dict[str, set[str]] = {}
    for one in tables.annotations:
        for label in one.labels:
            seen.setdefault(one.generation_id, set()).add(label.code.partition(".")[0])
    assert sum(codes >= {"omission", "hallucination"} for codes in seen.values()) >= 2
    (ruling,) = tables.rulings
    assert ruling.text == RULING
    check_audit(engine)


def test_a_script_s_account_that_another_study_has_stays(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    make(engine, sample, people["rex"])
    open_study(engine, material(), name="ours", annotators=("sample-reader-1",), overlap=1)
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=people["rex"])
    with reading(engine) as session:
        names = {one.name for one in users.list_users(session)}
    assert {one for one in names if one.startswith("sample-")} == {"sample-reader-1"}
    make(engine, sample, people["rex"])


def test_labels_are_append_only_again_after_the_sample_is_removed(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    make(engine, sample, people["rex"], "ann")
    judge_all(engine, people["ann"], "1")
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=people["rex"], confirmed=True)
    make(engine, sample, people["rex"], "ann")
    judge_all(engine, people["ann"], "1")
    for statement in ("DELETE FROM annotation", "UPDATE annotation SET revision = 2"):
        with pytest.raises(Exception, match="append-only"), writing(engine) as session:
            session.connection().exec_driver_sql(statement)


def test_without_annotators_there_is_no_study_to_label_and_only_who_evaluates_makes_or_removes_one_sample(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    before = tables(engine)
    for name in ("ann", "ada"):
        with pytest.raises(NotAllowed):
            make(engine, sample, people[name])
    with writing(engine) as session, pytest.raises(InputError, match="no sample project"):
        sample_project.remove_sample(session, user_id=people["rex"])
    make(engine, sample, people["rex"])
    with reading(engine) as session:
        assert [one.name for one in list_studies(session)] == [sample_project.LABELLED]
    with pytest.raises(Conflict, match="there already"):
        make(engine, sample, people["rex"])
    with writing(engine) as session, pytest.raises(NotAllowed):
        sample_project.remove_sample(session, user_id=people["ann"])
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=people["rex"])
    assert tables(engine) == before
    check_audit(engine)


def test_the_sample_study_s_guideline_shows_failures_of_questions_that_nobody_judges_in_it(
    engine: Engine, sample: Material, people: dict[str, str]
) -> None:
    make(engine, sample, people["rex"], "ann")
    with reading(engine) as session:
        own = select(StudyRow.id).where(col(StudyRow.name) == sample_project.STUDY)
        (text,) = session.scalars(select(GuidelineRow.text).where(col(GuidelineRow.study_id).in_(own)))
        judged = set(
            session.scalars(select(StudyItemRow.group_id).where(col(StudyItemRow.study_id).in_(own)))
        )
    assert text.startswith(default_guideline(load_taxonomy()))
    cases = text.removeprefix(default_guideline(load_taxonomy()))
    if not find_cases(sample, load_taxonomy(), judged=judged):
        assert cases == ""  # a rare draw takes every question with such a failure
        return
    assert "Example: " in cases
    assert "Near miss, not " in cases
    groups = {one.question: one.group_id for one in sample.instances}
    shown = {group for question, group in groups.items() if escaped(question) in cases}
    assert shown
    assert not shown & judged
