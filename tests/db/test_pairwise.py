"""A pairwise study from the database's side: drawn, shown on drawn sides, saved at once, told apart."""

from collections import Counter

import pytest
from pydantic import ValidationError
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.data_files import study_tables
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.masked_model_names import MASK
from clinicnum.annotations.pairwise.pairing import left_side, pair_answers
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.study_design import read_design
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AssignmentRow, GenerationRow, StudyItemRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.explore.consensus_labels import StudyLabels
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.db.work.studies.study_progress import study_details
from clinicnum.errors import InputError
from tests.db.adjudicating import add_role, next_of
from tests.db.comparing import MODELS, compare_all, compared_material, open_pairwise, prefers
from tests.db.examples import BLIND, FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, first, save, submit


def people(engine: Engine) -> dict[str, str]:
    return {user.name: user.user_id for user in add_users(engine)}


def test_every_item_has_two_answers_to_its_question_whose_models_are_masked(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine)
    item = first(engine, ann)
    assert item.pair is not None
    texts = [one.text for one in item.pair.answers]
    assert {text.split(": answer ")[1][0] for text in texts} == {"0", "1"}
    assert len({text.rsplit(" ", 1)[1] for text in texts}) == 1
    sent = item.model_dump_json()
    assert not any(name.rsplit("/", 1)[1] in sent for name in MODELS)
    assert all(MASK in text for text in texts)
    assert item.reveal is None
    with reading(engine) as session:
        rows = session.execute(select(col(StudyItemRow.generation), col(StudyItemRow.second))).all()
        run = dict(session.execute(select(col(GenerationRow.id), col(GenerationRow.run))).all())
    assert len(rows) == 6
    assert all(run[one] != run[other] for one, other in rows)
    assert len({run[one] for one, _ in rows}) == 2  # either run is the first somewhere


def test_a_preference_is_saved_at_once_with_its_side_and_never_opens_the_gold(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine)
    item = first(engine, ann)
    assert item.pair is not None
    with writing(engine) as session:
        after = annotate.submit_and_next(
            session,
            user_id=ann,
            assignment_id=item.assignment_id,
            revision=0,
            judgement=prefers("first_better", "Shorter \x00 ü"),
            active_ms=10,
        )
    assert after is not None
    assert after.assignment_id != item.assignment_id
    with reading(engine) as session:
        again = annotate.get_assignment(session, user_id=ann, assignment_id=item.assignment_id)
        (row,) = session.scalars(select(AnnotationRow))
    assert (again.status, again.revision, again.reveal, again.feedback) == ("submitted", 1, None, None)
    assert row.response_judgement == "first_better"
    assert row.payload["left"] == item.pair.left
    assert again.judgement == prefers("first_better", "Shorter \x00 ü").model_copy(
        update={"left": item.pair.left}
    )
    submit(engine, ann, again, prefers("both_bad"))
    with reading(engine) as session:
        payloads = [one.payload for one in session.scalars(select(AnnotationRow))]
        assert sorted(one["response_judgement"] for one in payloads) == ["both_bad", "first_better"]
        assert not any(one["reference_known"] for one in payloads)
        assert not compare_tables_with_log.compare_with_log(session)


def test_the_side_is_the_servers_whatever_a_page_says(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine)
    item = first(engine, ann)
    assert item.pair is not None
    other = "second" if item.pair.left == "first" else "first"
    submit(engine, ann, item, prefers("both_alike").model_copy(update={"left": other}))
    with reading(engine) as session:
        (row,) = session.scalars(select(AnnotationRow))
    assert row.payload["left"] == item.pair.left


