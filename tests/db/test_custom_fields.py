"""The fields that a study declares, from the database's side: kept, asked, checked, decided and bundled."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, StudyRow
from clinicnum.db.work.adjudication import adjudicate
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.studies.labels_for_agreement import load_labels
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_lifecycle import design_of
from clinicnum.errors import InputError
from tests.annotations.test_custom_fields import declared
from tests.db.adjudicating import add_role, next_of, own, take_over
from tests.db.examples import BLIND, FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, annotations, first, save, submit

STEP_1 = {"readable": "never", "reasons": ["units", "layout"]}


def with_answers(judgement: Judgement, **custom: Any) -> Judgement:
    return Judgement.model_validate(judgement.model_dump() | {"custom": custom})


def opened(engine: Engine, *, wrong: int = 1) -> dict[str, str]:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=wrong), fields=declared())
    return people


def test_answers_are_checked_step_by_step_and_kept_with_the_judgement(engine: Engine) -> None:
    ann = opened(engine)["ann"]
    item = first(engine, ann)
    assert item.fields == declared()
    for custom, says in (
        ({}, "Answer “Could a nurse act"),
        ({"readable": "soon"}, "expected one of at once"),
        (STEP_1 | {"seen": True}, "before the gold answer was shown"),
        (STEP_1 | {"colour": "red"}, "declares no field"),
    ):
        with pytest.raises(InputError, match=says):
            save(engine, ann, item, with_answers(BLIND, **custom))
    assert annotations(engine) == []
    item = save(engine, ann, item, with_answers(BLIND, **STEP_1))
    assert item.judgement is not None
    assert item.judgement.custom == {"readable": "never", "reasons": ("layout", "units")}
    with pytest.raises(InputError, match="Answer “Could a nurse act"):
        submit(engine, ann, item, FAILURE)
    assert len(annotations(engine)) == 1
    whole = with_answers(FAILURE, **STEP_1, seen=False, minutes=3, remark="Units are missing.")
    submit(engine, ann, item, whole)
    submit(engine, ann, item, whole)  # sent twice: nothing happens
    first_row, last_row = annotations(engine)
    assert first_row.payload["custom"] == {"readable": "never", "reasons": ["layout", "units"]}
    assert last_row.payload["custom"]["minutes"] == 3.0
    with reading(engine) as session:
        assert not compare_tables_with_log.compare_with_log(session)


def test_the_declaration_is_in_the_audit_log_and_a_taken_key_opens_no_study(engine: Engine) -> None:
    opened(engine)
    with reading(engine) as session:
        (created,) = session.scalars(select(AuditRow).where(AuditRow.action == "create_study")).all()
        assert created.after is not None
        assert [one["name"] for one in created.after["fields"]] == [one.name for one in declared()]
        assert design_of(session.get_one(StudyRow, created.chain)).fields == declared()
    taken = [declared()[0].model_copy(update={"key": "s"})]
    with pytest.raises(InputError, match="key 's' of field readable is taken"):
        open_study(engine, material(run_id="other"), name="seven", fields=taken)


def test_a_study_without_fields_takes_no_answers(engine: Engine) -> None:
    ann = next(user.user_id for user in add_users(engine) if user.name == "ann")
    open_study(engine)
    item = first(engine, ann)
    with pytest.raises(InputError, match="this study declares no field 'readable'; expected none"):
        save(engine, ann, item, with_answers(BLIND, **STEP_1))
    save(engine, ann, item)
    assert "custom" not in annotations(engine)[0].payload


def test_positions_differ_by_answers_but_not_by_texts_and_a_decision_answers_too(engine: Engine) -> None:
    people = opened(engine)
    ada = add_role(engine, "ada")
    for name, judgement, readable, remark in (
        ("ann", FAILURE, "never", "first"),
        ("ben", FAILURE, "never", "second"),
        ("eve", FINE, "at once", "third"),
    ):
        said = with_answers(judgement, readable=readable, remark=remark)
        submit(engine, people[name], first(engine, people[name]), said)
    item = next_of(engine, ada)
    found = {one.judgement.custom["readable"]: one for one in item.positions}
    assert set(found) == {"never", "at once"}
    assert {"remark: first", "remark: second"} <= set(found["never"].rationales)
    with pytest.raises(InputError, match="Answer “Could a nurse act"):
        own(engine, ada, item, FINE)
    take_over(engine, ada, item, item.positions.index(found["never"]))
    with reading(engine) as session:
        decided = adjudicate.previous_adjudication_item(session, user_id=ada)
        assert decided is not None
        assert decided.decided is not None
        assert decided.decided.judgement.custom == {"readable": "never"}
        assert not compare_tables_with_log.compare_with_log(session)


def test_agreement_and_a_verified_bundle_hold_the_fields(engine: Engine) -> None:
    people = opened(engine, wrong=2)
    for name in ("ann", "ben", "eve"):
        for _ in range(2):
            item = save(engine, people[name], first(engine, people[name]), with_answers(BLIND, **STEP_1))
            submit(engine, people[name], item, with_answers(FAILURE, **STEP_1, seen=name == "ann"))
    with reading(engine) as session:
        layer = load_labels(session, "six").plain.layer("custom_readable")
        material_ = load_study_material(session, "six")
    assert layer.result is not None
    assert layer.result.coefficient("percent_agreement").value == 1.0
    files = bundle_files(material_, generated_by="clinicnum test")
    checked = verify_bundle(Unpacked(files), generated_by="clinicnum test")
    assert checked.faults == ()
    assert read_raw(files).tables.fields == declared()
    assert any(b"custom_readable" in content for content in files.values())


def test_a_draft_keeps_answers_that_are_not_whole(engine: Engine) -> None:
    ann = opened(engine)["ann"]
    item = first(engine, ann)
    with writing(engine) as session:
        annotate.save_draft(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            draft={"custom": {"readable": None, "remark": "not"}},
        )
    with reading(engine) as session:
        again = annotate.current_assignment(session, user_id=ann)
    assert again is not None
    assert again.draft == {"custom": {"readable": None, "remark": "not"}}
