"""Disagreements beyond labels, on a real database: what comes into the queue, who decides, what is kept."""

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
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.suppress_small_counts import suppressed
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AdjudicationRow, CitationRow, GenerationRow, StudyItemRow
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.audit import compare_tables_with_log
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.common.adjudication_need import final_annotations
from clinicnum.db.work.studies.load_study_for_bundle import load_study_material
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.db.work.studies.study_progress import list_progress
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.adjudicating import next_of, waiting
from tests.db.disputing import DISPUTED, WORDS, answers, open_disputed, settle
from tests.db.examples import FAILURE

KINDS = list(DISPUTED)


@pytest.mark.parametrize("kind", KINDS)
def test_what_annotators_differ_on_is_decided_with_a_reason_and_cited(engine: Engine, kind: str) -> None:
    _, ids = open_disputed(engine, kind)
    listed = waiting(engine, ids["ada"])
    due = [one.due for one in listed]
    assert due
    assert all(one == (DISPUTED[kind].due,) for one in due)
    item = next_of(engine, ids["ada"])
    assert item.design.kind == kind
    assert len(item.positions) == 2
    for lacking, says in (
        ({"comment": " "}, "decided with a reason"),
        ({"answers": {}}, "1 of 1 disputed questions"),
        ({"answers": {**answers(item, kind), "other": "met"}}, "Nobody differs on 'other'"),
        ({"answers": dict.fromkeys(answers(item, kind), "perhaps")}, "cannot be said of"),
    ):
        with pytest.raises(InputError, match=says):
            settle(engine, ids["ada"], item, kind, **lacking)
    with pytest.raises(NotAllowed):
        settle(engine, ids["ann"], item, kind)
    settle(engine, ids["ada"], item, kind)
    settle(engine, ids["ada"], item, kind)  # sent twice: nothing happens
    assert len(waiting(engine, ids["ada"])) == len(listed) - 1
    with reading(engine) as session:
        (row,) = session.scalars(select(AdjudicationRow))
        assert row.payload["comment"] == WORDS
        cites = set(session.scalars(select(col(CitationRow.annotation_id))))
        last = final_annotations(session, item.study_id, item.generation)
        assert cites == {one.id for one in last}
        assert len(last) == 2
        assert all(one.broken_at is None for one in verify_chain(session))
        assert not compare_tables_with_log.compare_with_log(session)
    stored = Judgement.model_validate(row.payload["judgement"])
    given = {"failures": stored.criteria, "claims": stored.claims, "ratings": stored.custom}.get(kind)
    assert given == (None if kind == "pairwise" else answers(item, kind))
    assert kind != "pairwise" or (stored.response_judgement, stored.left) == ("second_better", item.left)
    with pytest.raises(Conflict, match=r"You decided this item at .* in another window"):
        settle(engine, ids["ada"], item, kind, comment="another reason")


@pytest.mark.parametrize("kind", KINDS)
def test_a_study_that_does_not_settle_them_asks_nobody(engine: Engine, kind: str) -> None:
    _, ids = open_disputed(engine, kind, adjudicated=False)
    assert waiting(engine, ids["ada"]) == ()
    with reading(engine) as session:
        assert [row.due for row in session.scalars(select(StudyItemRow)) if row.due] == []


@pytest.mark.parametrize("kind", KINDS)
def test_decisions_due_are_named_when_a_study_is_closed_and_models_stay_masked(
    engine: Engine, kind: str
) -> None:
    study, ids = open_disputed(engine, kind)
    n = len(waiting(engine, ids["ada"]))
    with writing(engine) as session:
        close_study(session, name=study.name)
        (progress,) = list_progress(session)
        assert f"{n} decision" in str(progress.closing_note())
    assert next_of(engine, ids["ada"]).answers[0].model is None
    while waiting(engine, ids["ada"]):
        settle(engine, ids["ada"], item := next_of(engine, ids["ada"]), kind)
    with reading(engine) as session:
        (progress,) = list_progress(session)
        assert progress.closing_note() is None
        assert not progress.models_masked
    assert item.answers[0].model is None


