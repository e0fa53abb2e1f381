"""Rounds of review taken hold of by several at once: one is served, the others are told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import DraftRow, ReviewRoundRow, ReviewRow, TemplateRow
from clinicnum.db.work.review import expert_review, review_rounds
from clinicnum.errors import ClinicnumError
from tests.db.reviewing import (
    EXPERTS,
    PULSE,
    close,
    hand_in,
    make_people,
    open_round,
    right_sheet,
    send_to_review,
)

People = dict[str, str]


@pytest.fixture
def people(engine: Engine) -> People:
    found = make_people(engine)
    send_to_review(engine, found)
    return found


def raced(*steps: Callable[[], None]) -> list[str]:
    """What each of several steps taken at once came to: `done`, or the error's kind."""

    def run(step: Callable[[], None]) -> str:
        try:
            step()
        except ClinicnumError as error:
            return type(error).__name__
        return "done"

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(run, steps))


def test_two_curators_close_at_once_and_one_is_told(engine: Engine, people: People) -> None:
    key = open_round(engine, people)
    for name in EXPERTS:
        hand_in(engine, key, people[name])
    outcomes = raced(
        lambda: close(engine, key, people["cora"]),
        lambda: close(engine, key, people["carl"], accept=False, reason="No."),
    )
    assert sorted(outcomes) == ["Conflict", "done"]
    accepted = outcomes[0] == "done"
    assert version_status(engine) == ("validated" if accepted else "draft")
    assert draft_status(engine) == ("submitted" if accepted else "open")


def test_an_expert_who_hands_in_while_it_closes_is_either_counted_or_told(
    engine: Engine, people: People
) -> None:
    key = open_round(engine, people)
    sheet = right_sheet(engine, key, people["ann"])

    def give() -> None:
        with writing(engine) as session:
            expert_review.hand_in(session, user_id=people["ann"], round_id=key, sheet=sheet)

    given, closed = raced(give, lambda: close(engine, key, people["cora"], accept=False, reason="Stop."))
    assert closed == "done"
    with reading(engine) as session:
        row = session.get_one(ReviewRoundRow, key)
        assert row.outcome is not None
        counted = row.outcome["figures"]["items"]["clarity"]["experts"]
        kept = session.get_one(ReviewRow, (key, people["ann"])).payload is not None
    assert (given, counted, kept) in (("done", 1, True), ("Conflict", 0, False))


def test_two_rounds_on_one_version_are_never_opened_at_once(engine: Engine, people: People) -> None:
    outcomes = raced(*[lambda: void(open_round(engine, people)) for _ in range(2)])
    assert sorted(outcomes) == ["Conflict", "done"]


def test_two_versions_of_a_template_accepted_at_once_come_one_after_the_other(
    engine: Engine, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds its own version when it reaches for the other: without one lock for both, a deadlock."""
    keys = [open_round(engine, people, version=version) for version in (1, 2)]
    for key in keys:
        for name in EXPERTS:
            hand_in(engine, key, people[name])
    both, hashed = Barrier(2), review_rounds.payload_sha256

    def meet(payload: dict[str, Any]) -> str:
        with suppress(BrokenBarrierError):
            both.wait(timeout=0.5)
        return hashed(payload)

    monkeypatch.setattr(review_rounds, "payload_sha256", meet)
    older, newer = raced(*[lambda key=key: close(engine, key, people["cora"]) for key in keys])
    assert newer == "done"
    assert older in ("done", "Conflict")
    with reading(engine) as session:
        found = [session.get_one(TemplateRow, (PULSE, version)).status for version in (1, 2)]
    assert found == ["retired", "validated"]


def version_status(engine: Engine) -> str:
    with reading(engine) as session:
        return session.get_one(TemplateRow, (PULSE, 2)).status


def draft_status(engine: Engine) -> str:
    with reading(engine) as session:
        return session.get_one(DraftRow, "d1").status


def void(_: object) -> None:
    """A step's value is of no interest."""
