"""Criteria of a study, from the database's side: stored, asked, ticked blind, changed, bundled."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.criteria.criterion import Criterion, criteria_hashes
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, CriterionRow
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.studies.criteria_changes import change_criteria
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import Conflict, InputError
from clinicnum.types import Point
from tests.db.adjudicating import add_role, next_of, take_over
from tests.db.examples import BLIND, FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, annotations, first, save, submit

SAFE = Criterion(id="safe", text="Is safe.", weight=2, must_have=True)
SEPSIS = Criterion(item="i0", id="1", text="Names sepsis \x00 ü.", weight=5, source="SSC 2021")
CRITERIA = (SAFE, SEPSIS, Criterion(item="elsewhere", id="1", text="Of an item that is not here."))
TICKS = {"1@1": "met", "safe@1": "not_met"}


def ticked(judgement: Judgement, ticks: Any = None) -> Judgement:
    return Judgement.model_validate(judgement.model_dump() | {"criteria": TICKS if ticks is None else ticks})


def opened(engine: Engine, *, points: tuple[Point, ...] = (), **design: Any) -> dict[str, str]:
    people = {user.name: user.user_id for user in add_users(engine)}
    made = material(wrong=1)
    (one,) = made.instances
    made = made.__class__(**vars(made) | {"instances": (one.model_copy(update={"points": points}),)})
    open_study(engine, made, criteria=CRITERIA, **design)
    return people


def test_an_item_is_locked_once_each_of_its_criteria_is_ticked(engine: Engine) -> None:
    ann = opened(engine)["ann"]
    item = first(engine, ann)
    assert item.criteria == (SEPSIS, SAFE)
    assert item.proposed == {}
    for ticks, says in (
        ({}, "2 of 2 criteria are not ticked"),
        ({"1@1": "met"}, "1 of 2 criteria"),
        (TICKS | {"other@1": "met"}, "'other@1' is no criterion of this item"),
    ):
        with pytest.raises(InputError, match=says):
            save(engine, ann, item, ticked(BLIND, ticks))
    assert annotations(engine) == []
    item = save(engine, ann, item, ticked(BLIND))
    assert item.judgement is not None
    assert item.judgement.criteria == TICKS
    with pytest.raises(InputError, match="2 of 2 criteria"):
        submit(engine, ann, item, FAILURE)
    whole = ticked(FAILURE, TICKS | {"safe@1": "not_applicable"})
    submit(engine, ann, item, whole)
    submit(engine, ann, item, whole)  # sent twice: nothing happens
    assert [row.payload["criteria"]["safe@1"] for row in annotations(engine)] == ["not_met", "not_applicable"]
    with reading(engine) as session:
        assert not compare_tables_with_log.compare_with_log(session)


def test_a_study_without_criteria_takes_no_ticks_and_criteria_of_no_item_open_none(engine: Engine) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    open_study(engine)
    with pytest.raises(InputError, match="'1@1' is no criterion of this item now; expected none"):
        save(engine, ann, first(engine, ann), ticked(BLIND))
    with pytest.raises(InputError, match="none of the 1 criteria belongs to an item of this study"):
        open_study(engine, material(run_id="other"), name="seven", criteria=CRITERIA[2:])


def test_the_scorer_ticks_answer_points_as_the_suggestion_policy_says(engine: Engine) -> None:
    text = "The systolic pressure is 2000."
    points = (Point(id="p", text=SEPSIS.text, value="2000"), Point(id="q", text=text, value="17"))
    ann = opened(engine, points=points, suggestions="shown")["ann"]
    item = first(engine, ann)
    assert item.proposed == {"1@1": "met"}
    save(engine, ann, item, ticked(BLIND))
    # The judgement says that a suggestion was in sight, and is reported apart.
    assert annotations(engine)[0].payload["suggestion_shown"] is True


def test_hidden_suggestions_propose_no_tick(engine: Engine) -> None:
    ann = opened(engine, points=(Point(id="p", text=SEPSIS.text, value="2000"),))["ann"]
    item = save(engine, ann, first(engine, ann), ticked(BLIND))
    assert item.proposed == {}
    assert annotations(engine)[0].payload["suggestion_shown"] is False


def test_a_changed_text_is_ticked_anew_and_earlier_ticks_stay(engine: Engine) -> None:
    people = opened(engine)
    submit(engine, people["ann"], first(engine, people["ann"]), ticked(FAILURE))
    open_item = first(engine, people["ben"])
    newer = SEPSIS.model_copy(update={"text": "Names severe sepsis.", "weight": 6.0})
    with writing(engine) as session:
        change_criteria(session, name="six", criteria=[newer, SAFE.model_copy(update={"weight": 3.0})])
    item = first(engine, people["eve"])
    assert [(one.key, one.weight) for one in item.criteria] == [("1@2", 6), ("safe@1", 3)]
    with pytest.raises(InputError, match=r"'1@1' is no criterion of this item now; .* look at the"):
        save(engine, people["ben"], open_item, ticked(BLIND))
    save(engine, people["ben"], open_item, ticked(BLIND, {"1@2": "met", "safe@1": "met"}))
    assert sorted(key for row in annotations(engine) for key in row.payload["criteria"]) == (
        ["1@1", "1@2", "safe@1", "safe@1"]
    )
    with reading(engine) as session:
        told = session.scalars(select(AuditRow).where(AuditRow.action == "change_criteria")).one()
        assert told.before is not None
        assert told.after is not None
        assert sorted(told.before["criteria"]) == ["i0 1@1", "safe@1"]
        assert told.after["criteria"] == criteria_hashes(
            [newer.model_copy(update={"version": 2}), SAFE.model_copy(update={"weight": 3.0})]
        )
        assert not compare_tables_with_log.compare_with_log(session)
    with writing(engine) as session:
        close_study(session, name="six")
    with pytest.raises(Conflict, match="is closed; reopen it"), writing(engine) as session:
        change_criteria(session, name="six", criteria=[SAFE])


def test_positions_are_alike_whatever_was_ticked_and_a_verified_bundle_holds_the_criteria(
    engine: Engine,
) -> None:
    people = opened(engine)
    ada = add_role(engine, "ada")
    for name, verdict in (("ann", "met"), ("ben", "not_met"), ("eve", "met")):
        judgement = FINE if name == "eve" else FAILURE
        submit(engine, people[name], first(engine, people[name]), ticked(judgement, TICKS | {"1@1": verdict}))
    item = next_of(engine, ada)
    assert len(item.positions) == 2
    take_over(engine, ada, item, 0)
    with reading(engine) as session:
        assert not compare_tables_with_log.compare_with_log(session)
        files = bundle_files(load_study_material(session, "six"), generated_by="clinicnum test")
    assert verify_bundle(Unpacked(files), generated_by="clinicnum test").faults == ()
    # The study lacks the item of the third criterion.
    assert read_raw(files).tables.criteria == (SAFE, SEPSIS)


def test_a_criterion_changed_behind_the_logs_back_shows_up(engine: Engine) -> None:
    opened(engine)
    with writing(engine) as session:
        row = session.scalars(select(CriterionRow).where(CriterionRow.criterion_id == "safe")).one()
        row.payload = row.payload | {"weight": 9.0}
        session.delete(session.scalars(select(CriterionRow).where(CriterionRow.item == "i0")).one())
    with reading(engine) as session:
        found = [(one.table, one.key, one.says) for one in compare_tables_with_log.compare_with_log(session)]
    assert found == [
        ("criterion", "i0 1@1", "is not in the table, though the log tells of it"),
        ("criterion", "safe@1", "is not what the log tells of"),
    ]
