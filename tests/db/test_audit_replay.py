"""The tables are held against the log: what was changed past the program is named, ordinary work is not."""

import re

import pytest
from sqlalchemy import Engine, select, text
from sqlmodel import col

from clinicnum.db.engine import is_sqlite, reading, writing
from clinicnum.db.rows import AnnotationRow, AssignmentRow, AuditRow, ContestRow, TemplateRow
from clinicnum.db.work.adjudication import contest_resolution
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.next_assignment import release_expired
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.audit.compare_tables_with_log import Difference, compare_with_log
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.studies import study_changes, study_lifecycle
from tests.db.adjudicating import OMISSION, differing, next_of, own, take_over
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.prepared import made_once
from tests.db.tampering import by_force, disarmed, rehash
from tests.db.test_annotate import FINE, first, submit
from tests.db.test_contests import AMBIGUOUS, about, answered, contest, faulty_sums, look, uphold

WRONG_GOLD = AMBIGUOUS.model_copy(update={"item_judgement": "gold_wrong", "proposed_gold": "1"})


def differences(engine: Engine) -> tuple[Difference, ...]:
    with reading(engine) as session:
        assert all(one.broken_at is None for one in verify_chain(session)), "the log itself is whole"
        return compare_with_log(session)


def said(engine: Engine) -> list[str]:
    return [f"{one.table}: {one.says}" for one in differences(engine)]


@made_once
def labelled(engine: Engine, items: int) -> dict[str, str]:
    """Three annotators have submitted every item."""
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=items))
    for user_id in people.values():
        item = first(engine, user_id)
        while item is not None:
            with writing(engine) as session:
                annotate.submit(
                    session,
                    user_id=user_id,
                    assignment_id=item.assignment_id,
                    revision=item.revision,
                    judgement=FAILURE,
                    active_ms=7,
                )
                item = annotate.next_assignment(session, user_id=user_id)
    return people


def test_a_hundred_labels_rewritten_in_the_table_are_named_one_by_one(engine: Engine) -> None:
    labelled(engine, 34)
    assert differences(engine) == ()
    with disarmed(engine) as connection:
        rows = connection.execute(select(AnnotationRow.__table__).limit(100)).mappings().fetchall()  # type: ignore[attr-defined]
        for row in rows:
            connection.execute(
                AnnotationRow.__table__.update()  # type: ignore[attr-defined]
                .where(col(AnnotationRow.id) == row["id"])
                .values(payload={**row["payload"], "severity": "4"})
            )
    found = differences(engine)
    assert len(found) == len(rows) == 100
    assert {one.key for one in found} == {row["id"] for row in rows}
    assert all(re.search(r"severity is '4', the log says '2' \(row \d+\)$", one.says) for one in found)


