"""Adjudication on a real database: who decides what, on which state, and what is kept."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.report.study_tables import Asides, StudyTables
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AdjudicationRow, AuditRow, CitationRow, StudyItemRow, UserRow
from clinicnum.db.work.adjudication import adjudicate, adjudication_item, answer_annotators
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.studies import load_whole_study, study_lifecycle
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.adjudicating import OMISSION, add_role, differing, next_of, own, take_over, waiting
from tests.db.examples import FAILURE, MODEL, add_users, material, open_study
from tests.db.test_annotate import FINE, first, submit


def tables(engine: Engine) -> StudyTables:
    with reading(engine) as session:
        return load_whole_study.load_study_tables(session, "six")


def revise(engine: Engine, user_id: str, subject: str, judgement: Judgement) -> None:
    """Go back to the item about a patient and judge it otherwise."""
    with reading(engine) as session:
        item = annotate.previous(session, user_id=user_id, assignment_id=None)
        while item is not None and item.instance.records[0].subject_id != subject:
            item = annotate.previous(session, user_id=user_id, assignment_id=item.assignment_id)
    assert item is not None
    submit(engine, user_id, item, judgement)


def test_the_hardest_item_comes_first_and_the_next_one_follows_a_decision(engine: Engine) -> None:
    people = differing(engine, wrong=3)
    listed = waiting(engine, people["ada"])
    assert len(listed) == 3
    hardest = next_of(engine, people["ada"])
    assert hardest.instance.subject_id == "s0"
    assert "response judgement: acceptable against failure" in hardest.due
    assert next_of(engine, people["ada"], after=hardest.item).item == listed[1].item
    take_over(engine, people["ada"], hardest)
    assert [one.item for one in waiting(engine, people["ada"])] == [one.item for one in listed[1:]]


def test_positions_stand_once_each_without_names_counts_or_model(engine: Engine) -> None:
    people = differing(engine)
    item = next_of(engine, people["ada"], after=next_of(engine, people["ada"]).item)
    # Ben and Eve say the same of it: that is one position.
    assert {one.judgement.labels[0].code for one in item.positions} == {
        "omission",
        "causal_reasoning.arithmetic_slip",
    }
    assert len(item.positions) == 2
    sent = item.model_dump_json()
    for hidden in ("ann", "ben", "eve", *people.values(), "A1", "A2", "A3", MODEL, "llama", "run-of"):
        assert f'"{hidden}"' not in sent, hidden
    assert MODEL not in sent
    assert str(item.instance.answer) in sent  # the adjudicator sees the gold
    assert next_of(engine, people["ada"]).positions == next_of(engine, people["ada"]).positions


def test_a_closed_study_is_still_adjudicated_and_names_its_model_after_the_last_decision(
    engine: Engine,
) -> None:
    people = differing(engine, wrong=1)
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    take_over(engine, people["ada"], next_of(engine, people["ada"]))
    assert len(tables(engine).adjudications) == 1
    with reading(engine) as session:
        decided = adjudicate.previous_adjudication_item(session, user_id=people["ada"])
    assert decided is not None
    assert decided.answers[0].model == MODEL
    assert MODEL in decided.text


def test_a_decision_cites_every_last_revision_and_is_logged_with_it(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    own(engine, people["ada"], item, OMISSION)
    made = tables(engine)
    (decision,) = made.adjudications
    assert set(decision.cites) == {one.annotation_id for one in made.annotations}
    assert (decision.judgement, decision.taken_over, decision.stands) == (OMISSION, False, True)
    assert (decision.adjudicator_id, decision.taxonomy_version) == ("J1", "2")
    with reading(engine) as session:
        last = session.scalars(
            select(AuditRow).where(col(AuditRow.chain) != "installation").order_by(col(AuditRow.seq).desc())
        ).first()
        assert last is not None
        assert (last.action, last.actor, last.before) == ("adjudicate", people["ada"], None)
        assert last.after is not None
        assert last.after["cites"] == sorted(decision.cites)
        assert all(check.broken_at is None for check in verify_chain(session))


def test_taking_a_position_over_keeps_its_evidence(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    place = next(at for at, one in enumerate(item.positions) if len(one.judgement.labels) == 2)
    take_over(engine, people["ada"], item, place, comment=" seen ")
    (decision,) = tables(engine).adjudications
    assert decision.judgement == item.positions[place].judgement
    assert decision.judgement.labels[0].spans == FAILURE.labels[0].spans
    assert decision.judgement.rationale is None
    assert (decision.taken_over, decision.comment) == (True, "seen")


def test_a_revision_after_the_decision_makes_the_item_due_again(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    take_over(engine, people["ada"], next_of(engine, people["ada"]))
    assert waiting(engine, people["ada"]) == ()
    revise(engine, people["eve"], "s0", FINE.model_copy(update={"rationale": "still fine"}))
    (again,) = waiting(engine, people["ada"])
    assert again.again
    item = next_of(engine, people["ada"])
    assert item.decided is not None
    assert not item.decided.stands
    assert [one.stands for one in tables(engine).adjudications] == [False]
    take_over(engine, people["ada"], item)
    assert [one.stands for one in tables(engine).adjudications] == [False, True]


def test_where_annotators_agree_after_all_nothing_is_due(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    revise(engine, people["ann"], "s0", OMISSION)
    revise(engine, people["eve"], "s0", OMISSION)
    assert waiting(engine, people["ada"]) == ()


def test_a_second_decision_supersedes_and_both_are_kept(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    own(engine, people["ada"], next_of(engine, people["ada"]), OMISSION)
    with reading(engine) as session:
        back = adjudicate.previous_adjudication_item(session, user_id=people["ada"])
    assert back is not None
    assert back.decided is not None
    assert back.decided.judgement == OMISSION
    own(engine, people["ada"], back, FINE)
    made = tables(engine).adjudications
    assert [(one.judgement, one.stands) for one in made] == [(OMISSION, False), (FINE, True)]
    with reading(engine) as session:
        assert len(session.scalars(select(CitationRow)).all()) == 6


def test_the_same_decision_sent_twice_is_one(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    take_over(engine, people["ada"], item)
    take_over(engine, people["ada"], item)
    assert len(tables(engine).adjudications) == 1


def test_a_decision_on_a_state_that_has_changed_is_refused(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    revise(engine, people["eve"], "s0", FAILURE)
    with pytest.raises(Conflict, match="changed while you looked"):
        take_over(engine, people["ada"], item)
    other = add_role(engine, "bob")
    fresh = next_of(engine, other)
    own(engine, people["ada"], next_of(engine, people["ada"]), OMISSION)
    with pytest.raises(Conflict, match=r"Another adjudicator decided this item at \d\d:\d\d UTC while you"):
        own(engine, other, fresh, FINE)
    assert len(tables(engine).adjudications) == 1


def test_who_annotated_an_item_never_settles_it_whatever_the_role_is_now(engine: Engine) -> None:
    people = differing(engine, wrong=2)
    item = next_of(engine, people["ada"])
    with writing(engine) as session:
        session.execute(update(UserRow).where(col(UserRow.id) == people["ann"]).values(role="adjudicator"))
    for closed, said in enumerate(("You are an annotator of this study", "annotated this item yourself")):
        if closed:
            with writing(engine) as session:
                study_lifecycle.close_study(session, name="six")
        assert waiting(engine, people["ann"]) == ()
        with pytest.raises(NotAllowed, match=said), reading(engine) as session:
            adjudication_item.load_adjudication_item(
                session, user_id=people["ann"], study_id=item.study_id, item=item.item
            )
        with pytest.raises(NotAllowed, match=said):
            take_over(engine, people["ann"], item)


@pytest.mark.parametrize("role", ["annotator", "curator", "admin"])
def test_no_other_role_adjudicates(engine: Engine, role: str) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    other = add_role(engine, "other", role)  # type: ignore[arg-type]
    with pytest.raises(NotAllowed, match="may not adjudicate"):
        take_over(engine, other, item)
    with pytest.raises(NotAllowed, match="may not adjudicate"):
        next_of(engine, other)


def test_an_item_of_another_study_or_none_is_refused(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    open_study(engine, material(wrong=2, run_id="other"), name="two")
    with pytest.raises(NotAllowed, match="no such item"):
        take_over(engine, people["ada"], item.model_copy(update={"study_id": "nowhere"}))
    with writing(engine) as session:
        two = study_lifecycle.find_study(session, "two").id
    with pytest.raises(NotAllowed, match="no such item"):
        take_over(engine, people["ada"], item.model_copy(update={"study_id": two}))


def test_what_does_not_fit_is_named_and_nothing_is_stored(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    item = next_of(engine, people["ada"])
    wrong: dict[str, Callable[[], None]] = {
        "no position 8": lambda: take_over(engine, people["ada"], item, 7),
        "gremlins": lambda: own(
            engine,
            people["ada"],
            item,
            OMISSION.model_copy(
                update={"labels": (OMISSION.labels[0].model_copy(update={"code": "gremlins"}),)}
            ),
        ),
        "needs a severity": lambda: own(
            engine, people["ada"], item, OMISSION.model_copy(update={"severity": None})
        ),
        "2001 characters": lambda: take_over(engine, people["ada"], item, comment="x" * 2001),
    }
    for what, attempt in wrong.items():
        with pytest.raises(InputError, match=what):
            attempt()
    with reading(engine) as session:
        assert session.scalars(select(AdjudicationRow)).all() == []


def test_where_all_agree_there_is_nothing_to_decide(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=1))
    for user_id in people.values():
        submit(engine, user_id, first(engine, user_id), OMISSION)
    ada = add_role(engine, "ada")
    assert waiting(engine, ada) == ()
    with reading(engine) as session:
        (row,) = session.scalars(select(AuditRow).where(col(AuditRow.action) == "create_study"))
        called = session.scalars(select(col(StudyItemRow.item_id))).one()
        item = adjudication_item.load_adjudication_item(session, user_id=ada, study_id=row.chain, item=called)
    with pytest.raises(InputError, match="Nothing is due"):
        take_over(engine, ada, item)


def test_a_flag_waits_until_it_is_answered(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=1))
    mine = first(engine, people["ann"])
    with writing(engine) as session:
        annotate.flag(session, user_id=people["ann"], assignment_id=mine.assignment_id, note="odd unit")
    ada = add_role(engine, "ada")
    item = next_of(engine, ada)
    assert [one.note for one in item.flags] == ["odd unit"]
    address = {"user_id": ada, "study_id": item.study_id, "item": item.item}
    flag = item.flags[0].key
    with pytest.raises(InputError, match="needs a comment"), writing(engine) as session:
        answer_annotators.answer_flag(session, **address, flag=flag, comment=" ")
    with writing(engine) as session:
        answer_annotators.answer_flag(session, **address, flag=flag, comment="the unit is right")
    assert waiting(engine, ada) == ()
    with pytest.raises(Conflict, match="answered in the meantime"), writing(engine) as session:
        answer_annotators.answer_flag(session, **address, flag=flag, comment="again")
    with reading(engine) as session:
        row = session.scalars(select(AuditRow).where(col(AuditRow.action) == "answer_flag")).one()
        asides = load_whole_study.load_study_tables(session, "six").asides
    assert asides == Asides(skipped=0, flags=1, flags_answered=1)
    assert row.before is not None
    assert row.after is not None
    assert (row.before["flag"], row.after["comment"]) == ("odd unit", "the unit is right")
