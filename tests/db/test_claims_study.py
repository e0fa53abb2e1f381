"""A claims study from the database's side: sentences in two steps, verdicts saved, counted and verified."""

import csv
from io import StringIO

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.bundle.archive import Unpacked
from clinicnum.annotations.bundle.raw_files import read_raw
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.bundle.write import bundle_files
from clinicnum.annotations.exports.data_files import csv_files
from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.masked_model_names import MASK
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AssignmentRow, GenerationRow, StudyItemRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.annotation.guideline import guideline_of
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import InputError
from tests.db.checking import REFERENCE, checks, open_claims
from tests.db.comparing import MODELS
from tests.db.examples import BLIND, add_users
from tests.db.prepared import made_once
from tests.db.test_annotate import first, save, submit

FAULTY = ("supported", "supported", "contradicted:major")


def people(engine: Engine) -> dict[str, str]:
    return {user.name: user.user_id for user in add_users(engine)}


def with_reference(engine: Engine, user_id: str, *, wanted: bool = True) -> Workitem:
    """The next item that has a reference, or has none."""
    while True:
        item = first(engine, user_id)
        assert item.claims is not None
        if item.claims.follows == wanted:
            return item
        with writing(engine) as session:
            annotate.skip(
                session, user_id=user_id, assignment_id=item.assignment_id, revision=0, reason="later"
            )