def test_each_kind_of_study_refuses_the_judgement_of_the_other(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine)
    item = first(engine, ann)
    for judgement in (FAILURE, FINE):
        with pytest.raises(InputError, match="compares two answers"):
            submit(engine, ann, item, judgement)
    for judgement in (BLIND, prefers("both_bad")):
        with pytest.raises(InputError, match="compares two answers"):
            save(engine, ann, item, judgement)
    open_study(engine, material(run_id="other"), name="usual")
    with writing(engine) as session:
        usual = session.scalars(select(AssignmentRow.study_id)).first()
        assert usual is not None
        session.flush()
    with reading(engine) as session:
        studies = {one.study_id for one in session.scalars(select(StudyItemRow)) if one.second is None}
    with writing(engine) as session:
        single = annotate.next_assignment(session, user_id=ann, study_id=studies.pop())
    assert single is not None
    with pytest.raises(InputError, match="judges one answer at a time"):
        save(engine, ann, single, prefers("both_alike"))
    with pytest.raises(InputError, match="judges one answer at a time"):
        submit(engine, ann, single, prefers("both_alike"))
    with reading(engine) as session:
        assert session.scalars(select(AnnotationRow)).all() == []
    with pytest.raises(ValidationError, match="neither a judgement of the item"):
        Judgement(response_judgement="both_bad", item_judgement="valid")


def test_two_runs_or_more_on_the_same_questions_are_needed(engine: Engine) -> None:
    people(engine)
    with pytest.raises(InputError, match="no two answers to the same question"):
        open_study(engine, material(), include="all", pairwise=True)
    for given in ({"include": "mixed"}, {"training": 1}, {"suggestions": "shown"}):
        with pytest.raises(InputError, match="whatever their scores"):
            read_design({"include": "all", "pairwise": True, **given})


def test_an_adjudicator_answers_a_flag_with_both_answers_in_sight_and_decides_nothing(engine: Engine) -> None:
    ann, ada = people(engine)["ann"], add_role(engine, "ada", "adjudicator")
    open_pairwise(engine, overlap=1)
    item = first(engine, ann)
    with writing(engine) as session:
        annotate.flag(session, user_id=ann, assignment_id=item.assignment_id, note="Which unit?")
    shown = next_of(engine, ada)
    assert item.pair is not None
    assert {one.shown for one in shown.answers} == set(item.pair.answers)
    assert shown.due == ()


def test_no_answer_has_a_label_from_it_and_its_guideline_is_about_comparing(engine: Engine) -> None:
    ann = people(engine)["ann"]
    with writing(engine) as session:
        rex = users.add_user(session, name="rex", role="researcher", password=None).user_id
    open_pairwise(engine, overlap=1)
    submit(engine, ann, first(engine, ann), prefers("both_bad"))
    with reading(engine) as session:
        runs = session.scalars(select(col(GenerationRow.run))).unique().all()
        assert StudyLabels().of_runs(session, user_id=rex, runs=runs) == {}
        (item,) = session.scalars(select(StudyItemRow).where(col(StudyItemRow.taken) > 0))
        assert item.due in (None, [])
        guideline = guideline_of(session, user_id=ann, study_id=item.study_id)
    assert guideline.version == "1"
    assert guideline.text.startswith("# How to compare two answers")


def test_the_tables_of_the_study_tell_both_answers(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine, models=3, items=4)
    item = first(engine, ann)
    submit(engine, ann, item, prefers("second_better"))
    with reading(engine) as session:
        tables = load_study_tables(session, "pairs")
    assert len(tables.inclusions) == 12  # three pairs a question
    instance = {one.generation_id: one.instance_id for one in tables.generations}
    run = {one.generation_id: one.run_id for one in tables.generations}
    assert all(
        one.second is not None and instance[one.generation_id] == instance[one.second]
        for one in tables.inclusions
    )
    pairs = Counter(
        (instance[one.generation_id], *sorted((run[one.generation_id], run[str(one.second)])))
        for one in tables.inclusions
    )
    assert len(pairs) == 12
    assert tables.annotations[0].left in ("first", "second")
    sent = item.model_dump_json()  # the third model's name is masked as well
    assert not any(name.rsplit("/", 1)[1] in sent for name in MODELS)


def test_pairs_are_a_circle_and_sides_are_drawn_evenly() -> None:
    rows = [(f"i{item}", f"r{run}", f"i{item} r{run}") for item in range(300) for run in range(4)]
    found = pair_answers(rows, seed="s")
    assert len(found) == 1200
    counts = Counter(tuple(sorted((one.split()[1], other.split()[1]))) for one, other in found.items())
    assert len(counts) == 6
    assert all(150 < n < 250 for n in counts.values())
    assert found == pair_answers(rows, seed="s") != pair_answers(rows, seed="t")
    two = pair_answers([row for row in rows if row[1] < "r2"], seed="s")
    assert len(two) == 300
    assert 110 < sum(one.endswith("r0") for one in two) < 190
    assert pair_answers([("i", "r", "g"), ("i", "r", "h")], seed="s") == {}
    sides = Counter(
        left_side(seed="s", generation=one, annotator=who, round_="main")
        for one in found
        for who in ("A1", "A2")
    )
    assert 1100 < sides["first"] < 1300
    assert compared_material().runs[1].meta["model"] == MODELS[1]


