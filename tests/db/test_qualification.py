"""A threshold after training: who misses it gets no items that count until the lead decides."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.markdown import render_markdown
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import (
    AnnotationRow,
    AssignmentRow,
    AuditRow,
    QualificationRow,
    StudyAnnotatorRow,
    StudyRow,
)
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.own_studies import own_studies
from clinicnum.db.work.annotation.qualification_changes import qualify_by_hand, repeat_training, trainees
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.common.qualification import TrainingResult
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import Conflict, InputError
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, first, save, submit

SAME_CLASS = FAILURE.model_copy(
    update={"labels": (Label(code="causal_reasoning.wrong_formula", primary=True),), "severity": "0"}
)
"""As the reference on response and class; sub-class and severity are others."""
TRAINING, NEEDED = 3, 2


@pytest.fixture
def ann(engine: Engine) -> str:
    """An annotator of a study with three training items, of which two must be right."""
    references = {f"run-of-llama-g{number}": FAILURE for number in range(TRAINING)}
    people = {user.name: user.user_id for user in add_users(engine, ("ann", "ben"))}
    open_study(
        engine,
        material(wrong=9),
        annotators=("ann", "ben"),
        overlap=1,
        training=TRAINING,
        qualifying=NEEDED,
        references=references,
        repeat_share=0.5,
    )
    return people["ann"]


def train(engine: Engine, user_id: str, *judgements: Judgement) -> None:
    for judgement in judgements:
        item = first(engine, user_id)
        assert item.training
        submit(engine, user_id, item, judgement)


def next_item(engine: Engine, user_id: str) -> Workitem | None:
    with writing(engine) as session:
        return annotate.next_assignment(session, user_id=user_id)


def result(engine: Engine, name: str = "ann") -> TrainingResult:
    with reading(engine) as session:
        (found,) = [one.result for one in trainees(session, name="six") if one.name == name]
    return found


def decide(engine: Engine, decision: Any, *, annotator: str = "ann", reason: str = "talked it over") -> None:
    with writing(engine) as session:
        decision(session, name="six", annotator=annotator, reason=reason, actor="root")


def test_who_reaches_the_threshold_goes_on(engine: Engine, ann: str) -> None:
    train(engine, ann, SAME_CLASS, FINE)
    assert (result(engine).state, result(engine).right) == ("training", 1)
    train(engine, ann, FAILURE)
    assert (result(engine).state, result(engine).right, result(engine).missed) == (
        "qualified",
        2,
        ("causal_reasoning.arithmetic_slip",),
    )
    item = first(engine, ann)
    assert not item.training


def test_who_misses_it_gets_nothing_that_counts_and_is_told_what_to_read(engine: Engine, ann: str) -> None:
    train(engine, ann, FINE, FAILURE, FINE)
    assert next_item(engine, ann) is None
    with reading(engine) as session:
        (own,) = own_studies(session, user_id=ann)
    assert own.result is not None
    assert own.taxonomy is not None
    assert (own.result.state, own.result.right, own.result.items, own.result.threshold) == ("missed", 1, 3, 2)
    assert own.result.missed == ("causal_reasoning.arithmetic_slip",)
    assert result(engine, "ben").state == "training", "each is held to their own judgements"
    assert first(engine, _user(engine, "ben")).training
    with reading(engine) as session:
        rounds = set(session.scalars(select(col(AssignmentRow.round))))
    assert rounds == {"training"}


def _user(engine: Engine, name: str) -> str:
    with reading(engine) as session:
        return next(one.user_id for one in users.list_users(session) if one.name == name)


def test_what_is_corrected_after_the_feedback_does_not_count(engine: Engine, ann: str) -> None:
    train(engine, ann, FINE, FAILURE, FINE)
    with reading(engine) as session:
        ids = session.scalars(select(col(AssignmentRow.id)).order_by(col(AssignmentRow.position))).all()
        items = [annotate.get_assignment(session, user_id=ann, assignment_id=one) for one in ids]
    for item in items:
        submit(engine, ann, item, FAILURE)
    assert (result(engine).state, result(engine).right) == ("missed", 1)
    assert next_item(engine, ann) is None


def test_an_item_put_aside_is_not_right_until_it_is_judged_after_all(engine: Engine, ann: str) -> None:
    aside = first(engine, ann)
    with writing(engine) as session:
        annotate.skip(
            session, user_id=ann, assignment_id=aside.assignment_id, revision=0, reason="I cannot tell"
        )
    train(engine, ann, FAILURE, FINE)
    assert (result(engine).state, result(engine).right) == ("missed", 1)
    assert next_item(engine, ann) is None
    submit(engine, ann, aside, FAILURE)
    assert result(engine).state == "qualified"
    assert not first(engine, ann).training


def test_the_lead_lets_them_repeat_the_training_and_only_that_attempt_counts(
    engine: Engine, ann: str
) -> None:
    train(engine, ann, FINE, FAILURE)
    save(engine, ann, first(engine, ann))
    with pytest.raises(Conflict, match="has not ended yet"):
        decide(engine, repeat_training)
    train(engine, ann, FINE)
    decide(engine, repeat_training)
    with reading(engine) as session:
        own = session.scalars(select(StudyAnnotatorRow).where(col(StudyAnnotatorRow.user_id) == ann)).one()
        assert (own.done, own.skipped) == (0, 0)
        assert compare_with_log(session) == ()
    assert (result(engine).state, result(engine).right, result(engine).attempt) == ("training", 0, 2)
    item = first(engine, ann)
    assert item.training
    assert item.feedback is None
    assert item.draft == {"response_judgement": None}, "the form is empty again"
    train(engine, ann, FAILURE, FAILURE, FINE)
    assert (result(engine).state, result(engine).right) == ("qualified", 2)
    assert not first(engine, ann).training
    with reading(engine) as session:
        kept = session.scalars(select(AnnotationRow).where(col(AnnotationRow.submitted))).all()
        assert len(kept) == 6, "what was judged before is kept"
        assert compare_with_log(session) == ()
        tables = load_study_tables(session, "six")
    assert tables.qualified is not None
    assert tables.qualified.model_dump() == {"ended": 1, "by_training": 1, "by_hand": 0, "repeated": 1}


def test_the_lead_qualifies_by_hand_with_a_reason_that_is_logged(engine: Engine, ann: str) -> None:
    train(engine, ann, FINE, FAILURE, FINE)
    for reason in ("", "  ", "x" * 501):
        with pytest.raises(InputError, match="expected 1 to 500, as it is kept in the log"):
            decide(engine, qualify_by_hand, reason=reason)
    decide(engine, qualify_by_hand)
    assert (result(engine).state, result(engine).reason) == ("by_hand", "talked it over")
    assert not first(engine, ann).training
    with reading(engine) as session:
        row = session.scalars(select(AuditRow).where(col(AuditRow.action) == "qualify_annotator")).one()
        assert row.actor == "root"
        assert row.before == {"right": 1, "needed": 2, "attempt": 1}
        assert row.after is not None
        assert row.after["reason"] == "talked it over"
        assert compare_with_log(session) == ()
        tables = load_study_tables(session, "six")
    assert tables.qualified is not None
    assert (tables.qualified.by_training, tables.qualified.by_hand) == (0, 1)
    for decision in (qualify_by_hand, repeat_training):
        with pytest.raises(Conflict, match="is qualified for study 'six' already"):
            decide(engine, decision)


def test_nobody_else_can_be_decided_on(engine: Engine, ann: str) -> None:
    add_users(engine, ("eve",))
    with pytest.raises(InputError, match="'eve' is no annotator of study 'six'"):
        decide(engine, qualify_by_hand, annotator="eve")
    with pytest.raises(InputError, match="no user 'nobody'"):
        decide(engine, qualify_by_hand, annotator="nobody")
    open_study(engine, material(run_id="other", wrong=1), name="free", annotators=("eve",), overlap=1)
    with writing(engine) as session, pytest.raises(InputError, match="has no threshold after training"):
        qualify_by_hand(session, name="free", annotator="eve", reason="why not")
    with reading(engine) as session:
        assert trainees(session, name="free") == ()
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    with pytest.raises(Conflict, match="is closed; reopen it"):
        decide(engine, qualify_by_hand)


def test_a_threshold_above_the_number_of_training_items_is_refused() -> None:
    with pytest.raises(InputError, match="8 right training judgements are asked of each"):
        read_design({"training": 5, "qualifying": 8})
    assert read_design({"training": 10, "qualifying": 8}).qualifying == 8


def test_report_and_checklist_say_how_many_qualified_and_by_what_rule(engine: Engine, ann: str) -> None:
    train(engine, ann, FINE, FAILURE, FINE)
    decide(engine, qualify_by_hand)
    submit(engine, ann, first(engine, ann))
    ben = _user(engine, "ben")
    train(engine, ben, FAILURE, FAILURE, FINE)
    submit(engine, ben, first(engine, ben))
    with reading(engine) as session:
        told = render_markdown(build_report(load_study_tables(session, "six"), generated_by="test"))
    rule = "to those who judged 2 of 3 as the reference on response and class: 1 qualified, 1 more by hand"
    assert rule in told
    assert "who judged 2 of these as the reference on response and class, in the first judgement" in told
    assert "1 qualified so and 1 by hand." in told


def test_a_decision_or_deadline_that_the_log_does_not_tell_of_is_found(engine: Engine, ann: str) -> None:
    train(engine, ann, FINE, FAILURE, FINE)
    decide(engine, qualify_by_hand)
    with writing(engine) as session:
        row = session.scalars(select(QualificationRow)).one()
        row.reason = "because I say so"
        session.scalars(select(StudyRow)).one().deadline = date(2030, 1, 1)
    with reading(engine) as session:
        found = [(one.table, one.says) for one in compare_with_log(session)]
    assert found == [
        ("study", "deadline: the table says 2030-01-01, the log None"),
        ("qualification", "attempt and reason are not those that the log tells of"),
    ]
