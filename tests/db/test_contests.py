"""Contests are decided on a real database: consequences first, then just these, in one transaction."""

from typing import Any

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.consequences_of_upholding import Scope
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.study_inputs import Material, Run
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, ContestRow, InvalidationRow, TemplateRow, UserRow
from clinicnum.db.work.adjudication import contest_resolution
from clinicnum.db.work.adjudication.adjudication_item import AdjudicationItem
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.studies import load_whole_study, study_lifecycle
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.types import Instance
from tests.clinicnum.lint_planting import bench
from tests.db.adjudicating import add_role, next_of, waiting
from tests.db.examples import FAILURE, MODEL, add_users, material, open_study
from tests.db.prepared import made_once
from tests.db.test_adjudicate import revise
from tests.db.test_annotate import FINE, submit

AMBIGUOUS = FAILURE.model_copy(update={"item_judgement": "ambiguous"})


def sums() -> list[Instance]:
    """Clean instances of two groups of one template, in three representations each."""
    made = [one for one in bench() if one.template_id == "arithmetic.bp_sum" and len(one.records) > 1]
    groups = list(dict.fromkeys(one.group_id for one in made if not one.flags))[:2]
    return [one for one in made if one.group_id in groups]


def faulty_sums() -> list[Instance]:
    """The same, with a wrong gold in the first of each group."""
    made = sums()
    firsts = {one.group_id: one.instance_id for one in reversed(made)}.values()
    wrong = {"answer": "7"}
    return [one.model_copy(update=wrong) if one.instance_id in firsts else one for one in made]


def answered(instances: list[Instance], models: dict[str, bool]) -> Material:
    """A run a model: an able one is right where the gold is sound, another always wrong."""
    runs, scores = [], []
    for model, able in models.items():
        made = material(wrong=len(instances), run_id=model)
        said = tuple(
            one.model_copy(update={"instance_id": asked.instance_id})
            for one, asked in zip(made.runs[0].generations, instances, strict=True)
        )
        runs.append(Run(meta={"model": model}, generations=said))
        for asked, score in zip(instances, made.scores, strict=True):
            right = able and asked in bench()
            changed = {"status": "correct" if right else "incorrect", "lenient": right, "strict": right}
            scores.append(score.model_copy(update=changed))
    return Material(benchmark_meta={}, instances=tuple(instances), runs=tuple(runs), scores=tuple(scores))


