"""Rounds of review on both databases: who may, what is hidden from whom, and what closing one does."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.curation.review_sheet import ReviewSheet
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, DraftRow, ReviewRoundRow, ReviewRow, TemplateRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review import (
    expert_review,
    review_rounds,
    review_rounds_for_curators,
    reviewable_versions,
)
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.examples import instance as example
from tests.db.reviewing import (
    EXPERTS,
    PULSE,
    close,
    hand_in,
    make_people,
    of_the_bank,
    open_round,
    right_sheet,
    send_to_review,
    statuses,
    view,
)

People = dict[str, str]


@pytest.fixture
def people(engine: Engine) -> People:
    found = make_people(engine)
    send_to_review(engine, found)
    return found


def answer(engine: Engine, round_id: str, actor: str) -> None:
    for one in view(engine, round_id, actor).remarks:
        with writing(engine) as session:
            review_rounds.reply(session, round_id=round_id, comment=one.key, text="Reworded.", actor=actor)


def draft_status(engine: Engine) -> str:
    with reading(engine) as session:
        return session.get_one(DraftRow, "d1").status


def test_three_experts_accept_a_draft_and_the_version_before_it_retires(
    engine: Engine, people: People
) -> None:
    key = open_round(engine, people)
    assert statuses(engine) == {1: "unreviewed", 2: "in_review"}
    for name in EXPERTS:
        assert view(engine, key, people["cora"]).verdict is None
        hand_in(engine, key, people[name], comments={"clarity": f"say <b>when</b>, {name}"})
    seen = view(engine, key, people["carl"])
    assert [one.name for one in seen.seats] == ["ann", "ben", "eve"]
    assert seen.verdict is not None
    assert [one.name for one in seen.verdict.conditions if not one.met] == ["comments"]
    with pytest.raises(Conflict, match="3 comments without an answer"):
        close(engine, key, people["cora"])
    answer(engine, key, people["cora"])
    close(engine, key, people["cora"])
    assert statuses(engine) == {1: "retired", 2: "validated"}
    closed = view(engine, key, people["cora"])
    assert closed.summary.status == "accepted"
    assert closed.verdict is not None
    assert closed.verdict.accepted
    with reading(engine) as session:
        own = expert_review.load_review(session, user_id=people["ann"], round_id=key)
        assert [(one.text, one.reply) for one in own.comments] == [("say <b>when</b>, ann", "Reworded.")]
        logged = [row.action for row in session.scalars(select(AuditRow)) if "review" in row.action]
        assert all(check.broken_at is None for check in verify_chain(session))
    assert logged == ["open_review", *["hand_in_review"] * 3, "close_review"]


def test_an_expert_is_given_three_questions_of_their_own_and_no_gold(engine: Engine, people: People) -> None:
    key = open_round(engine, people)
    drawn = []
    for name in EXPERTS:
        with reading(engine) as session:
            own = expert_review.load_review(session, user_id=people[name], round_id=key)
            cases = session.get_one(ReviewRow, (key, people[name])).cases
        assert [one.representation for one in own.cases] == ["structured", "templated", "note"]
        assert len({case["group_id"] for case in cases}) == 3
        assert all(case["flags"] == [] for case in cases)
        assert set(own.cases[0].model_dump()) == {"representation", "scoring", "context", "question"}
        drawn.append({case["instance_id"] for case in cases})
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]


def test_ratings_are_hidden_until_all_have_handed_in_and_never_carry_a_name(
    engine: Engine, people: People
) -> None:
    key = open_round(engine, people, experts=["ann", "ben", "ada"])
    hand_in(engine, key, people["ada"], ratings={"clarity": 1, "relevance": 1, "answerability": 1})
    hand_in(engine, key, people["ann"], comments={"1": "odd"})
    half = view(engine, key, people["cora"])
    assert (half.reviews, half.figures, half.verdict, half.mismatches) == ((), None, None, ())
    assert half.hidden is not None
    assert (half.remarks, half.summary.unanswered) == ((), 0)
    with reading(engine) as session:
        assert [one.unanswered for one in review_rounds_for_curators.list_rounds(session)] == [0]
    hand_in(engine, key, people["ben"])
    whole = view(engine, key, people["cora"])
    assert sorted(one.ratings["clarity"] for one in whole.reviews) == [1, 4, 4]
    assert [one.about for one in whole.remarks] == ["1"]
    assert whole.figures is not None
    assert whole.figures.items["clarity"].kappa == pytest.approx(7 / 15)  # 2 of 3, by hand
    dumped = whole.model_dump_json(exclude={"seats", "barred"})
    assert not any(f'"{name}"' in dumped for name in (*people, *people.values()))


def test_a_curator_who_is_an_expert_reads_nothing_of_others_before_they_hand_in(engine: Engine) -> None:
    people = make_people(engine)
    with writing(engine) as session:
        template_versions.add_templates(session, [of_the_bank(PULSE)])
    key = open_round(engine, people, version=1, experts=["ann", "ben", "carl"])
    hand_in(engine, key, people["ann"], comments={"clarity": "vague"})
    seen = view(engine, key, people["carl"])
    assert (seen.remarks, seen.reviews) == ((), ())
    with writing(engine) as session, pytest.raises(Conflict, match="hand in your own review"):
        review_rounds.reply(session, round_id=key, comment="0" * 16, text="No.", actor=people["carl"])
    hand_in(engine, key, people["ben"])
    hand_in(engine, key, people["carl"])
    assert [one.text for one in view(engine, key, people["carl"]).remarks] == ["vague"]


def test_a_returned_draft_is_open_again_and_may_come_back_in_a_second_round(
    engine: Engine, people: People
) -> None:
    key = open_round(engine, people)
    hand_in(engine, key, people["ann"], ratings={"clarity": 1, "relevance": 4, "answerability": 4})
    with pytest.raises(Conflict, match="once every invited expert has handed in"):
        close(engine, key, people["cora"])
    with pytest.raises(InputError, match="a return has a reason"):
        close(engine, key, people["cora"], accept=False, reason="  ")
    close(engine, key, people["cora"], accept=False, reason="Name the arm.")
    assert statuses(engine) == {1: "unreviewed", 2: "draft"}
    assert draft_status(engine) == "open"
    closed = view(engine, key, people["cora"])
    assert (closed.reviews, closed.verdict, closed.reason) == ((), None, "Name the arm.")
    assert "before every invited expert had handed in" in str(closed.hidden)
    with pytest.raises(Conflict, match="went back to its author"):
        open_round(engine, people)
    with writing(engine) as session:
        session.get_one(DraftRow, "d1").status = "submitted"
    again = open_round(engine, people)
    assert again != key
    with reading(engine) as session:
        assert session.get_one(ReviewRoundRow, again).number == 2


def test_a_version_that_may_have_been_asked_stays_in_review_when_it_is_returned(
    engine: Engine, people: People
) -> None:
    key = open_round(engine, people, version=1)
    close(engine, key, people["carl"], accept=False, reason="Ambiguous.")
    assert statuses(engine)[1] == "in_review"
    with reading(engine) as session:
        waiting = {(one.template_id, one.version) for one in reviewable_versions.waiting_versions(session)}
    assert waiting == {(PULSE, 1), (PULSE, 2)}


def test_a_sheet_is_kept_handed_in_once_and_never_changed(engine: Engine, people: People) -> None:
    key, ann = open_round(engine, people), people["ann"]
    begun = ReviewSheet(ratings={"clarity": 2}, comments={"clarity": "half \0 done"})
    with writing(engine) as session:
        expert_review.save_sheet(session, user_id=ann, round_id=key, sheet=begun)
    with reading(engine) as session:
        own = expert_review.load_review(session, user_id=ann, round_id=key)
        assert (own.sheet, own.state) == (begun, "begun")
        assert expert_review.list_invitations(session, user_id=ann)[0].state == "begun"
    with writing(engine) as session, pytest.raises(InputError, match="Still to be given"):
        expert_review.hand_in(session, user_id=ann, round_id=key, sheet=begun)
    hand_in(engine, key, ann)
    other = right_sheet(engine, key, ann, ratings={"clarity": 1, "relevance": 1, "answerability": 1})
    for change in (expert_review.save_sheet, expert_review.hand_in):
        with writing(engine) as session, pytest.raises(Conflict, match="kept as it is"):
            change(session, user_id=ann, round_id=key, sheet=other)
    for stranger in ("ada", "root"):
        for change in (expert_review.save_sheet, expert_review.hand_in):
            with writing(engine) as session, pytest.raises(NotAllowed):
                change(session, user_id=people[stranger], round_id=key, sheet=other)


def test_an_open_contest_of_its_golds_keeps_a_version_out(engine: Engine, annotators: People) -> None:
    """The packaged version is contested on an instance of it, in a study of other people."""
    from clinicnum.annotations.judgement import Judgement
    from clinicnum.db.rows import InstanceRow
    from tests.db.test_annotate import first, submit

    people = annotators | {name: user for name, user in make_more(engine).items() if name not in annotators}
    with writing(engine) as session:
        version = of_the_bank(PULSE).model_dump(mode="json")
        row = session.get_one(TemplateRow, (example(0).template_id, 1))
        row.payload, row.operation = {**version, "id": "arithmetic.contested"}, "arithmetic"
        assert session.scalars(select(InstanceRow)).first() is not None
    item = first(engine, people["ann"])
    contested = Judgement(
        response_judgement="acceptable", item_judgement="gold_wrong", proposed_gold="17", confidence=3
    )
    submit(engine, people["ann"], item, contested)
    named: dict[str, Any] = {"template_id": example(0).template_id, "version": 1}
    key = open_round(engine, people, **named)
    for name in EXPERTS:
        hand_in(engine, key, people[name])
    verdict = view(engine, key, people["cora"]).verdict
    assert verdict is not None
    assert [(one.name, one.figures) for one in verdict.conditions if not one.met] == [("contests", "1 open")]
    with pytest.raises(Conflict, match="No contest of its golds is open"):
        close(engine, key, people["cora"])


def make_more(engine: Engine) -> People:
    with writing(engine) as session:
        return {"cora": users.add_user(session, name="cora", role="curator", password=None).user_id}


def test_an_older_version_is_not_accepted_after_a_newer_one(engine: Engine, people: People) -> None:
    older, newer = open_round(engine, people, version=1), open_round(engine, people)
    for key in (older, newer):
        for name in EXPERTS:
            hand_in(engine, key, people[name])
    close(engine, newer, people["cora"])
    assert statuses(engine) == {1: "retired", 2: "validated"}
    with pytest.raises(Conflict, match="version 2 is validated already"):
        close(engine, older, people["cora"])
    close(engine, older, people["cora"], accept=False, reason="Version 2 stands.")
    assert statuses(engine) == {1: "retired", 2: "validated"}
