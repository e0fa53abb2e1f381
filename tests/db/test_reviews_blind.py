"""Who said what in a round stays unknown on both databases, to those who compute and to those who try."""

from itertools import product
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.curation.review_case_sampling import draw_cases
from clinicnum.annotations.curation.review_sheet import SubmittedReview
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, ReviewRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review import expert_review, review_panels, review_rounds_for_curators
from clinicnum.db.work.review.review_rounds_for_curators import RoundView
from clinicnum.errors import Conflict, NotAllowed
from clinicnum.io.jsonl import content_id
from tests.db.reviewing import EXPERTS, HOLDS, PULSE, close, hand_in, make_people, of_the_bank, open_round

People = dict[str, str]
LOW = {"clarity": 1, "relevance": 1, "answerability": 1}


@pytest.fixture
def people(engine: Engine) -> People:
    found = make_people(engine)
    with writing(engine) as session:
        template_versions.add_templates(session, [of_the_bank(PULSE)])
    return found


def opened(engine: Engine, people: People, *experts: str) -> str:
    return open_round(engine, people, version=1, experts=experts or EXPERTS)


def view(engine: Engine, round_id: str, viewer: str) -> RoundView:
    with reading(engine) as session:
        return review_rounds_for_curators.load_round(session, round_id=round_id, viewer=viewer, trial=HOLDS)


def told(error: pytest.ExceptionInfo[Exception]) -> str:
    return str(error.value).lower()


def test_neither_order_nor_keys_nor_questions_can_be_computed_from_names(
    engine: Engine, people: People
) -> None:
    key = opened(engine, people)
    for name in EXPERTS:
        hand_in(engine, key, people[name], comments={"clarity": name})
    seen = view(engine, key, people["cora"])
    known = {content_id([key, user, number]) for user in people.values() for number in range(1, 7)}
    assert len(seen.remarks) == 3
    assert not known & {one.key for one in seen.remarks}
    with reading(engine) as session:
        rows = list(session.scalars(select(ReviewRow)))
    assert [one.text for one in seen.remarks] == [
        next(name for name in EXPERTS if people[name] == row.user_id)
        for row in sorted(rows, key=lambda row: row.mark)
    ]
    assert len({review_panels.new_mark() for _ in range(99)} | {row.mark for row in rows}) == 102
    computed = draw_cases(of_the_bank(PULSE), round_id=key, experts=[row.user_id for row in rows])
    for row, cases in zip(rows, computed, strict=True):
        assert [case["instance_id"] for case in row.cases] != [case.instance_id for case in cases]


def test_the_log_tells_no_rating_to_those_who_try_all_64_and_no_count_of_comments(
    engine: Engine, people: People
) -> None:
    key = opened(engine, people)
    hand_in(engine, key, people["ann"], comments={"clarity": "vague"})
    with reading(engine) as session:
        (logged,) = session.scalars(select(AuditRow).where(col(AuditRow.action) == "hand_in_review"))
        payload = session.get_one(ReviewRow, (key, people["ann"])).payload
    given = SubmittedReview.model_validate(payload)
    guesses = {
        content_id([{**given.model_dump(mode="json"), "ratings": dict(zip(LOW, one, strict=True))}, said])
        for one in product(range(1, 5), repeat=3)
        for said in ({}, {"clarity": "vague"})
    }
    assert content_id([payload, {"clarity": "vague"}]) in guesses
    assert logged.after is not None
    assert logged.after["review"] not in guesses
    assert set(logged.after) == {"round", "template", "review"}


@pytest.mark.parametrize("rated", [LOW, {"clarity": 4, "relevance": 4, "answerability": 4}])
def test_accepting_before_all_have_handed_in_says_the_same_whatever_they_rated(
    engine: Engine, people: People, rated: dict[str, int]
) -> None:
    key = opened(engine, people)
    hand_in(engine, key, people["ann"], ratings=rated, comments={"clarity": "vague"})
    with pytest.raises(Conflict) as refusal:
        close(engine, key, people["cora"])
    assert told(refusal) == view(engine, key, people["cora"]).hidden.lower()  # type: ignore[union-attr]
    assert not any(word in told(refusal) for word in ("not met", "clarity", "relevance", "answer"))


def test_a_round_returned_early_tells_nothing_of_what_was_rated_or_said(
    engine: Engine, people: People
) -> None:
    """Four are invited: three that have handed in would otherwise be shown."""
    key = opened(engine, people, *EXPERTS, "ada")
    for name in EXPERTS:
        hand_in(engine, key, people[name], ratings=LOW, comments={"clarity": "vague"})
    close(engine, key, people["cora"], accept=False, reason="No time.")
    seen = view(engine, key, people["cora"])
    assert "before every invited expert had handed in" in str(seen.hidden)
    assert (seen.reviews, seen.figures, seen.verdict, seen.mismatches, seen.remarks) == (
        (),
        None,
        None,
        (),
        (),
    )
    assert seen.summary.unanswered == 0
    with reading(engine) as session:
        (logged,) = session.scalars(select(AuditRow).where(col(AuditRow.action) == "close_review"))
    assert logged.after is not None
    assert set(logged.after) == {"round", "template", "status", "reason", "experts"}


def test_an_expert_who_curates_decides_nothing_before_they_hand_in(engine: Engine, people: People) -> None:
    key = opened(engine, people, "ann", "ben", "carl")
    hand_in(engine, key, people["ann"])
    for accept in (True, False):
        with pytest.raises(
            Conflict, match=r"You are an expert of this round: hand in your own review first\."
        ):
            close(engine, key, people["carl"], accept=accept, reason="No.")


def test_a_curator_neither_leaves_a_round_nor_enters_it_by_themselves(engine: Engine, people: People) -> None:
    key = opened(engine, people, *EXPERTS, "carl")
    hand_in(engine, key, people["ann"], comments={"clarity": "vague"})
    act: dict[str, Any] = {"round_id": key, "actor": people["carl"]}
    with writing(engine) as session, pytest.raises(NotAllowed, match="take back your own invitation"):
        review_panels.withdraw(session, **act, expert="carl")
    with writing(engine) as session, pytest.raises(NotAllowed, match="cannot invite yourself"):
        review_panels.invite(session, round_id=key, actor=people["cora"], expert="cora")
    assert view(engine, key, people["carl"]).barred == ("carl",)


def test_who_was_taken_back_counts_for_nothing_and_does_not_come_back(engine: Engine, people: People) -> None:
    key = opened(engine, people, *EXPERTS, "carl")
    act: dict[str, Any] = {"round_id": key, "actor": people["cora"]}
    with writing(engine) as session:
        review_panels.withdraw(session, **act, expert="carl")
    assert view(engine, key, people["carl"]).remarks == ()
    for _ in range(2):
        with writing(engine) as session, pytest.raises(Conflict, match="is not given again in this round"):
            review_panels.invite(session, **act, expert="carl")
    with reading(engine) as session:
        assert expert_review.list_invitations(session, user_id=people["carl"]) == ()
        with pytest.raises(NotAllowed, match="not invited"):
            expert_review.load_review(session, user_id=people["carl"], round_id=key)
    for name in EXPERTS:
        hand_in(engine, key, people[name])
    seen = view(engine, key, people["cora"])
    assert (seen.summary.invited, seen.summary.handed_in, len(seen.reviews)) == (3, 3, 3)
    assert [one.name for one in seen.seats] == ["ann", "ben", "eve"]
    assert seen.barred == ("cora", "carl")
    close(engine, key, people["cora"])
    assert view(engine, key, people["cora"]).summary.status == "accepted"