@made_once
def contest(engine: Engine, judgement: Judgement = AMBIGUOUS, made: Material | None = None) -> dict[str, str]:
    """A study in which one of three contests every item; an adjudicator; ids by name."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, made or answered(sums()[:1], {MODEL: False}), include="all")
    for name, said in (("ann", judgement), ("ben", FAILURE), ("eve", FAILURE)):
        while (item := maybe_next(engine, people[name])) is not None:
            submit(engine, people[name], item, said)
    return {**people, "ada": add_role(engine, "ada")}


def maybe_next(engine: Engine, user_id: str) -> Workitem | None:
    with writing(engine) as session:
        return annotate.next_assignment(session, user_id=user_id)


def about(user_id: str, item: AdjudicationItem) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "study_id": item.study_id,
        "item": item.item,
        "claim": item.claims[0].key,
    }


def look(
    engine: Engine, user_id: str, item: AdjudicationItem, scope: Scope = "group"
) -> contest_resolution.UpholdPreview:
    with reading(engine) as session:
        return contest_resolution.preview_uphold(session, **about(user_id, item), scope=scope)


def uphold(engine: Engine, user_id: str, item: AdjudicationItem, mark: str, scope: Scope = "group") -> int:
    with writing(engine) as session:
        return contest_resolution.uphold(
            session, **about(user_id, item), scope=scope, mark=mark, comment=" the rules say so "
        )


def tables(engine: Engine) -> StudyTables:
    with reading(engine) as session:
        return load_whole_study.load_study_tables(session, "six")


def test_a_fault_that_a_rule_finds_takes_out_what_fails_it_for_all_models_and_no_more(
    engine: Engine,
) -> None:
    made = answered(faulty_sums(), {"acme/One": True, "acme/Two": False})
    gold = next(one for one in made.instances if one not in bench())
    wrong = AMBIGUOUS.model_copy(update={"item_judgement": "gold_wrong", "proposed_gold": "1"})
    people = contest(engine, wrong, made)
    entry = next_of(engine, people["ada"])
    while entry.instance.instance_id != gold.instance_id:
        entry = next_of(engine, people["ada"], after=entry.item)
    found = look(engine, people["ada"], entry)
    bad = [one for one in made.instances if one not in bench()]
    assert {one.instance.instance_id for one in found.consequences.taken} == {o.instance_id for o in bad}
    assert {one.rule for one in found.consequences.taken} == {"V3.answer"}
    n, left = len(made.instances), len(made.instances) - len(bad)
    assert (n, left) == (6, 4)
    assert [(one.model, one.now.n, one.after.n) for one in found.effects] == [
        ("Model 1", n, left),
        ("Model 2", n, left),
    ]
    assert [(one.now.value, one.after.value) for one in found.effects] == [(left / n, 1.0), (0.0, 0.0)]
    assert uphold(engine, people["ada"], entry, found.mark) == len(bad)
    after = tables(engine)
    assert {one.instance_id for one in after.invalidations} == {one.instance_id for one in bad}
    upheld = [one for one in after.contests if one.status == "upheld"]
    # Both models' answers to the question were contested with the same words: one decision, both contests.
    assert len(upheld) == 2
    assert {(one.decided_by, one.comment) for one in upheld} == {("J1", "the rules say so")}
    view = StudyView(after)
    assert view.invalidated == {one.instance_id for one in bad}


def test_upholding_by_hand_is_one_transaction_with_the_template_in_review_and_a_log(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    found = look(engine, people["ada"], item)
    assert (found.consequences.faults, found.consequences.scope) == ((), "group")
    assert uphold(engine, people["ada"], item, found.mark) == 1
    (out,) = tables(engine).invalidations
    assert (out.rule, out.reason) == ("by hand: group", "contested: the question is ambiguous")
    with reading(engine) as session:
        assert session.get_one(TemplateRow, ("arithmetic.bp_sum", 1)).status == "in_review"
        row = session.scalars(select(AuditRow).where(col(AuditRow.action) == "uphold_contest")).one()
        assert row.before is not None
        assert row.after is not None
        assert row.before["template_status"] == "unreviewed"
        assert row.after["instances"] == [out.instance_id]
        assert row.after["comment"] == "the rules say so"
        assert all(check.broken_at is None for check in verify_chain(session))
    assert next_of(engine, people["ada"]).claims == ()


def test_a_rejected_contest_closes_with_its_comment_and_the_label_stays(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    with writing(engine) as session:
        contest_resolution.reject(session, **about(people["ada"], item), comment="it says the first record")
    after = tables(engine)
    (one,) = after.contests
    assert (one.status, one.comment, one.decided_by) == ("rejected", "it says the first record", "J1")
    assert after.invalidations == ()
    assert "ambiguous" in {said.item_judgement for said in after.annotations}
    revise(
        engine, people["ann"], item.instance.subject_id, AMBIGUOUS.model_copy(update={"rationale": "still"})
    )
    assert [one.status for one in tables(engine).contests] == ["rejected"]  # the same claim is not reopened


def test_what_would_now_be_otherwise_is_shown_anew_and_not_done(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    found = look(engine, people["ada"], item, "template")
    with pytest.raises(Conflict, match="has changed since"):
        uphold(engine, people["ada"], item, found.mark, "group")
    revise(
        engine, people["ben"], item.instance.subject_id, AMBIGUOUS
    )  # one more contest would be decided along
    with pytest.raises(Conflict, match="has changed since"):
        uphold(engine, people["ada"], item, found.mark, "template")
    with reading(engine) as session:
        assert session.scalars(select(InvalidationRow)).all() == []
        assert {one.status for one in session.scalars(select(ContestRow))} == {"open"}
    again = look(engine, people["ada"], item, "template")
    uphold(engine, people["ada"], item, again.mark, "template")
    assert {one.status for one in tables(engine).contests} == {"upheld"}
    with pytest.raises(Conflict, match="decided or taken back"):
        uphold(engine, people["ada"], item, again.mark, "template")


def test_a_contest_that_was_taken_back_cannot_be_upheld(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    found = look(engine, people["ada"], item)
    revise(engine, people["ann"], item.instance.subject_id, FINE)
    with pytest.raises(Conflict, match="decided or taken back"):
        uphold(engine, people["ada"], item, found.mark)


def test_no_contest_is_decided_without_a_word_or_by_who_may_not(engine: Engine) -> None:
    people = contest(engine)
    item = next_of(engine, people["ada"])
    mark = look(engine, people["ada"], item).mark
    with pytest.raises(InputError, match="with a comment"), writing(engine) as session:
        contest_resolution.uphold(
            session, **about(people["ada"], item), scope="group", mark=mark, comment=" "
        )
    with pytest.raises(NotAllowed, match="may not adjudicate"):
        look(engine, people["ann"], item)
    with writing(engine) as session:
        session.execute(update(UserRow).where(col(UserRow.id) == people["ben"]).values(role="adjudicator"))
    for closed, said in enumerate(("You are an annotator of this study", "judged this question yourself")):
        if closed:
            with writing(engine) as session:
                study_lifecycle.close_study(session, name="six")
        assert waiting(engine, people["ben"]) == ()
        for step in (
            lambda: look(engine, people["ben"], item),
            lambda: uphold(engine, people["ben"], item, mark),
        ):
            with pytest.raises(NotAllowed, match=said):
                step()
    elsewhere = item.model_copy(update={"study_id": "nowhere"})
    with pytest.raises(NotAllowed, match="no such item"):
        look(engine, people["ada"], elsewhere)