def test_a_study_of_failures_takes_labels_and_ticks_together_and_no_other_kind(engine: Engine) -> None:
    _, ids = open_disputed(engine, "failures")
    item = next_of(engine, ids["ada"])
    for judgement in (None, Judgement(response_judgement="rated")):
        with pytest.raises(InputError, match=r"Nothing was decided|judges one answer at a time"):
            settle(engine, ids["ada"], item, "failures", position=None, judgement=judgement)
    settle(engine, ids["ada"], item, "failures", position=None, judgement=FAILURE)
    with reading(engine) as session:
        (row,) = session.scalars(select(AdjudicationRow))
    assert row.payload["judgement"]["criteria"] == {"safe@1": "not_met"}
    assert row.payload["taken_over"] is False


def test_labels_and_a_position_are_refused_where_no_failure_is_judged(engine: Engine) -> None:
    _, ids = open_disputed(engine, "ratings")
    item = next_of(engine, ids["ada"])
    for given in ({"judgement": FAILURE}, {"position": 0}):
        with pytest.raises(InputError, match="rates each answer on its axes"):
            settle(engine, ids["ada"], item, "ratings", **given)


def test_ratings_within_the_limit_are_not_disputed(engine: Engine) -> None:
    _, ids = open_disputed(engine, "ratings", rating_limit=3)
    assert waiting(engine, ids["ada"]) == ()


def test_an_adjudicator_sees_both_answers_in_an_order_of_their_own(engine: Engine) -> None:
    _, ids = open_disputed(engine, "pairwise")
    item = next_of(engine, ids["ada"])
    texts = [one.shown.text for one in item.answers]
    number = 0 if item.left == "first" else 1
    with reading(engine) as session:
        row = session.get_one(StudyItemRow, (item.study_id, item.generation))
        first = session.get_one(GenerationRow, row.generation).payload["text"]
    assert len(first) == len(texts[number])
    assert first.rsplit(":", 1)[1] == texts[number].rsplit(":", 1)[1]


