"""Opening a round of review on both databases: who is asked, who is exchanged, and what opens none."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.review import (
    expert_review,
    review_panels,
    review_rounds_for_curators,
    reviewable_versions,
)
from clinicnum.errors import ClinicnumError, Conflict, InputError, NotAllowed
from tests.db.reviewing import PULSE, hand_in, make_people, open_round, send_to_review, statuses

People = dict[str, str]


@pytest.fixture
def people(engine: Engine) -> People:
    found = make_people(engine)
    send_to_review(engine, found)
    return found


REFUSED: dict[str, tuple[dict[str, Any], type[ClinicnumError], str]] = {
    "two experts": ({"experts": ["ann", "ben"]}, InputError, "2 experts were chosen"),
    "one expert named three times": ({"experts": ["ann", "Ann ", "ann"]}, InputError, "1 experts"),
    "the author": ({"experts": ["ann", "ben", "cora"]}, NotAllowed, "cora wrote or edited"),
    "an editor": ({"experts": ["ann", "ben", "carl"]}, NotAllowed, "carl wrote or edited"),
    "an admin": ({"experts": ["ann", "ben", "root"]}, NotAllowed, "admin may not review templates"),
    "somebody unknown": ({"experts": ["ann", "ben", "no\0body"]}, InputError, "no account"),
    "a version that is not there": ({"version": 9}, InputError, "has no"),
    "an actor who may not curate": ({"actor": "ann"}, NotAllowed, "may not curate"),
}


def test_a_round_that_cannot_be_opened_leaves_nothing(engine: Engine, people: People) -> None:
    for case, (asked, kind, message) in REFUSED.items():
        named = {"actor": people["ann"]} if "actor" in asked else asked
        with pytest.raises(kind) as refusal:
            open_round(engine, people, **named)
        assert message in str(refusal.value), case
    with reading(engine) as session:
        assert review_rounds_for_curators.list_rounds(session) == ()
    assert statuses(engine)[2] == "draft"


def test_simulated_and_switched_off_accounts_do_not_review_and_a_round_is_opened_once(
    engine: Engine, people: People
) -> None:
    with writing(engine) as session:
        users.add_user(session, name="sim", role="annotator", password=None, kind="simulated")
        users.set_active(session, name="eve", active=False)
    for name, message in (("sim", "simulated"), ("eve", "switched off")):
        with pytest.raises(NotAllowed, match=message):
            open_round(engine, people, experts=["ann", "ben", name])
    key = open_round(engine, people, experts=["ann", "ben", "ada"])
    with pytest.raises(Conflict, match="in a round of review already"):
        open_round(engine, people, experts=["ann", "ben", "ada"])
    for action in (review_panels.invite, review_panels.withdraw):
        with writing(engine) as session, pytest.raises(NotAllowed, match="may not curate"):
            action(session, round_id=key, expert="ann", actor=people["ann"])
    with reading(engine) as session:
        by_name = {
            one.name: one.why_not
            for one in reviewable_versions.reviewer_candidates(session, template_id=PULSE, version=2)
        }
    assert by_name == {
        "ada": None,
        "ann": None,
        "ben": None,
        "carl": "wrote or edited it",
        "cora": "wrote or edited it",
    }


def test_experts_are_exchanged_only_while_nobody_can_see_the_ratings(engine: Engine, people: People) -> None:
    key = open_round(engine, people)
    act: dict[str, Any] = {"round_id": key, "actor": people["cora"]}
    with writing(engine) as session, pytest.raises(Conflict, match="invite another expert first"):
        review_panels.withdraw(session, **act, expert="eve")
    with writing(engine) as session:
        review_panels.invite(session, **act, expert="ada")
    hand_in(engine, key, people["ann"])
    with writing(engine) as session, pytest.raises(Conflict, match="has handed in"):
        review_panels.withdraw(session, **act, expert="ann")
    with writing(engine) as session:
        review_panels.withdraw(session, **act, expert="eve")
    with reading(engine) as session, pytest.raises(NotAllowed, match="not invited"):
        expert_review.load_review(session, user_id=people["eve"], round_id=key)
    hand_in(engine, key, people["ben"])
    hand_in(engine, key, people["ada"])
    with (
        writing(engine) as session,
        pytest.raises(Conflict, match="eve was taken back and is not given again"),
    ):
        review_panels.invite(session, **act, expert="eve")
    with writing(engine) as session:
        users.add_user(session, name="flo", role="annotator", password=None)
    with writing(engine) as session, pytest.raises(Conflict, match="ratings can be seen"):
        review_panels.invite(session, **act, expert="flo")
