"""Who changed which label when, from the log; and who must not see it."""

import pytest
from sqlalchemy import Engine, event, text
from sqlmodel import Session

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.audit.audit_log import verify_one
from clinicnum.db.work.changes.label_changes import PAGE, LabelChangePage, label_changes, visible_studies
from clinicnum.db.work.common.barred_studies import barred_studies
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import NotAllowed
from tests.db.adjudicating import OMISSION, add_role, decide_all, judge_all, next_of, take_over
from tests.db.examples import BLIND, FAILURE, MODEL, add_users, material, open_study
from tests.db.test_annotate import FINE, first, submit


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """A study of two items that three have judged, ann after a blind judgement of the first; ids by name."""
    made = {user.name: user.user_id for user in add_users(engine)}
    open_study(engine, material(wrong=2))
    item = first(engine, made["ann"])
    about = {"user_id": made["ann"], "assignment_id": item.assignment_id}
    with writing(engine) as session:
        annotate.save_judgement(session, **about, revision=0, judgement=BLIND, active_ms=1)
        annotate.submit(session, **about, revision=1, judgement=FAILURE, active_ms=1)
        annotate.submit(session, **about, revision=2, judgement=FINE, active_ms=1)
    for who in ("ben", "eve"):
        submit(engine, made[who], first(engine, made[who]), OMISSION)
    return {**made, "ada": add_role(engine, "ada"), "root": add_role(engine, "root", "admin")}


def look(engine: Engine, user_id: str, **asked: object) -> LabelChangePage:
    with reading(engine) as session:
        ((study_id, _, _),) = visible_studies(session, user_id=user_id)
        return label_changes(session, user_id=user_id, study_id=study_id, **asked)  # type: ignore[arg-type]


def test_an_admin_sees_every_change_newest_first_with_names_and_no_model(
    engine: Engine, people: dict[str, str]
) -> None:
    found = look(engine, people["root"])
    assert [(one.who, one.action, one.revision) for one in found.changes] == [
        ("eve", "submit", 1),
        ("ben", "submit", 1),
        ("ann", "submit", 3),
        ("ann", "submit", 2),
        ("ann", "save_judgement", 1),
    ]
    last = found.changes[2]
    assert (last.before, last.after) == (FAILURE, FINE)
    assert found.changes[3].says == FAILURE.rationale
    assert found.people == ("ada", "ann", "ben", "eve")
    assert found.older is None
    told = found.model_dump_json()
    assert MODEL not in told
    assert "run-of-llama" not in told


def test_a_judgement_submitted_as_it_was_saved_is_no_change_and_is_counted(
    engine: Engine, people: dict[str, str]
) -> None:
    before = look(engine, people["root"])
    item = first(engine, people["ann"])
    about = {"user_id": people["ann"], "assignment_id": item.assignment_id}
    blind = FAILURE.without_reference()
    other = FAILURE.model_copy(update={"item_judgement": "ambiguous"})
    with writing(engine) as session:
        annotate.save_judgement(session, **about, revision=0, judgement=blind, active_ms=1)
        annotate.submit(session, **about, revision=1, judgement=FAILURE, active_ms=1)
        annotate.submit(session, **about, revision=2, judgement=FAILURE, active_ms=2)
        annotate.submit(session, **about, revision=3, judgement=other, active_ms=1)
    found = look(engine, people["root"])
    assert (before.confirmed, found.confirmed) == (0, 2)
    listed = [(one.action, one.revision) for one in found.changes if one not in before.changes]
    assert listed == [("submit", 4), ("save_judgement", 1)]
    changed = look(engine, people["root"], kind="changed")
    assert changed.changes[0] == found.changes[0]
    assert [(one.who, one.revision) for one in changed.changes] == [("ann", 4), ("ann", 3), ("ann", 2)]
    assert changed.confirmed == 2
    assert look(engine, people["ada"]).confirmed == 0, "how many hold a position stays hidden"


def test_changes_are_found_by_item_person_and_kind(engine: Engine, people: dict[str, str]) -> None:
    root = people["root"]
    item = first(engine, people["ann"])
    with writing(engine) as session:
        annotate.flag(session, user_id=people["ann"], assignment_id=item.assignment_id, note="look \x00 <b>")
    (flagged,) = look(engine, root, kind="flag").changes
    assert (flagged.who, flagged.says, flagged.before) == ("ann", "look \x00 <b>", None)
    place, _, instance = flagged.item.partition(": ")
    assert flagged in look(engine, root, item=place).changes
    assert look(engine, root, item=instance).changes == look(engine, root, item=place).changes
    other = look(engine, root, item={"1": "2", "2": "1"}[place]).changes
    assert {one.item for one in other} | {flagged.item} == {one.item for one in look(engine, root).changes}
    assert len(other) + len(look(engine, root, item=place).changes) == 6
    assert {one.who for one in look(engine, root, person="ben").changes} == {"ben"}
    assert look(engine, root, person="ben", kind="flag").changes == ()
    for nowhere in ("i99", "7", "%", '"', "' OR 1=1 --"):
        assert look(engine, root, item=nowhere).changes == ()
    with pytest.raises(NotAllowed, match="not shown"):
        look(engine, root, person="root")


