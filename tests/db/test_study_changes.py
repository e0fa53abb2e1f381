"""What a researcher changes in an open study, on a real database, and how far it has come."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.bundle.raw_files import raw_files, read_raw
from clinicnum.annotations.guideline import default_guideline
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.study_summary import StudyDetails
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, StudyAnnotatorRow, StudyItemRow, utc_now
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_changes, study_lifecycle
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_progress import list_progress, study_details
from clinicnum.errors import Conflict, InputError
from tests.db.examples import FAILURE, add_users, material, open_study

ACCEPTED = Judgement(item_judgement="valid", response_judgement="acceptable")


def label(engine: Engine, user_id: str, judgement: Judgement = FAILURE) -> str:
    """Submit the next item; the guideline version that it was judged by."""
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
        assert item is not None
        annotate.submit(
            session,
            user_id=user_id,
            assignment_id=item.assignment_id,
            revision=item.revision,
            judgement=judgement,
            active_ms=1,
        )
    return item.guideline_version


def details(engine: Engine) -> StudyDetails:
    with reading(engine) as session:
        return study_details(session, "six")


def last_audit(engine: Engine) -> tuple[str, str, dict[str, Any] | None, dict[str, Any] | None]:
    with reading(engine) as session:
        rows = session.scalars(select(AuditRow).where(col(AuditRow.chain) != "installation"))
        row = max(rows, key=lambda one: one.seq)
        return row.action, row.actor, row.before, row.after


def test_a_paused_study_hands_out_and_keeps_nothing_until_it_is_reopened(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=annotators["ann"])
        assert item is not None
        assert study_changes.pause_study(session, name=" six ", actor="root").status == "paused"
    assert last_audit(engine) == ("pause_study", "root", {"status": "open"}, {"status": "paused"})
    with writing(engine) as session:
        assert annotate.next_assignment(session, user_id=annotators["ben"]) is None
    with pytest.raises(Conflict, match="paused"), writing(engine) as session:
        annotate.submit(
            session,
            user_id=annotators["ann"],
            assignment_id=item.assignment_id,
            revision=0,
            judgement=FAILURE,
            active_ms=1,
        )
    with pytest.raises(Conflict, match="only an open one can be paused"), writing(engine) as session:
        study_changes.pause_study(session, name="six")
    with writing(engine) as session:
        assert study_changes.reopen_study(session, name="six").status == "open"
    with pytest.raises(Conflict, match="is open already"), writing(engine) as session:
        study_changes.reopen_study(session, name="six")
    label(engine, annotators["ann"])


def test_a_reopened_study_remembers_when_it_was_first_closed(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    first = details(engine).progress.closed_at
    with writing(engine) as session:
        study_changes.reopen_study(session, name="six")
        study_lifecycle.close_study(session, name="six")
    assert first is not None
    assert details(engine).progress.closed_at == first
    before, after = last_audit(engine)[2:]
    assert after is not None
    assert (before, after["status"]) == ({"status": "open"}, "closed")


def test_a_new_guideline_is_a_new_version_and_judgements_name_theirs(
    engine: Engine, annotators: dict[str, str]
) -> None:
    assert label(engine, annotators["ann"]) == "0"
    with writing(engine) as session:
        summary = study_changes.change_guideline(session, name="six", text="# Zwei\r\n\n- ü \x00 <b>\r\n")
    assert summary.guideline_version == "1"
    assert label(engine, annotators["ann"]) == "1"
    kept = [(one.version, one.text) for one in details(engine).guidelines]
    assert kept == [(1, "# Zwei\n\n- ü \x00 <b>"), (0, default_guideline(load_taxonomy()))]
    assert last_audit(engine)[0] == "submit"
    for text, complaint in (("# Zwei\n\n- ü \x00 <b>\n", "is the one in force"), ("x" * 50_001, "50001")):
        with pytest.raises(InputError, match=complaint), writing(engine) as session:
            study_changes.change_guideline(session, name="six", text=text)
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    with pytest.raises(Conflict, match="is closed; reopen it"), writing(engine) as session:
        study_changes.change_guideline(session, name="six", text="more")
    assert len(details(engine).guidelines) == 2


def test_one_more_annotator_gets_every_training_and_control_item_and_all_shares_shrink(
    engine: Engine,
) -> None:
    people = {one.name: one.user_id for one in add_users(engine, ["ann", "ben", "eve"])}
    references = {f"run-of-llama-g{number}": FAILURE for number in range(3)}
    open_study(
        engine,
        material(wrong=15),
        annotators=["ann", "ben"],
        overlap=1,
        references=references,
        training=1,
        controls=2,
    )
    for _ in range(3):
        label(engine, people["ann"])
    with writing(engine) as session:
        study_changes.add_annotator(session, name="six", annotator="EVE", actor="root")
    with reading(engine) as session:
        places = {(row.round, row.places) for row in session.scalars(select(StudyItemRow)).all()}
        crew = {row.pseudonym: row for row in session.scalars(select(StudyAnnotatorRow))}
        assert crew["A3"].user_id == people["eve"]
    assert places == {("training", 3), ("control", 3), ("main", 1)}
    assert {row.total for row in crew.values()} == {1 + 2 + 4}
    before, after = last_audit(engine)[2:]
    assert before == {"annotators": 2, "share": 9}
    assert after == {"annotators": 3, "share": 7, "added": "A3", "user": people["eve"]}
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=people["eve"])
        assert item is not None
        assert item.training


def test_who_cannot_be_added_is_refused_and_nothing_changes(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with writing(engine) as session:
        users.add_user(session, name="boss", role="admin", password=None)
    held = details(engine)
    for name, complaint in (
        ("ann", "is an annotator of study 'six' already"),
        ("boss", "has the role admin"),
        ("nobody", "no user 'nobody'"),
    ):
        with pytest.raises(InputError, match=complaint), writing(engine) as session:
            study_changes.add_annotator(session, name="six", annotator=name)
    assert details(engine) == held


def test_progress_counts_places_fills_skips_flags_and_what_waits(
    engine: Engine, annotators: dict[str, str]
) -> None:
    for name, judgement in (("ann", FAILURE), ("ben", FAILURE), ("eve", ACCEPTED)):
        for _ in range(6):
            label(engine, annotators[name], judgement)
    with reading(engine) as session:
        (one,) = list_progress(session)
    assert (one.items, one.filled, one.places, one.judged) == (6, 6, 18, 18)
    assert (one.due, one.contests, one.in_work, one.skipped, one.repeats) == (6, 0, 0, 0, 0)
    crew = {row.name: (row.done, row.share, row.in_work) for row in details(engine).annotators}
    assert crew == {"ann": (6, 6, 0), "ben": (6, 6, 0), "eve": (6, 6, 0)}


def test_progress_of_a_study_just_begun(engine: Engine, annotators: dict[str, str]) -> None:
    doubtful = FAILURE.model_copy(update={"item_judgement": "ambiguous"})
    label(engine, annotators["ann"], doubtful)
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=annotators["ann"])
        assert item is not None
        annotate.skip(
            session, user_id=annotators["ann"], assignment_id=item.assignment_id, revision=0, reason="late"
        )
        annotate.next_assignment(session, user_id=annotators["ben"])
    one = details(engine).progress
    assert (one.filled, one.judged, one.contests, one.skipped, one.in_work) == (0, 1, 1, 1, 1)


def test_a_bundle_holds_the_design_and_every_guideline_and_reads_them_back(
    engine: Engine, annotators: dict[str, str]
) -> None:
    label(engine, annotators["ann"])
    with writing(engine) as session:
        study_changes.change_guideline(session, name="six", text="# Second")
    with reading(engine) as session:
        held = load_study_material(session, "six")
    guidelines = [(one.version, one.text) for one in held.opened.guidelines]
    assert guidelines == [(0, default_guideline(load_taxonomy())), (1, "# Second")]
    assert held.tables.design is not None
    assert held.tables.design.overlap == 3
    assert read_raw(raw_files(held)) == held


def test_a_deadline_is_set_moved_and_taken_away_and_each_change_is_logged(
    engine: Engine, annotators: dict[str, str]
) -> None:
    first, second = date(2030, 12, 15), date(2031, 1, 2)
    for day in (first, second, None):
        with writing(engine) as session:
            assert study_changes.change_deadline(session, name="six", deadline=day).deadline == day
        with reading(engine) as session:
            assert study_details(session, "six").progress.deadline == day
            item = annotate.current_assignment(session, user_id=annotators["ann"])
            assert item is None or item.deadline == day
        with writing(engine) as session:
            annotate.next_assignment(session, user_id=annotators["ann"])
    with reading(engine) as session:
        log = session.scalars(select(AuditRow).where(col(AuditRow.action) == "change_deadline")).all()
        assert [(row.before, row.after) for row in log] == [
            ({"deadline": None}, {"deadline": "2030-12-15"}),
            ({"deadline": "2030-12-15"}, {"deadline": "2031-01-02"}),
            ({"deadline": "2031-01-02"}, {"deadline": None}),
        ]
    with (
        writing(engine) as session,
        pytest.raises(InputError, match="has no deadline, so nothing was changed"),
    ):
        study_changes.change_deadline(session, name="six", deadline=None)
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")
    with writing(engine) as session, pytest.raises(Conflict, match="is closed; reopen it"):
        study_changes.change_deadline(session, name="six", deadline=first)


def test_the_outlook_counts_what_came_in_lately_and_a_paused_study_has_none(
    engine: Engine, annotators: dict[str, str]
) -> None:
    with writing(engine) as session:
        study_changes.change_deadline(session, name="six", deadline=utc_now().date())
    for _ in range(2):
        with writing(engine) as session:
            item = annotate.next_assignment(session, user_id=annotators["ann"])
            assert item is not None
            about = {"user_id": annotators["ann"], "assignment_id": item.assignment_id, "active_ms": 1}
            annotate.submit(session, **about, revision=0, judgement=FAILURE)
            revised = FAILURE.model_copy(update={"severity": "1"})
            annotate.submit(session, **about, revision=1, judgement=revised)
    with reading(engine) as session:
        (progress,) = list_progress(session)
    assert (progress.recent, progress.judged, progress.places) == (2, 2, 18)
    assert progress.is_at_risk(now=utc_now())
    assert progress.outlook(now=utc_now()) == (
        f"At risk: 16 judgements a day are needed until {utc_now().date()}, the last day brought 2 a day."
    )
    later = utc_now() + timedelta(days=3)
    assert progress.outlook(now=later) == "Overdue by 3 days: 16 judgements missing."
    with writing(engine) as session:
        study_changes.pause_study(session, name="six")
    with reading(engine) as session:
        (progress,) = list_progress(session)
    assert progress.outlook(now=utc_now()) is None
    assert not progress.is_at_risk(now=later)