def test_report_exports_and_bundle_of_a_whole_study(engine: Engine) -> None:
    compare_all(engine, models=3, items=8)
    with writing(engine) as session:
        close_study(session, name="pairs")
    with reading(engine) as session:
        tables = load_study_tables(session, "pairs")
        stored = load_study_material(session, "pairs")
        due = session.scalars(select(col(StudyItemRow.due))).all()
    assert list(due) == [[]] * 24  # nobody decides between preferences that differ
    report = build_report(tables, generated_by="test")
    assert [one.id for one in report.sections] == ["pairwise", "unsaid", "provenance"]
    found = {table.id: table for one in report.sections for table in one.tables}
    strengths = [(row[0], row[3:6]) for row in found["pairwise_strengths"].rows]
    assert [name for name, _ in strengths] == list(MODELS)
    pairs = {(row[0], row[1]): row for row in found["pairwise_pairs"].rows}
    assert len(pairs) == 3
    for row in pairs.values():
        assert row[2] == 8
        assert row[3] + row[4] + row[5] + row[6] == 24  # type: ignore[operator]
        assert row[6] == 4  # both bad: two annotators on two of eight items
    (position,) = found["pairwise_position"].rows
    assert position[0] == pytest.approx(0.5, abs=0.25)
    (agreement,) = found["pairwise_agreement"].rows
    assert agreement[0] == 24
    assert report.warnings == ()
    counted = dict(row[:2] for row in found["counts"].rows)
    assert (counted["pairs judged"], counted["annotators asked per pair"]) == (24, 3)
    assert "generations judged" not in counted
    strongest = next(one for one in report.key_figures if one.label == "Strongest")
    differences = {row[:2]: row[10:12] for row in found["pairwise_pairs"].rows}
    limits = [ends for pair, (_, ends) in differences.items() if strongest.value in pair]
    alike = [ends for ends in limits if ends is None or ends[0] <= 0 <= ends[1]]  # type: ignore[index, operator]
    assert strongest.note.count("; not told apart from ") == bool(alike)
    html = render_html(report)
    assert "Which answers are preferred?" in html
    assert "adjudicat" not in html.replace("no adjudicator decides", "").split("Where this comes from")[0]
    names = [table.name for table in study_tables(tables)]
    assert names == ["comparisons", "scores"]
    (rows,) = [table for table in study_tables(tables) if table.name == "comparisons"]
    at = {field.name: place for place, field in enumerate(rows.fields)}
    assert len(rows.rows) == 72
    for row in rows.rows:
        models = {"first": row[at["first_model"]], "second": row[at["second_model"]]}
        side = {"left": row[at["left"]], "right": "second" if row[at["left"]] == "first" else "first"}
        chosen = str(row[at["chosen"]])
        assert row[at["preferred_model"]] == (models[str(side[chosen])] if chosen in side else None)
    bundle = Unpacked(bundle_files(stored, generated_by="test"))
    checked = verify_bundle(bundle, generated_by="test")
    assert checked.faults == ()
    assert checked.figures > 50
    assert read_raw(bundle.files).tables == tables


def test_pairs_that_not_everybody_compared_are_told_as_pairs_that_nobody_decides_on(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_pairwise(engine)
    submit(engine, ann, first(engine, ann), prefers("both_alike"))
    with writing(engine) as session:
        close_study(session, name="pairs")
    with reading(engine) as session:
        note = study_details(session, "pairs").progress.closing_note()
        report = build_report(load_study_tables(session, "pairs"), generated_by="test")
    assert note == "6 items are not judged by all their annotators."
    assert report.warnings == (
        "The study is closed; 6 pairs of answers have not been judged by all annotators asked.",
    )
    told = " ".join(one.text for one in report.findings)
    assert "neither won more often, each in 50.0 %" in told