def test_while_a_study_is_open_adjudicators_see_replaced_judgements_of_nobody_and_their_own(
    engine: Engine, people: dict[str, str]
) -> None:
    found = look(engine, people["ada"])
    assert [(one.who, one.before, one.after, one.says) for one in found.changes] == [
        ("an annotator", FAILURE, FINE, None)
    ]
    assert found.people == ()
    for name in ("ann", "A1", people["ann"]):
        with pytest.raises(NotAllowed, match="not shown"):
            look(engine, people["ada"], person=name)
    judge_all(engine, {who: people[who] for who in ("ann", "ben", "eve")}, 1)
    take_over(engine, people["ada"], next_of(engine, people["ada"]), comment="so")
    own = look(engine, people["ada"], kind="decision").changes
    assert [(one.who, one.says) for one in own] == [("you", "so")]
    other = add_role(engine, "bob")
    assert look(engine, other, kind="decision").changes == ()
    decide_all(engine, other)
    with writing(engine) as session:
        close_study(session, name="six")
    told = look(engine, other)
    assert {one.who for one in told.changes} == {"A1", "A2", "A3", "J1", "you"}
    assert told.people == ("A1", "A2", "A3", "J1", "J2")
    assert {one.action for one in look(engine, other, person="J1").changes} == {"adjudicate"}


@pytest.mark.parametrize("role", ["adjudicator", "admin"])
def test_whose_role_was_changed_sees_nothing_of_a_study_they_label_until_it_is_closed(
    engine: Engine, people: dict[str, str], role: str
) -> None:
    with writing(engine) as session:
        users.set_role(session, name="ann", role=role)  # type: ignore[arg-type]
    with reading(engine) as session:
        assert visible_studies(session, user_id=people["ann"]) == ()
        ((study_id, _, _),) = visible_studies(session, user_id=people["root"])
        assert barred_studies(session, people["ann"]) == {study_id}
        with pytest.raises(NotAllowed, match="an annotator of this study"):
            label_changes(session, user_id=people["ann"], study_id=study_id)
    with writing(engine) as session:
        close_study(session, name="six")
    assert len(look(engine, people["ann"]).changes) == 5


def test_other_roles_and_unknown_studies_are_refused(engine: Engine, people: dict[str, str]) -> None:
    with reading(engine) as session:
        ((study_id, _, _),) = visible_studies(session, user_id=people["root"])
        for user_id in (people["eve"], add_role(engine, "cur", "curator"), "nobody"):
            with pytest.raises(NotAllowed):
                label_changes(session, user_id=user_id, study_id=study_id)
        with pytest.raises(NotAllowed, match="no such study"):
            label_changes(session, user_id=people["root"], study_id="nowhere")


def _many(session: Session, study_id: str, actor: str, rows: int) -> None:
    """Rows as a long study leaves them; their hashes are of no account here."""
    told = {
        "assignment_id": "none",
        "annotation_id": "none",
        "revision": 1,
        "judgement": FINE.model_dump(mode="json"),
    }
    start = session.get_one(AuditRow, (study_id, 1)).at
    session.execute(
        AuditRow.__table__.insert(),  # type: ignore[attr-defined]
        [
            {
                **{"chain": study_id, "seq": 1_000 + number, "actor": actor, "action": "submit"},
                **{"after": told, "at": start, "previous_hash": "0", "hash": "0"},
            }
            for number in range(rows)
        ],
    )


def test_a_long_log_is_read_a_page_at_a_time_from_its_key(engine: Engine, people: dict[str, str]) -> None:
    with writing(engine) as session:
        ((study_id, _, _),) = visible_studies(session, user_id=people["root"])
        _many(session, study_id, people["ben"], 3 * PAGE)
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    seen = []
    before = None
    for _ in range(10):
        page = look(engine, people["root"], before=before)
        seen += [one.seq for one in page.changes]
        before = page.older
        if before is None:
            break
    assert len(seen) == len(set(seen)) == 3 * PAGE + 5
    assert seen == sorted(seen, reverse=True)
    if engine.dialect.name == "sqlite":
        log = next(one for one in asked if "FROM audit" in one)
        with engine.connect() as connection:
            plan = str(connection.execute(text("EXPLAIN QUERY PLAN " + log.replace("?", "'x'"))).all())
        assert "USING INDEX" in plan
        assert "TEMP B-TREE" not in plan


def test_a_chain_is_checked_by_itself(engine: Engine, people: dict[str, str]) -> None:
    with writing(engine) as session:
        ((study_id, _, _),) = visible_studies(session, user_id=people["root"])
        whole = verify_one(session, study_id)
        assert (whole.broken_at, whole.rows) == (None, 6)
        _many(session, study_id, people["ben"], 1)
        broken = verify_one(session, study_id)
        assert (broken.broken_at, broken.reason) == (7, "row 7 is missing; the next one is 1000")
