"""A house in which every text that is ever shown is hostile: people, studies, runs, judgements, decisions.

All goes in as it does in life, through `clinicnum.db.work`. What that refuses, `test_hostile_texts` asserts.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.exports.report_files import FIGURES, PAGE, report_json
from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.report.build import build_report
from clinicnum.annotations.report.render_html_and_csv import render_html
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.study_inputs import Material
from clinicnum.annotations.taxonomy import load_taxonomy
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
from tests.e2e.hostile_material import House, hostile_material, hostile_taxonomy

ANNOTATORS = ("ann", "ben", "eve")
STAFF: tuple[tuple[str, Literal["adjudicator", "curator", "researcher", "admin"]], ...] = (
    ("ada", "adjudicator"),
    ("cur", "curator"),
    ("rex", "researcher"),
    ("root", "admin"),
)
ITEMS = 6
SLIP, RECORD = "causal_reasoning.arithmetic_slip", "contextual_inconsistency.wrong_record"


def furnish(house: House) -> None:
    """People, an open study with all that can be on an item, a closed one, small ones with names alone."""
    with writing(house.engine) as session:
        for name in ANNOTATORS:
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        for name, role in STAFF:
            users.add_user(session, name=name, role=role, password=PASSWORD)
        house.ids = {one.name: one.user_id for one in users.list_users(session)}
    first = f"first {house.line('study name', most=90)}"
    house.opened = _open(house, first, hostile_material(house, "first", ITEMS))
    _decided(house, house.opened, first)
    house.closed = _closed(house)
    _labelled(house)
    for _ in range(3 if house.many > 1 else 0):
        _decide(house)
    _qualified(house)
    _fail_a_job(house)
    small = hostile_material(house, "small", 1)
    for _ in range(house.many):
        left = _open(house, house.line("study name", most=100), small)
        for name in ANNOTATORS if house.many > 1 else ():
            _leave(house, name, _next(house, name, left))
    _compared(house)
    _checked(house)


def _compared(house: House) -> None:
    """Two models' answers side by side, on which annotators differ, for reasons that attack."""
    made = hostile_material(house, "pairs", 1)
    [run] = made.runs
    [answer], [score] = run.generations, made.scores
    other = answer.model_copy(update={"generation_id": f"other {answer.generation_id}", "run_id": "other"})
    runs = (run, replace(run, generations=(other,)))
    scores = (score, score.model_copy(update={"generation_id": other.generation_id}))
    design = {"suggestions": "hidden", "pairwise": True, "adjudicated": True}
    name, made = house.line("study name", most=100), replace(made, runs=runs, scores=scores)
    study_id, said = _open(house, name, made, **design), ("both_bad", "first_better", "both_bad")

    def preferred(place: int) -> Judgement:
        return Judgement(response_judgement=said[place], rationale=_why(house))

    house.items += _each(house, study_id, preferred)


def _checked(house: House) -> None:
    """Sentences on which annotators differ; of a second answer one has locked verdicts where there is a
    reference, which is then in sight.
    """
    name, made = house.line("study name", most=100), hostile_material(house, "claims", 2)
    study_id = _open(house, name, made, suggestions="hidden", asks="claims", adjudicated=True)
    first = _next(house, "ann", study_id)
    assert first is not None
    _check(house, "ann", first, "contradicted:major", whole=True)
    left = _next(house, "ann", study_id)
    assert left is not None
    _check(house, "ann", left, "contradicted:major", whole=False)
    for name in ANNOTATORS[1:]:
        while (item := _next(house, name, study_id)) is not None:
            _check(house, name, item, "supported", whole=True)


def _check(house: House, name: str, item: Workitem, verdict: str, *, whole: bool) -> None:
    """The same verdict on all sentences of the answer, and if `whole` on those of the reference, too."""
    assert item.claims is not None
    for _step in range(2):
        assert item.claims is not None
        given = {one.key: verdict for one in item.claims.answer}
        given |= {one.key: "stated" for one in item.claims.reference}
        judgement = Judgement(response_judgement="checked", rationale=_why(house), claims=given)
        address = {"user_id": house.ids[name], "assignment_id": item.assignment_id, "active_ms": 1}
        saved = annotate.save_judgement if item.claims.follows else annotate.submit
        with writing(house.engine) as session:
            again = saved(session, **address, revision=item.revision, judgement=judgement)
        if not (item.claims.follows and whole):
            break
        item = again
    if name == "ann":
        house.items.append(item.assignment_id)


def _why(house: House) -> str:
    return house.dealer.some("rationale", 2_000, most=4_000)


def _open(
    house: House,
    name: str,
    made: Material,
    references: dict[str, Judgement] | None = None,
    criteria: Sequence[Criterion] = (),
    **design: Any,
) -> str:
    """A study of all of it, with a guideline that attacks who reads it; its id."""
    with writing(house.engine) as session:
        return study_lifecycle.create_study(
            session,
            name=name,
            material=made,
            annotators=ANNOTATORS,
            design=read_design({"overlap": 3, "include": "all", "suggestions": "shown", **design}),
            seed=0,
            taxonomy=hostile_taxonomy(house) if name.startswith("first ") else load_taxonomy(),
            guideline=house.dealer.some("guideline", 2_000, most=90_000),
            references=references,
            criteria=criteria,
        ).study_id


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


