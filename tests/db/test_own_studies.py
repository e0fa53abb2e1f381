"""An annotator in several studies: the oldest first, until one is chosen; what is in work elsewhere waits."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AssignmentRow, StudyRow, utc_now
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.own_studies import OwnStudy, choose_study, own_studies
from clinicnum.db.work.studies.study_changes import pause_study
from clinicnum.errors import NotAllowed
from clinicnum.scripts.commands.common.simulated_annotators import label_study
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.test_annotate import first, save, submit


@pytest.fixture
def ann(engine: Engine) -> str:
    """An annotator of three studies, opened one after the other in the order early, middle, late."""
    people = {user.name: user.user_id for user in add_users(engine, ("ann", "ben"))}
    for place, name in enumerate(("early", "middle", "late")):
        open_study(engine, material(run_id=name, wrong=3), name=name, annotators=("ann", "ben"), overlap=1)
        with writing(engine) as session:
            opened_at = utc_now() - timedelta(days=9 - place)
            session.execute(update(StudyRow).where(col(StudyRow.name) == name).values(created_at=opened_at))
    return people["ann"]


def ids(engine: Engine) -> dict[str, str]:
    with reading(engine) as session:
        return {row.name: row.id for row in session.scalars(select(StudyRow))}


def choose(engine: Engine, user_id: str, name: str | None) -> None:
    with writing(engine) as session:
        choose_study(session, user_id=user_id, study_id=None if name is None else ids(engine)[name])


def listed(engine: Engine, user_id: str) -> tuple[OwnStudy, ...]:
    with reading(engine) as session:
        return own_studies(session, user_id=user_id)


def current(engine: Engine, user_id: str) -> Workitem | None:
    with reading(engine) as session:
        return annotate.current_assignment(session, user_id=user_id)


def test_studies_come_oldest_first_until_one_is_chosen_and_the_choice_is_kept(
    engine: Engine, ann: str
) -> None:
    assert [one.name for one in listed(engine, ann)] == ["early", "middle", "late"]
    assert first(engine, ann).study_name == "early"
    choose(engine, ann, "late")
    assert [one.chosen for one in listed(engine, ann)] == [False, False, True]
    for _ in range(3):
        item = first(engine, ann)
        assert item.study_name == "late"
        with writing(engine) as session:
            annotate.submit(
                session,
                user_id=ann,
                assignment_id=item.assignment_id,
                revision=0,
                judgement=FAILURE,
                active_ms=30_000,
            )
    # Nothing is left there: what was in work in the oldest comes back.
    assert first(engine, ann).study_name == "early"
    assert [(one.done, one.total) for one in listed(engine, ann)] == [(0, 2), (0, 2), (3, 3)]


def test_what_is_in_work_elsewhere_waits_with_its_locked_judgement(engine: Engine, ann: str) -> None:
    begun = save(engine, ann, first(engine, ann))
    choose(engine, ann, "middle")
    assert current(engine, ann) is None, "nothing is in work in the chosen study yet"
    assert first(engine, ann).study_name == "middle"
    choose(engine, ann, "early")
    back = first(engine, ann)
    assert (back.assignment_id, back.revision) == (begun.assignment_id, 1)
    assert back.judgement is not None
    assert back.reveal is not None
    choose(engine, ann, None)
    assert first(engine, ann).assignment_id == begun.assignment_id


def test_a_lease_that_ran_out_meanwhile_brings_the_locked_judgement_back_all_the_same(
    engine: Engine, ann: str
) -> None:
    begun = save(engine, ann, first(engine, ann))
    choose(engine, ann, "late")
    with writing(engine) as session:
        session.execute(update(AssignmentRow).values(leased_until=utc_now() - timedelta(minutes=1)))
    first(engine, ann)
    choose(engine, ann, "early")
    back = first(engine, ann)
    assert (back.assignment_id, back.revision, back.status) == (begun.assignment_id, 1, "open")


def test_minutes_left_are_expected_from_the_own_pace_and_at_first_from_that_of_the_others(
    engine: Engine, ann: str
) -> None:
    assert [one.expected_ms for one in listed(engine, ann)] == [None, None, None]
    with reading(engine) as session:
        other = next(one.user_id for one in users.list_users(session) if one.user_id != ann)
    submit(engine, other, first(engine, other))  # 20 ms
    item = first(engine, ann)
    assert (item.progress.median_ms, item.progress.expected_ms) == (None, 20)
    with writing(engine) as session:
        annotate.submit(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=FAILURE,
            active_ms=60_000,
        )
    assert listed(engine, ann)[0].expected_ms == 60_000
    assert first(engine, ann).progress.expected_ms == 60_000


def test_a_scripts_pace_says_nothing_of_the_time_that_people_need(engine: Engine) -> None:
    (ann,), (robot,) = add_users(engine, ("ann",)), add_users(engine, ("robot",), kind="simulated")
    open_study(engine, annotators=("ann", "robot"), overlap=2)
    label_study(engine, "six", error_rate=0, seed=0)
    assert robot.user_id != ann.user_id
    assert listed(engine, ann.user_id)[0].expected_ms is None
    assert first(engine, ann.user_id).progress.expected_ms is None


def test_a_study_of_others_or_one_that_is_not_open_cannot_be_chosen(engine: Engine, ann: str) -> None:
    add_users(engine, ("eve",))
    open_study(engine, material(run_id="hers", wrong=1), name="hers", annotators=("eve",), overlap=1)
    with writing(engine) as session:
        pause_study(session, name="late")
    with pytest.raises(NotAllowed, match="not an annotator of this study"):
        choose(engine, ann, "hers")
    with pytest.raises(NotAllowed, match="The study late is paused now"):
        choose(engine, ann, "late")
    with writing(engine) as session, pytest.raises(NotAllowed, match="not an annotator"):
        choose_study(session, user_id=ann, study_id="none")
    assert not any(one.chosen for one in listed(engine, ann))


def test_training_is_counted_apart(engine: Engine) -> None:
    (user,) = add_users(engine, ("tess",))
    references = {f"run-of-llama-g{number}": FAILURE for number in range(2)}
    open_study(engine, name="school", annotators=("tess",), overlap=1, training=2, references=references)
    submit(engine, user.user_id, first(engine, user.user_id))
    (school,) = listed(engine, user.user_id)
    assert (school.training, school.trained, school.done, school.total) == (2, 1, 1, 6)


def test_the_way_back_from_a_page_without_an_item_leads_into_the_chosen_study(
    engine: Engine, ann: str
) -> None:
    submit(engine, ann, first(engine, ann))
    choose(engine, ann, "late")
    submit(engine, ann, first(engine, ann))
    choose(engine, ann, "early")
    with reading(engine) as session:
        back = annotate.previous(session, user_id=ann, assignment_id=None)
    assert back is not None
    assert back.study_name == "early"
