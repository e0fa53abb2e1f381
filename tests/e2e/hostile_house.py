"""A house in which every text that is ever shown is hostile: people, studies, runs, judgements, decisions.

All goes in as it does in life, through `clinicnum.db.work`. What that refuses, `test_hostile_texts` asserts.
"""

from typing import Any, Literal

from clinicnum.annotations.exports.report_files import FIGURES, PAGE, report_json
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.work_item import Workitem
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import StudyRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.adjudication import adjudicate, answer_annotators, contest_resolution
from clinicnum.db.work.adjudication.adjudication_item import load_adjudication_item
from clinicnum.db.work.adjudication.adjudication_queue import list_waiting
from clinicnum.db.work.annotation import annotate, own_message_threads, qualification_changes
from clinicnum.db.work.jobs import job_claims, job_store
from clinicnum.db.work.reports.frozen_reports import freeze
from clinicnum.db.work.reports.readable_studies import check_readable
from clinicnum.db.work.reports.request_report import change_marks
from clinicnum.db.work.studies import study_changes, study_lifecycle, study_summaries
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.translatable_text import Translatable
from tests.db.adjudicating import next_of
from tests.db.test_annotate import submit
from tests.db.test_contests import look
from tests.e2e.conftest import PASSWORD
from tests.e2e.hostile_kinds import check_claims, compare
from tests.e2e.hostile_material import House, hostile_material
from tests.e2e.hostile_studies import (
    ANNOTATORS,
    ITEMS,
    RECORD,
    SLIP,
    hostile_judgement,
    judge_each,
    next_item,
    open_hostile,
)

STAFF: tuple[tuple[str, Literal["adjudicator", "curator", "researcher", "admin"]], ...] = (
    ("ada", "adjudicator"),
    ("cur", "curator"),
    ("rex", "researcher"),
    ("root", "admin"),
)


def furnish(house: House) -> None:
    """People, an open study with all that can be on an item, a closed one, small ones with names alone."""
    with writing(house.engine) as session:
        for name in ANNOTATORS:
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        for name, role in STAFF:
            users.add_user(session, name=name, role=role, password=PASSWORD)
        house.ids = {one.name: one.user_id for one in users.list_users(session)}
    first = f"first {house.line('study name', most=90)}"
    house.opened = open_hostile(house, first, hostile_material(house, "first", ITEMS))
    _decided(house, house.opened, first)
    house.closed = _closed(house)
    _labelled(house)
    for _ in range(3 if house.many > 1 else 0):
        _decide(house)
    _qualified(house)
    _fail_a_job(house)
    small = hostile_material(house, "small", 1)
    for _ in range(house.many):
        left = open_hostile(house, house.line("study name", most=100), small)
        for name in ANNOTATORS if house.many > 1 else ():
            _leave(house, name, next_item(house, name, left))
    compare(house)
    check_claims(house)


def _fail_a_job(house: House) -> None:
    """A job whose label, error, and log are hostile."""
    asked = {"benchmark_id": "none", "model": "m", "label": house.line("job label", most=2_000)}
    with writing(house.engine) as session:
        job_store.enqueue(session, user_id=house.ids["root"], kind="run", arguments=asked)
        taken = job_claims.claim(session, worker="none", kinds=("run",))
        assert taken is not None
        job_claims.end_job(
            session,
            taken.attempt,
            status="failed",
            error=Translatable(house.line("job error", most=2_000)),
            log_tail=house.some("job log", most=8_000),
        )


def freeze_reports(house: House) -> None:
    """Two of the study in which all is hostile, as the page shows them, with titles that attack."""
    root = house.ids["root"]
    with reading(house.engine) as session:
        name = session.get_one(StudyRow, house.opened).name
        report = build_report(load_study_tables(session, name), generated_by="test")
    files = {PAGE: render_html(report).encode(), FIGURES: report_json(report).encode()}
    for _ in range(2):
        asked = ReportArguments(studies=(name,), title=house.line("title of a report", most=200))
        with writing(house.engine) as session:
            job_store.enqueue(session, user_id=root, kind="report", arguments=asked.model_dump(mode="json"))
            taken = job_claims.claim(session, worker="none", kinds=("report",))
            assert taken is not None
            studies = check_readable(session, asked.studies, user_id=root)
            told = {"user_id": root, "asked": asked, "studies": studies, "files": files}
            result = freeze(
                session, job_id=taken.attempt.job_id, marks=change_marks(session, studies), **told
            )
            job_claims.end_job(session, taken.attempt, status="done", result=result)


def _decided(house: House, study_id: str, name: str) -> None:
    """All differ on each item; one contests some; an adjudicator decides, answers, upholds and rejects."""
    _annotate(house, study_id)
    ada = house.ids["ada"]
    _converse(house, study_id)
    for upheld in (True, False):
        item = _with_claim(house)
        about = {
            "user_id": ada,
            "study_id": item.study_id,
            "item": item.item,
            "claim": item.claims[0].key,
            "comment": house.some("comment on a contest", most=1_000),
        }
        with writing(house.engine) as session:
            if upheld:
                mark = look(house.engine, ada, item).mark
                contest_resolution.uphold(session, **about, scope="group", mark=mark)
            else:
                contest_resolution.reject(session, **about)
    _decide(house)
    with writing(house.engine) as session:
        study_changes.change_guideline(
            session, name=name, text=house.some("guideline"), actor=house.ids["root"]
        )


