"""A ratings study from the database's side: shown blind, saved at once, told apart, reported and verified."""

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.data_files import study_tables
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.leaderboard import build_leaderboard
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, GenerationRow, StudyItemRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.explore.consensus_labels import StudyLabels
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import InputError
from tests.db.adjudicating import add_role, next_of
from tests.db.comparing import MODELS
from tests.db.examples import BLIND, FAILURE, add_users
from tests.db.prepared import made_once
from tests.db.rating import AXES, open_ratings, rates
from tests.db.test_annotate import FINE, first, save, submit


def people(engine: Engine) -> dict[str, str]:
    return {user.name: user.user_id for user in add_users(engine)}


def test_ratings_are_saved_at_once_and_never_open_the_gold(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_ratings(engine)
    item = first(engine, ann)
    assert (item.kind, item.reference, item.reveal) == ("ratings", None, None)
    given = rates(4, 5, 1, 2, why="Shorter \x00 ü")
    with writing(engine) as session:
        after = annotate.submit_and_next(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=given,
            active_ms=10,
        )
    assert after is not None
    assert after.assignment_id != item.assignment_id
    with reading(engine) as session:
        again = annotate.get_assignment(session, user_id=ann, assignment_id=item.assignment_id)
    assert (again.status, again.revision, again.reveal, again.judgement) == ("submitted", 1, None, given)
    submit(engine, ann, again, rates(1, 1, 1, 1))
    with reading(engine) as session:
        rows = session.scalars(select(AnnotationRow)).all()
        assert [row.response_judgement for row in rows] == ["rated", "rated"]
        assert not any(row.payload["reference_known"] for row in rows)
        assert not compare_tables_with_log.compare_with_log(session)


def test_the_gold_is_not_in_sight_unless_the_design_says_so(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_ratings(engine)
    hidden = first(engine, ann)
    number = int(hidden.text.rsplit("i", 1)[1])
    assert str(1000 + number) not in hidden.model_dump_json()


def test_a_shown_gold_stands_there_from_the_start_and_nothing_of_the_score(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_ratings(engine, reference=True)
    item = first(engine, ann)
    assert item.reference is not None
    assert item.reference.answer == f"{1000 + int(item.text.rsplit('i', 1)[1])} mmHg"
    assert (item.reveal, item.suggestions) == (None, ())
    with reading(engine) as session:
        tables = load_study_tables(session, "rated")
    assert tables.design is not None
    assert tables.design.reference
    report = build_report(tables, generated_by="test")
    assert "the gold answer stood beside the answer" in report.sections[0].paragraphs[0]


def test_what_is_no_rating_is_refused(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_ratings(engine)
    item = first(engine, ann)
    for judgement in (FAILURE, FINE):
        with pytest.raises(InputError, match="rates each answer on its axes"):
            submit(engine, ann, item, judgement)
    for judgement in (BLIND, rates(1, 1, 1, 1)):
        with pytest.raises(InputError, match="rates each answer on its axes"):
            save(engine, ann, item, judgement)
    for custom, says in (
        ({}, "Answer “Accuracy"),
        (dict.fromkeys(AXES[:3], "1"), "Answer “Clarity"),
        ({**dict.fromkeys(AXES, "1"), "safety": "6"}, "expected one of 1, 2, 3, 4, 5"),
        ({**dict.fromkeys(AXES, "1"), "tone": "1"}, "declares no field 'tone'"),
    ):
        with pytest.raises(InputError, match=says):
            submit(engine, ann, item, Judgement(response_judgement="rated", custom=custom))
    with reading(engine) as session:
        assert session.scalars(select(AnnotationRow)).all() == []


def test_ratings_are_not_settled_give_no_label_and_have_a_guideline_of_their_own(engine: Engine) -> None:
    everyone, ada = people(engine), add_role(engine, "ada", "adjudicator")
    with writing(engine) as session:
        rex = users.add_user(session, name="rex", role="researcher", password=None).user_id
    open_ratings(engine, models=1, items=1)
    for place, user_id in enumerate(everyone.values()):
        item = first(engine, user_id)
        submit(engine, user_id, item, rates(*[1 + place] * 4))
        with writing(engine) as session:
            annotate.flag(session, user_id=user_id, assignment_id=item.assignment_id, note="Which unit?")
    assert next_of(engine, ada).due == ()
    with reading(engine) as session:
        runs = session.scalars(select(col(GenerationRow.run))).unique().all()
        assert StudyLabels().of_runs(session, user_id=rex, runs=runs) == {}
        (row,) = session.scalars(select(StudyItemRow))
        assert row.due in (None, [])
        guideline = guideline_of(session, user_id=everyone["ann"], study_id=row.study_id)
    assert guideline.text.startswith("# How to rate answers")
    assert "Safety: could acting on it do harm" in guideline.text


@made_once
def labelled(engine: Engine, items: int) -> None:
    """A whole study with blind repeats: everybody gives the first model 4 and the other 3, eve a point more
    on clarity.
    """
    everyone = people(engine)
    open_ratings(engine, items=items, repeat_share=0.4)
    for name, user_id in everyone.items():
        while True:
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=user_id)
            if item is None:
                break
            point = 4 if "answer 0" in item.text else 3
            submit(engine, user_id, item, rates(point, point, point, point + (name == "eve")))


def test_report_exports_and_bundle_of_a_whole_study(engine: Engine) -> None:
    labelled(engine, items=12)
    with writing(engine) as session:
        close_study(session, name="rated")
    with reading(engine) as session:
        tables = load_study_tables(session, "rated")
        stored = load_study_material(session, "rated")
        assert all(due in (None, []) for due in session.scalars(select(col(StudyItemRow.due))))
    report = build_report(tables, generated_by="test")
    assert [one.id for one in report.sections] == ["ratings", "provenance"]
    found = {table.id: table for one in report.sections for table in one.tables}
    means = {(row[0], row[1]): row for row in found["ratings_means"].rows}
    first_model, other = MODELS[:2]
    assert len(means) == 8
    assert means["accuracy", first_model][2:4] == (12, 4.0)
    assert means["clarity", other][3] == pytest.approx(10 / 3)
    assert (means["safety", first_model][5], means["safety", other][5]) == (0.0, 1.0)  # at or below 3
    differences = {row[0]: row for row in found["ratings_differences"].rows}
    assert differences["clarity"][1:5] == (first_model, other, 12, pytest.approx(1.0))
    assert "the jackknife has no width" in str(differences["clarity"][6])
    points = [row for row in found["ratings_points"].rows if row[:2] == ("clarity", other)]
    assert [row[4] for row in points] == [0, 0, 24, 12, 0]
    agreement = {row[0]: row for row in found["ratings_agreement"].rows}
    assert agreement["safety"][1:3] == (24, 1.0)
    assert agreement["clarity"][2] == pytest.approx(1 / 3)
    said = str(agreement["clarity"][-1])
    assert "Weighted kappa: 3 annotators" in said
    assert "of pairs of annotators 0." in said
    repeats = found["ratings_repeats"].rows
    assert {(row[0], row[1], row[4]) for row in repeats} == {(axis, 1.0, 0.0) for axis in AXES}
    html = render_html(report)
    assert "How are the answers rated?" in html
    assert [one.topic for one in report.findings] == ["Lowest ratings"] * 3
    names = [table.name for table in study_tables(tables)]
    assert names == ["ratings", "scores"]
    (rows,) = [table for table in study_tables(tables) if table.name == "ratings"]
    assert len(rows.rows) == 4 * len(tables.annotations)
    compared = build_leaderboard([tables], generated_by="test")
    assert [one.id for one in compared.sections] == ["leaderboard", "provenance"]
    assert any("rates each answer on its axes" in one for one in compared.warnings)
    bundle = Unpacked(bundle_files(stored, generated_by="test"))
    checked = verify_bundle(bundle, generated_by="test")
    assert checked.faults == ()
    assert checked.figures > 100
    assert read_raw(bundle.files).tables == tables