def test_sentences_are_masked_and_the_reference_comes_after_the_lock_without_a_score(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_claims(engine)
    item = with_reference(engine, ann)
    assert item.claims is not None
    assert [one.text.replace(MASK, "") for one in item.claims.answer][1:] == [
        "HR was 88 b.p.m. on admission.",
        "He got 3.5 mg of warfarin.",
    ]
    assert item.claims.reference == ()
    sent = item.model_dump_json()
    assert not any(name.rsplit("/", 1)[1] in sent for name in MODELS)
    assert "troponin negative" not in sent
    locked = save(engine, ann, item, checks(item, *FAULTY))
    assert locked.claims is not None
    assert " ".join(one.text for one in locked.claims.reference) == REFERENCE
    assert (locked.reveal, locked.claims.follows, locked.status) == (None, False, "open")
    done = submit(engine, ann, locked, checks(locked, *FAULTY, reference="omitted:minor"))
    assert done.status == "submitted"
    with reading(engine) as session:
        blind, last = session.scalars(select(AnnotationRow).order_by(col(AnnotationRow.revision)))
        assert not compare_tables_with_log.compare_with_log(session)
        study = session.scalars(select(AssignmentRow.study_id)).first()
        assert guideline_of(session, user_id=ann, study_id=str(study)).text.startswith("# How to check")
    assert set(blind.payload["claims"].values()) == set(FAULTY)
    assert len(last.payload["claims"]) == 5
    assert last.payload["claims"].items() >= blind.payload["claims"].items()


def test_an_answer_without_a_reference_takes_one_step(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_claims(engine)
    item = with_reference(engine, ann, wanted=False)
    with pytest.raises(InputError, match="no reference follows"):
        save(engine, ann, item, checks(item, *FAULTY))
    done = submit(engine, ann, item, checks(item, *FAULTY))
    assert (done.status, done.revision, done.reveal) == ("submitted", 1, None)
    with reading(engine) as session:
        (row,) = session.scalars(select(AssignmentRow).where(col(AssignmentRow.status) == "submitted"))
        assert row.revealed_at is None  # nothing of the item was shown that sways another


def test_what_is_asked_is_answered_in_its_order_and_nothing_else(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_claims(engine)
    item = with_reference(engine, ann)
    whole = checks(item, *FAULTY)
    fewer = whole.model_copy(update={"claims": dict(list(whole.claims.items())[:2])})
    more = whole.model_copy(update={"claims": dict(whole.claims) | {"r0-30": "stated"}})
    for judgement, says in (
        (fewer, "1 of 3 sentences"),
        (more, "'r0-30' is no sentence that is asked about now"),
        (BLIND, "checks each claim of an answer"),
        (Judgement(response_judgement="rated"), "checks each claim of an answer"),
    ):
        with pytest.raises(InputError, match=says):
            save(engine, ann, item, judgement)
    with pytest.raises(InputError, match="locked before its reference is shown"):
        submit(engine, ann, item, whole)
    locked = save(engine, ann, item, whole)
    with pytest.raises(InputError, match="2 of 5 sentences"):
        submit(engine, ann, locked, whole)
    with reading(engine) as session:
        assert len(session.scalars(select(AnnotationRow)).all()) == 1


@made_once
def label(engine: Engine) -> None:
    """By three annotators: the first model's third sentence is contradicted, half of references omitted."""
    everyone = people(engine)
    open_claims(engine, items=10)
    with reading(engine) as session:
        runs = {row.id: row.generation_id for row in session.scalars(select(GenerationRow))}
    for name, user_id in everyone.items():
        while True:
            with writing(engine) as session:
                item = annotate.next_assignment(session, user_id=user_id)
            if item is None:
                break
            with reading(engine) as session:
                generation = runs[session.get_one(AssignmentRow, item.assignment_id).generation]
            third = "contradicted:major" if generation.startswith("sum-0") else "supported"
            said = ("supported", "not_addressed:none" if name == "eve" else "supported", third)
            assert item.claims is not None
            if item.claims.follows:
                blind = (
                    ("supported", *said[1:]) if third == "supported" else ("not_addressed:minor", *said[1:])
                )
                item = save(engine, user_id, item, checks(item, *blind))
            how = "omitted:minor" if int(generation[-1]) % 2 else "stated"
            submit(engine, user_id, item, checks(item, *said, reference=how))


def test_report_exports_and_bundle_of_a_whole_study(engine: Engine) -> None:
    label(engine)
    with writing(engine) as session:
        close_study(session, name="checks")
    with reading(engine) as session:
        tables = load_study_tables(session, "checks")
        stored = load_study_material(session, "checks")
        due = session.scalars(select(col(StudyItemRow.due))).all()
    assert list(due) == [[]] * 20  # nobody decides between verdicts that differ
    report = build_report(tables, generated_by="test")
    assert [one.id for one in report.sections] == ["claims", "unsaid", "provenance"]  # nothing came twice
    found = {table.id: table for one in report.sections for table in one.tables}
    names = [column.key for column in found["claims_models"].columns]
    rows = {row[0]: dict(zip(names, row, strict=True)) for row in found["claims_models"].rows}
    alpha, beta = (rows[name] for name in MODELS[:2])
    assert (alpha["answers"], alpha["sentences"]) == (10, 30)
    assert alpha["contradicted"] == pytest.approx(1 / 3)
    assert (beta["contradicted"], alpha["major_harm"], beta["major_harm"]) == (0, 1, 0)
    assert alpha["not_addressed"] == beta["not_addressed"] == pytest.approx(1 / 9)
    assert alpha["omitted"] == pytest.approx(4 / 9)
    # All subjects alike: no share has an error, so none is known to vary less.
    assert found["claims_models"].note.endswith("independent verdicts, one a sentence and annotator.")
    one = next(one for one in tables.annotations if "contradicted:major" in one.claims.values())
    milder = {key: said.replace("contradicted:major", "supported") for key, said in one.claims.items()}
    told = tuple(
        other.model_copy(update={"claims": milder})
        if (other.generation_id, other.annotator_id) == (one.generation_id, one.annotator_id)
        else other
        for other in tables.annotations
    )
    nearly = build_report(tables.model_copy(update={"annotations": told}), generated_by="test")
    assert (
        ": for 2 of 3 shares of sentences, the standard error here is below theirs."
        in nearly.sections[0].tables[0].note
    )
    differences = {row[0]: row for row in found["claims_differences"].rows}
    assert differences["Contradicted"][2:4] == (10, pytest.approx(1 / 3))
    assert found["claims_per_answer"].rows[0][1] == 3
    agreement = {str(row[0]): row for row in found["claims_agreement"].rows}
    assert agreement["Sentences of answers: all three verdicts"][1] == 60
    assert agreement["Contradicted, or not"][2] == 1
    assert agreement["Sentences of references: stated or omitted"][1] == 36
    assert report.sections[0].paragraphs[1].startswith("Of 81 verdicts on sentences of answers that were")
    assert (
        report.sections[0]
        .paragraphs[1]
        .endswith(
            "9 were changed once it was in sight (claims.csv: first revisions whose reference_known is "
            "false, complete or not, beside the last)."
        )
    )
    html = render_html(report)
    assert "Are the answers supported?" in html
    told = " ".join(one.text for one in report.findings)
    assert "are contradicted by the item's text" in told
    harmful = f"of the answers of {MODELS[0]} have a sentence, or omit one of the reference, with major harm"
    assert f"{harmful} (lasting, or in need of treatment; mean of the annotators)" in told
    assert "or major (lasting, or in need of treatment)" in report.sections[0].paragraphs[0]
    own = build_report(tables.model_copy(update={"harm_defined": False}), generated_by="test")
    assert f"{harmful} (by the guideline; mean of the annotators)" in " ".join(
        one.text for one in own.findings
    )
    assert "none, minor or major, as the guideline has them." in own.sections[0].paragraphs[0]
    best = next(one for one in report.key_figures if one.label == "Most supported")
    assert best.value == MODELS[1]
    assert differences["Supported"][4] is None  # every answer of a model is as the others
    assert f"; not told apart from {MODELS[0]}" in best.note
    files = csv_files(tables)
    assert {name for name in files if name.endswith(".csv")} == {"claims.csv", "scores.csv"}
    lines = list(csv.DictReader(StringIO(files["claims.csv"])))
    assert len(lines) == 60 * (3 + 3) - 6 * 3 + 54 * 2
    last = [one for one in lines if one["last"] == "True"]
    assert len(last) == 60 * 3 + 54 * 2
    text = next(one.text for one in tables.generations if one.generation_id == last[0]["generation_id"])
    cut = {text[int(one["start"]) : int(one["end"])] for one in last if one["part"] == "answer"}
    assert "HR was 88 b.p.m. on admission." in cut
    assert {one["complete"] for one in last} == {"True"}
    assert {(one["verdict"], one["harm"]) for one in last} >= {("contradicted", "major"), ("stated", "")}
    again = [one.model_copy(update={"round": "repeat"}) for one in tables.annotations]
    twice = build_report(
        tables.model_copy(update={"annotations": (*tables.annotations, *again)}), generated_by="test"
    )
    (repeats,) = (one for one in twice.sections[0].tables if one.id == "claims_repeats")
    assert [row[1:3] for row in repeats.rows[:1]] == [(180, 1)]  # 60 answers of three sentences, judged alike
    assert "claims_repeats" not in found
    bundle = Unpacked(bundle_files(stored, generated_by="test"))
    checked = verify_bundle(bundle, generated_by="test")
    assert checked.faults == ()
    assert checked.figures > 50
    assert read_raw(bundle.files).tables == tables


def test_verdicts_that_were_only_locked_do_not_count(engine: Engine) -> None:
    ann = people(engine)["ann"]
    open_claims(engine)
    item = with_reference(engine, ann)
    save(engine, ann, item, checks(item, *FAULTY))
    with reading(engine) as session:
        tables = load_study_tables(session, "checks")
    report = build_report(tables, generated_by="test")
    assert report.key_figures[0].value == "0"
    assert [table.id for table in report.sections[0].tables] == []
    lines = list(csv.DictReader(StringIO(csv_files(tables)["claims.csv"])))
    assert [one["complete"] for one in lines] == ["False"] * 3