def _converse(house: House, study_id: str) -> None:
    """Two flags of Ann on what she has submitted are answered as rulings; she reads the first and replies."""
    ann, item = house.ids["ann"], house.items[0]
    for number in range(2):
        with writing(house.engine) as session:
            note = house.some("flag answered", most=500)
            annotate.flag(session, user_id=ann, assignment_id=item, note=note)
        _answer(house, study_id, note)
        with writing(house.engine) as session:
            if number == 0:
                own_message_threads.read_threads(session, user_id=ann)
                said = house.some("reply", most=1_000)
                own_message_threads.reply(session, user_id=ann, assignment_id=item, text=said)


def _answer(house: House, study_id: str, note: str) -> None:
    """The flag with this note, wherever it waits in the study."""
    ada = house.ids["ada"]
    with reading(house.engine) as session:
        waiting = [one.item for one in list_waiting(session, user_id=ada) if one.study_id == study_id]
        shown = [load_adjudication_item(session, user_id=ada, study_id=study_id, item=one) for one in waiting]
    (found,) = [(one.item, flag.key) for one in shown for flag in one.flags if flag.note == note.strip()]
    about = {"user_id": ada, "study_id": study_id, "item": found[0], "flag": found[1]}
    with writing(house.engine) as session:
        answer_annotators.answer_flag(session, **about, comment=house.some("answer", most=1_000), ruling=True)


def _decide(house: House) -> None:
    """The next item on which judgements differ."""
    item = next_of(house.engine, house.ids["ada"])
    with writing(house.engine) as session:
        adjudicate.decide(
            session,
            user_id=house.ids["ada"],
            study_id=item.study_id,
            item=item.item,
            seen=item.seen,
            judgement=hostile_judgement(house, RECORD),
            comment=house.some("comment of an adjudicator", most=1_000),
        )


def _with_claim(house: House) -> Any:
    """The next item on which somebody's contest waits."""
    item = next_of(house.engine, house.ids["ada"])
    while not item.claims:
        item = next_of(house.engine, house.ids["ada"], after=item.item)
    return item


def _annotate(house: House, study_id: str) -> None:
    """Every item by all; the last is kept in work with a draft, a flag and a skip on it."""
    for place, name in enumerate(ANNOTATORS):
        for number in range(1, ITEMS + 1):
            item = next_item(house, name, study_id)
            assert item is not None
            if name == "ann":
                house.items.append(item.assignment_id)
            if number == ITEMS:
                _leave(house, name, item)
                break
            wrong = {"item_judgement": "gold_wrong", "proposed_gold": house.line("proposed gold", most=200)}
            doubt = wrong if name == "eve" else {}
            submit(
                house.engine,
                house.ids[name],
                item,
                hostile_judgement(house, (SLIP, RECORD, None)[place], **doubt),
            )


def _leave(house: House, name: str, item: Workitem | None) -> None:
    assert item is not None
    address = {"user_id": house.ids[name], "assignment_id": item.assignment_id}
    draft = {
        "item_judgement": "gold_wrong",
        "proposed_gold": house.line("proposed gold of a draft", most=200),
        "rationale": house.dealer.some("rationale of a draft", 2_000, most=4_000),
        "response_judgement": "failure",
        "primary": SLIP,
    }
    with writing(house.engine) as session:
        annotate.flag(session, **address, note=house.some("flag", most=500))
        annotate.save_draft(session, **address, revision=0, draft=draft)
        if name != "ann":
            annotate.skip(session, **address, revision=0, reason=house.some("reason of a skip", most=500))


def _closed(house: House) -> str:
    """Labelled failures that curators may see, and annotators each other's."""
    made = hostile_material(house, "closed", ITEMS)
    study_id = open_hostile(house, f"{house.line('study name', most=90)} z", made)
    judge_each(house, study_id, lambda place: hostile_judgement(house, (SLIP, SLIP, RECORD)[place]))
    with writing(house.engine) as session:
        (name,) = [one.name for one in study_summaries.list_studies(session) if one.study_id == study_id]
        study_lifecycle.close_study(session, name=name, actor=house.ids["root"])
    return study_id


def _labelled(house: House) -> None:
    """An open study on a second benchmark, labelled by two: figures of agreement with hostile names."""
    study_id = open_hostile(house, house.line("study name", most=100), hostile_material(house, "labelled", 3))
    judge_each(house, study_id, lambda place: hostile_judgement(house, (SLIP, RECORD, None)[place]))


def _qualified(house: House) -> None:
    """Two who missed a threshold after training, and why the lead let one repeat it and the other go on."""
    made = hostile_material(house, "exam", 2)
    name = house.line("study name", most=100)
    reference = {made.generations()[0].generation_id: hostile_judgement(house, RECORD)}
    study_id = open_hostile(house, name, made, references=reference, training=1, qualifying=1)
    decided = (("eve", qualification_changes.qualify_by_hand), ("ben", qualification_changes.repeat_training))
    for who, decide in decided:
        item = next_item(house, who, study_id)
        assert item is not None
        submit(house.engine, house.ids[who], item, hostile_judgement(house))
        reason = house.some("comment of an adjudicator", most=500)
        with writing(house.engine) as session:
            decide(session, name=name, annotator=who, reason=reason, actor=house.ids["root"])
