"""What waits for each role, counted on a real database; the first steps are ticked off by what it holds."""

from datetime import datetime, timedelta

from sqlalchemy import Engine, insert, select, update
from sqlmodel import Session, col

from clinicnum.api.sample_project import sample_material
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import FrozenReportRow, JobRow, StudyRow, UserRow, utc_now
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.home import sample_project
from clinicnum.db.work.home.pending_work import STEPS, Overview, overview, starts_labelling
from clinicnum.db.work.studies import study_lifecycle
from tests.db.examples import FAILURE, material, open_study

ROLES = ("annotator", "adjudicator", "curator", "researcher", "admin")


def accounts(engine: Engine) -> dict[str, str]:
    with writing(engine) as session:
        made = {
            role: users.add_user(session, name=role, role=role, password="a long enough password").user_id  # type: ignore[arg-type]
            for role in ROLES
        }
        made["second"] = users.add_user(session, name="second", role="annotator", password=None).user_id
    return made


def seen(engine: Engine, user_id: str) -> Overview:
    with reading(engine) as session:
        return overview(session, user_id=user_id)


def label(engine: Engine, user_id: str, severity: str) -> None:
    judgement = FAILURE.model_copy(update={"severity": severity})
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
        assert item is not None
        own = {"user_id": user_id, "assignment_id": item.assignment_id}
        annotate.submit(session, **own, revision=item.revision, judgement=judgement, active_ms=1)


def test_each_role_sees_what_waits_for_it_and_nothing_of_the_others(engine: Engine) -> None:
    people = accounts(engine)
    open_study(engine, material(wrong=3), name="first", annotators=("annotator", "second"), overlap=2)
    for _ in range(3):
        label(engine, people["annotator"], "1")
        label(engine, people["second"], "4")
    found = {role: seen(engine, people[role]) for role in ROLES}
    parts = ("labelling", "deciding", "curating", "evaluating")
    has = {role: [part for part in parts if getattr(one, part) is not None] for role, one in found.items()}
    assert has == {
        "annotator": ["labelling"],
        "adjudicator": ["deciding"],
        "curator": ["curating"],
        "researcher": ["evaluating"],
        "admin": ["curating", "evaluating"],
    }
    labelling, deciding = found["annotator"].labelling, found["adjudicator"].deciding
    evaluating, curating = found["researcher"].evaluating, found["curator"].curating
    assert labelling
    assert deciding
    assert curating
    assert evaluating
    assert [(one.name, one.done, one.total) for one in labelling.studies] == [("first", 3, 3)]
    assert [(one.study, one.due, one.contests) for one in deciding] == [("first", 3, 0)]
    assert [(one.name, one.judged, one.due) for one in evaluating.studies] == [("first", 6, 3)]
    assert evaluating.undecidable == frozenset()
    assert evaluating.runs == 1
    assert curating.failures == ()
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="first")
    later = seen(engine, people["curator"]).curating
    assert later is not None
    assert later.failures == ("first",)


def test_decisions_that_nobody_may_take_are_named(engine: Engine) -> None:
    people = accounts(engine)
    open_study(engine, material(wrong=1), name="first", annotators=("annotator", "second"), overlap=2)
    label(engine, people["annotator"], "1")

    def undecidable() -> set[str]:
        own = seen(engine, people["researcher"]).evaluating
        assert own is not None
        return set(own.undecidable)

    def change(name: str, **to: object) -> None:
        with writing(engine) as session:
            session.execute(update(UserRow).where(col(UserRow.id) == people[name]).values(**to))

    change("adjudicator", active=False)
    assert undecidable() == set(), "no decision is due yet"
    label(engine, people["second"], "4")
    assert undecidable() == {"first"}
    change("annotator", role="adjudicator")
    assert undecidable() == {"first"}, "the study is barred to its annotators"
    change("adjudicator", active=True)
    assert undecidable() == set()


def test_the_last_report_of_each_study_is_named_to_whoever_may_read_it(engine: Engine) -> None:
    people = accounts(engine)
    for name in ("one", "two"):
        open_study(engine, material(run_id=name), name=name, annotators=("annotator",), overlap=1)
    with writing(engine) as session:
        ids = {row.name: row.id for row in session.scalars(select(StudyRow))}
        for number, names in enumerate((("one",), ("one", "two"), ("two",))):
            at = utc_now() + timedelta(minutes=number)
            freeze(session, f"r{number}", people["admin"], [ids[name] for name in names], at)

    def told(role: str) -> list[tuple[str, tuple[str, ...]]]:
        return [(one.report_id, one.studies) for one in seen(engine, people[role]).reports]

    assert told("admin") == told("researcher") == [("r2", ("two",)), ("r1", ("one",))]
    assert told("annotator") == told("adjudicator") == []
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="two")
    assert told("adjudicator") == told("curator") == [("r2", ("two",))]


def freeze(session: Session, key: str, user_id: str, studies: list[str], at: datetime) -> None:
    own = {"id": key, "created_at": at}
    job = {"kind": "report", "arguments": {}, "requested_by": user_id, "status": "done", "progress": {}}
    session.execute(insert(JobRow).values(**own, **job))
    frozen = {"job_id": key, "title": key, "studies": studies, "options": {}, "sha256": "x"}
    session.execute(insert(FrozenReportRow).values(**own, **frozen, created_by=user_id))


def test_an_annotator_of_one_open_study_begins_on_the_annotate_page(engine: Engine) -> None:
    people = accounts(engine)

    def at_once(name: str) -> bool:
        with reading(engine) as session:
            user = users.get_user(session, people[name])
            assert user is not None
            return starts_labelling(session, user)

    assert not at_once("annotator")
    open_study(engine, material(), name="first", annotators=("annotator",), overlap=1)
    assert (at_once("annotator"), at_once("second"), at_once("admin")) == (True, False, False)
    open_study(engine, material(run_id="b"), name="two", annotators=("annotator",), overlap=1)
    assert not at_once("annotator")


def test_the_steps_are_done_one_after_the_other_and_undone_with_the_sample(engine: Engine) -> None:
    with writing(engine) as session:
        root = users.add_user(session, name="root", role="admin", password=None).user_id

    def done() -> list[str]:
        own = seen(engine, root).evaluating
        assert own is not None
        return [step for step in STEPS if step in own.steps]

    assert done() == []
    with writing(engine) as session:
        ann = users.add_user(session, name="ann", role="annotator", password=None).user_id
    assert done() == ["people"]
    with writing(engine) as session:
        sample_project.make_sample(session, sample_material(), user_id=root, labelled=2)
    assert done() == ["benchmark", "run", "people"]
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=root)
        sample_project.make_sample(session, sample_material(), user_id=root, annotators=("ann",), labelled=2)
    assert done() == ["benchmark", "run", "explore", "study", "people"]
    label(engine, ann, "2")
    assert done() == list(STEPS[:-1])
    with writing(engine) as session:
        freeze(session, "j", root, [], utc_now())
    assert done() == list(STEPS)
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=root, confirmed=True)
    assert done() == ["people", "report"]