TAMPERED = {
    "a time beside the judgement": (
        "UPDATE annotation SET payload = "
        "REPLACE(CAST(payload AS TEXT), '\"active_ms\": 7', '\"active_ms\": 9'){json}",
        "annotation: assignment .* times or circumstances",
        6,
    ),
    "a column": ("UPDATE annotation SET response_judgement = 'acceptable'", "its columns say otherwise", 6),
    "a revision that is no submit": ("UPDATE annotation SET submitted = FALSE", "belongs to another save", 6),
    "a label taken out": (
        "DELETE FROM annotation WHERE id = (SELECT MIN(id) FROM annotation)",
        "not in the table",
        1,
    ),
    "an assignment skipped": (
        "UPDATE assignment SET status = 'skipped', skip_reason = '\"why\"'",
        "assignment: (status: .* 'skipped', the log 'submitted'|skip_reason: .* 'why', the log None)",
        12,
    ),
    "an assignment at another revision": (
        "UPDATE assignment SET revision = 0",
        "revision: the table says 0, the log 1",
        6,
    ),
    "a flag": ("UPDATE assignment SET flag = '\"look\"'", "flag: the table says 'look', the log None", 6),
    "a study closed": ("UPDATE study SET status = 'closed'", "study: the table says closed, the log open", 1),
    "a contest put in": (
        "INSERT INTO contest (annotation_id, assignment_id, study_id, generation, kind, status, created_at) "
        "SELECT id, assignment_id, study_id, (SELECT MIN(id) FROM generation), 'ambiguous', 'open', "
        "created_at FROM annotation WHERE id = (SELECT MIN(id) FROM annotation)",
        "contest: is in the table, though the log does not tell of it",
        1,
    ),
    "a template put in": (
        "UPDATE template SET status = 'validated'",
        "template: is in the table, though the log does not tell of it",
        1,
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_changed_in_a_table_is_named(engine: Engine, what: str) -> None:
    labelled(engine, 2)
    statement, pattern, n = TAMPERED[what]
    by_force(engine, statement.format(json="" if is_sqlite(engine) else "::json"))
    found = said(engine)
    assert len(found) == n
    assert all(re.search(pattern, one) for one in found), found


def test_decisions_citations_and_their_absence_are_named(engine: Engine) -> None:
    people = differing(engine, wrong=2)
    take_over(engine, people["ada"], next_of(engine, people["ada"]), comment="so")
    own(engine, people["ada"], next_of(engine, people["ada"]), OMISSION)
    assert differences(engine) == ()
    by_force(
        engine,
        "DELETE FROM citation WHERE adjudication_id = (SELECT MIN(id) FROM adjudication) "
        "AND annotation_id = (SELECT MIN(annotation_id) FROM citation WHERE adjudication_id = "
        "(SELECT MIN(id) FROM adjudication))",
    )
    assert said(engine) == ["citation: it cites other annotations than the log says"]
    with disarmed(engine) as connection:
        row = connection.execute(text("SELECT MAX(id) FROM adjudication")).scalar_one()
        connection.execute(
            text("UPDATE adjudication SET user_id = :who WHERE id = :id"), {"who": people["ann"], "id": row}
        )
    assert any("by another account" in one for one in said(engine))
    by_force(engine, "DELETE FROM citation", "DELETE FROM adjudication")
    assert said(engine) == ["adjudication: is not in the table, though the log tells of it"] * 2


def test_contests_and_invalidations_are_named(engine: Engine) -> None:
    made = answered(faulty_sums(), {"acme/One": True, "acme/Two": False})
    people = contest(engine, WRONG_GOLD, made)
    item = next_of(engine, people["ada"])
    while not item.claims:
        item = next_of(engine, people["ada"], after=item.item)
    assert uphold(engine, people["ada"], item, look(engine, people["ada"], item).mark) > 0
    other = next_of(engine, people["ada"])
    while not other.claims:
        other = next_of(engine, people["ada"], after=other.item)
    with writing(engine) as session:
        contest_resolution.reject(session, **about(people["ada"], other), comment="it is right")
    assert differences(engine) == ()
    by_force(
        engine,
        "UPDATE contest SET status = 'open', decided_by = NULL, decision = NULL WHERE status = 'rejected'",
    )
    assert all(one.startswith("contest: status is 'open', the log says 'rejected'") for one in said(engine))
    assert said(engine)
    by_force(engine, "UPDATE invalidation SET rule = 'another'")
    found = [one for one in said(engine) if one.startswith("invalidation")]
    assert found
    assert set(found) == {"invalidation: its rule or reason is not the one that was logged"}
    by_force(engine, "DELETE FROM invalidation")
    found = [one for one in said(engine) if one.startswith("invalidation")]
    assert set(found) == {"invalidation: is not in the table, though the log tells of it"}


def test_what_a_template_says_and_its_status_are_held_against_the_log(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
    assert differences(engine) == ()
    with writing(engine) as session:
        row = session.scalars(select(TemplateRow).order_by(col(TemplateRow.template_id))).first()
        assert row is not None
        template_versions.set_status(session, row, "retired", actor="cur", why={"reason": "so"})
        key, payload = (row.template_id, row.version), row.payload
    assert differences(engine) == ()
    name = "{} version {}".format(*key)
    with disarmed(engine) as connection:
        table = TemplateRow.__table__  # type: ignore[attr-defined]
        one = (table.c.template_id == key[0]) & (table.c.version == key[1])
        connection.execute(table.update().where(one).values(status="validated"))
    (found,) = differences(engine)
    assert (found.key, found.says) == (name, "the table says validated, the log retired")
    with disarmed(engine) as connection:
        connection.execute(
            table.update().where(one).values(status="retired", payload={**payload, "unit": "x"})
        )
    (found,) = differences(engine)
    assert found.says == "what it says is not what was logged"


def test_ordinary_work_is_no_difference(engine: Engine) -> None:
    people = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=26), repeat_share=0.5, lease_minutes=5)
    ann = people["ann"]
    item = first(engine, ann)
    address = {"user_id": ann, "assignment_id": item.assignment_id}
    with writing(engine) as session:
        annotate.save_draft(session, **address, revision=0, draft={"rationale": "half"})
        annotate.save_judgement(
            session, **address, revision=0, judgement=FINE.without_reference(), active_ms=1
        )
        annotate.flag(session, **address, note="odd \x00 <b>")
        annotate.skip(session, **address, revision=1, reason="later")
    with writing(engine) as session:
        annotate.submit(session, **address, revision=1, judgement=AMBIGUOUS, active_ms=1)
        annotate.submit(session, **address, revision=2, judgement=WRONG_GOLD, active_ms=1)
        annotate.flag(session, **address, note=None)
    assert differences(engine) == ()
    with writing(engine) as session:
        annotate.submit(session, **address, revision=3, judgement=FINE, active_ms=1)
    with reading(engine) as session:
        assert sorted(session.scalars(select(col(ContestRow.status)))) == ["withdrawn", "withdrawn"]
    while (one := _maybe(engine, ann)) is not None:
        submit(engine, ann, one, FINE)
    first(engine, people["ben"])
    by_force(engine, "UPDATE assignment SET leased_until = '2001-01-01 00:00:00+00:00' WHERE status = 'open'")
    with writing(engine) as session:
        study_id = study_lifecycle.find_study(session, "six").id
        assert release_expired(session, study_id) == 1
    for change in (study_changes.pause_study, study_changes.reopen_study, study_lifecycle.close_study):
        with writing(engine) as session:
            change(session, name="six")
    with writing(engine) as session:
        study_changes.reopen_study(session, name="six")
        study_changes.change_guideline(session, name="six", text="# Look twice")
    with reading(engine) as session:
        rounds = set(session.scalars(select(col(AssignmentRow.round))))
    assert "repeat" in rounds
    assert differences(engine) == ()


def _maybe(engine: Engine, user_id: str) -> object:
    with writing(engine) as session:
        return annotate.next_assignment(session, user_id=user_id)


def test_the_log_cut_off_and_hashed_anew_leaves_the_tables_without_their_rows(engine: Engine) -> None:
    """The chain alone says whole; the labels that the log no longer tells of are named."""
    labelled(engine, 34)
    with disarmed(engine) as connection:
        last = connection.execute(text("SELECT MAX(seq) FROM audit WHERE action = 'submit'")).scalar_one()
        chain = connection.execute(
            text("SELECT chain FROM audit WHERE action = 'submit' LIMIT 1")
        ).scalar_one()
        connection.execute(
            text("DELETE FROM audit WHERE chain = :c AND seq > :s"), {"c": chain, "s": last - 100}
        )
        rehash(connection, chain)
    found = differences(engine)
    tables = [one.table for one in found]
    assert tables.count("annotation") == 100
    assert tables.count("assignment") == 200  # status and revision of each


def test_rows_that_do_not_say_what_their_kind_says_are_a_difference(engine: Engine) -> None:
    labelled(engine, 2)
    with disarmed(engine) as connection:
        row = (
            connection.execute(
                select(AuditRow.__table__).where(col(AuditRow.action) == "submit").limit(1)  # type: ignore[attr-defined]
            )
            .mappings()
            .one()
        )
        connection.execute(
            AuditRow.__table__.update()  # type: ignore[attr-defined]
            .where(col(AuditRow.chain) == row["chain"], col(AuditRow.seq) == row["seq"])
            .values(after={"assignment_id": row["after"]["assignment_id"], "judgement": 7})
        )
        rehash(connection, row["chain"])
    assert "audit: the row cannot be followed: it does not say what rows of its kind say" in said(engine)