EXPECTED: dict[str, tuple[str, str, float, float]] = {
    # Table, figure, with the decision and as judged, by hand. Of the criteria `safe` weighs 2 and `short` 1:
    # ann's ticks on s0 come to 3/3, with the decision to 1/3, ben's to 0/2 both times; on s1 to 2/3.
    "failures": ("decided_shares", "Weighted score", (1 / 6 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2),
    # Two comparisons on s0, a win and a tie, become two losses of the first answer; on s1 are two ties.
    "pairwise": ("decided_shares", "Win rate", 1 / 4, 2.5 / 4),
    # Points 5 and 2 on s0 become 3 and 3; on s1 they are 3.
    "ratings": ("decided_numbers", "Mean", 3.0, (3.5 + 3) / 2),
    # One of two says major harm on s0, then none does; on s1 nobody does.
    "claims": ("decided_shares", "Major harm", 0.0, 0.25),
}


@pytest.mark.parametrize("kind", KINDS)
def test_decisions_reach_report_exports_and_bundle_which_is_recomputed(engine: Engine, kind: str) -> None:
    study, ids = open_disputed(engine, kind)
    settle(engine, ids["ada"], item := next_of(engine, ids["ada"]), kind)
    with writing(engine) as session:
        close_study(session, name=study.name)
    with reading(engine) as session:
        made = load_study_material(session, study.name)
        generation = session.get_one(GenerationRow, item.generation)
    report = build_report(made.tables, generated_by="test")
    section = next(one for one in report.sections if one.id == "disputes")
    tables = {one.id: one for one in section.tables}
    (row,) = [row for row in tables["decided_questions"].rows if row[0] == generation.generation_id]
    assert (row[4], row[5], row[6]) == ("J1", 2, WORDS)
    ((key, answer),) = answers(item, kind).items()
    assert (row[1], row[3]) == (key, answer.replace("_", " "))
    assert section.paragraphs[0].endswith("a decision stands on 1 of these.")
    assert section.paragraphs[1].endswith("in random order, with models masked, and gave a reason.")
    table, figure, with_it, without = EXPECTED[kind]
    shown = [dict(zip(tables[table].keys, row, strict=True)) for row in tables[table].rows]
    values = [
        (one["decided"], one["given"])
        for one in shown
        if one["figure"] == figure and one["decided"] != one["given"]
    ]
    exported = csv_files(made.tables)
    name = {"failures": "criteria", "pairwise": "comparisons", "ratings": "ratings", "claims": "claims"}[kind]
    rows = list(csv.DictReader(StringIO(exported[f"{name}.csv"])))
    column = "adjudicated_verdict" if kind == "claims" else "adjudicated"
    of_it = next(row for row in rows if row[column])
    if kind == "pairwise" and of_it["first_model"] > of_it["second_model"]:
        with_it, without = 1 - with_it, 1 - without
    assert values == [pytest.approx((with_it, without))]
    decided = {row["annotator_id"]: row[column] for row in rows if row[column]}
    assert decided == dict.fromkeys(("A1", "A2"), answer.partition(":")[0])
    (told,) = csv.DictReader(StringIO(exported["adjudications.csv"]))
    assert told["decided"] == ("" if kind == "pairwise" else f"{key}={answer}")
    assert told["comment"] == WORDS
    files = bundle_files(made, generated_by="test")
    assert verify_bundle(Unpacked(files), generated_by="test").faults == ()
    files["raw/adjudications.jsonl"] = files["raw/adjudications.jsonl"].replace(
        f'"{answer}"'.encode(), f'"{item.disputes[0].options[0]}"'.encode()
    )
    tampered = read_raw(files)
    assert build_report(tampered.tables, generated_by="test") != report


def test_decisions_made_after_models_were_shown_and_those_of_scripts_are_said_to_be(engine: Engine) -> None:
    study, ids = open_disputed(engine, "ratings")
    while waiting(engine, ids["ada"]):
        settle(engine, ids["ada"], last := next_of(engine, ids["ada"]), "ratings")
    with writing(engine) as session:
        close_study(session, name=study.name)
    with reading(engine) as session:
        shown = load_adjudication_item(session, user_id=ids["ada"], study_id=last.study_id, item=last.item)
    assert shown.answers[0].model is not None
    settle(engine, ids["ada"], shown, "ratings", answers={"accuracy": "5"}, comment="seen anew")
    with reading(engine) as session:
        tables = load_study_material(session, study.name).tables
    section = next(one for one in build_report(tables, generated_by="test").sections if one.id == "disputes")
    assert "(1 of 2 decisions after models had been shown)" in section.paragraphs[1]
    scripted = [one.model_copy(update={"adjudicator_kind": "simulated"}) for one in tables.adjudications]
    by_script = tables.model_copy(update={"adjudications": tuple(scripted)})
    section = next(
        one for one in build_report(by_script, generated_by="test").sections if one.id == "disputes"
    )
    assert section.paragraphs[1].endswith("Scripted adjudicators test the software.")


def test_shares_with_decisions_stand_beside_their_number_so_that_small_ones_are_withheld(
    engine: Engine,
) -> None:
    study, ids = open_disputed(engine, "claims")
    while waiting(engine, ids["ada"]):
        settle(engine, ids["ada"], next_of(engine, ids["ada"]), "claims")
    with reading(engine) as session:
        tables = load_study_material(session, study.name).tables
    report = suppressed(build_report(tables, generated_by="test"), 5)
    (table,) = [table for one in report.sections for table in one.tables if table.id == "decided_shares"]
    shown = [dict(zip(table.keys, row, strict=True)) for row in table.rows]
    assert {(one["decided"], one["given"]) for one in shown if one["figure"] == "Major harm"} == {
        ("withheld", "withheld")
    }