def rate_an_answer(house: House) -> None:
    """An answer beside its gold, rated differently on an axis whose words attack, for reasons that do."""
    points = [{"value": house.line("point", most=58), "means": house.some("meaning of a point", most=500)}]
    axis = {"name": "axis", "label": house.line("axis", most=200), "type": "choice", "required": True}
    axis |= {"ordered": True, "options": [{"value": "0 lowest"}, *points]}
    design = {"suggestions": "hidden", "asks": "ratings", "fields": [axis], "reference": True}
    design |= {"adjudicated": True, "rating_limit": 0}
    name, made = house.line("study name", most=100), hostile_material(house, "rated", 1)
    given = (points[0]["value"], "0 lowest", points[0]["value"])

    def rated(place: int) -> Judgement:
        return Judgement(response_judgement="rated", custom={"axis": given[place]}, rationale=_why(house))

    house.items += _each(house, _open(house, name, made, **design), rated)


def tick_criteria(house: House) -> None:
    """Labels and ticks of criteria whose texts attack, on all of which annotators differ."""
    words = [house.some("criterion", most=9_000) for _ in range(3)]
    criteria = [Criterion(id=f"c{number}", text=text) for number, text in enumerate(words)]
    name, made = house.line("study name", most=100), hostile_material(house, "ticked", 1)
    study_id = _open(house, name, made, criteria=criteria, adjudicated=True)
    ticks = [dict.fromkeys((one.key for one in criteria), verdict) for verdict in ("met", "not_met", "met")]
    judged = [_judged(house, code, criteria=ticks[at]) for at, code in enumerate((SLIP, RECORD, None))]
    _each(house, study_id, judged.__getitem__)


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


def _judged(house: House, code: str | None = None, **other: Any) -> Judgement:
    told = {"item_judgement": "valid", "rationale": _why(house), **other}
    if code is None:
        return Judgement(response_judgement="acceptable", **told)
    labels = (Label(code=code, primary=True, spans=((0, 9), (20, 400))),)
    return Judgement(response_judgement="failure", labels=labels, severity="2", **told)


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
            judgement=_judged(house, RECORD),
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
            item = _next(house, name, study_id)
            assert item is not None
            if name == "ann":
                house.items.append(item.assignment_id)
            if number == ITEMS:
                _leave(house, name, item)
                break
            wrong = {"item_judgement": "gold_wrong", "proposed_gold": house.line("proposed gold", most=200)}
            doubt = wrong if name == "eve" else {}
            submit(house.engine, house.ids[name], item, _judged(house, (SLIP, RECORD, None)[place], **doubt))


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
    study_id = _open(house, f"{house.line('study name', most=90)} z", made)
    _each(house, study_id, lambda place: _judged(house, (SLIP, SLIP, RECORD)[place]))
    with writing(house.engine) as session:
        (name,) = [one.name for one in study_summaries.list_studies(session) if one.study_id == study_id]
        study_lifecycle.close_study(session, name=name, actor=house.ids["root"])
    return study_id


def _labelled(house: House) -> None:
    """An open study on a second benchmark, labelled by two: figures of agreement with hostile names."""
    study_id = _open(house, house.line("study name", most=100), hostile_material(house, "labelled", 3))
    _each(house, study_id, lambda place: _judged(house, (SLIP, RECORD, None)[place]))


def _qualified(house: House) -> None:
    """Two who missed a threshold after training, and why the lead let one repeat it and the other go on."""
    made = hostile_material(house, "exam", 2)
    name = house.line("study name", most=100)
    reference = {made.generations()[0].generation_id: _judged(house, RECORD)}
    study_id = _open(house, name, made, references=reference, training=1, qualifying=1)
    decided = (("eve", qualification_changes.qualify_by_hand), ("ben", qualification_changes.repeat_training))
    for who, decide in decided:
        item = _next(house, who, study_id)
        assert item is not None
        submit(house.engine, house.ids[who], item, _judged(house))
        reason = house.some("comment of an adjudicator", most=500)
        with writing(house.engine) as session:
            decide(session, name=name, annotator=who, reason=reason, actor=house.ids["root"])


def _each(house: House, study_id: str, judged: Callable[[int], Judgement]) -> list[str]:
    """All that waits, judged by each annotator; the first one's assignments."""
    done: list[str] = []
    for place, name in enumerate(ANNOTATORS):
        while (item := _next(house, name, study_id)) is not None:
            submit(house.engine, house.ids[name], item, judged(place))
            done += [] if place else [item.assignment_id]
    return done


def _next(house: House, name: str, study_id: str) -> Workitem | None:
    with writing(house.engine) as session:
        return annotate.next_assignment(session, user_id=house.ids[name], study_id=study_id)
