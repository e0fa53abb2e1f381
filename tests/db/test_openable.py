"""Versions on which no round is opened: a newer one stands, or their draft was discarded."""

import pytest
from sqlalchemy import Engine, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import DraftRow, TemplateRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.review import reviewable_versions
from clinicnum.errors import Conflict
from tests.db.reviewing import (
    EXPERTS,
    PULSE,
    close,
    hand_in,
    make_people,
    of_the_bank,
    open_round,
    send_to_review,
)


def test_no_round_is_opened_on_a_version_that_a_validated_one_followed(engine: Engine) -> None:
    people = make_people(engine)
    send_to_review(engine, people)
    late = of_the_bank(PULSE).model_copy(update={"version": 3, "status": "draft"})
    with writing(engine) as session:
        template_versions.put_version(session, late, author=people["root"])
    key = open_round(engine, people, version=3)
    for name in EXPERTS:
        hand_in(engine, key, people[name])
    close(engine, key, people["cora"])
    with pytest.raises(
        Conflict, match=r"version 3 is validated already; .* version 2 is not reviewed after it"
    ):
        open_round(engine, people, version=2)
    with reading(engine) as session:
        assert reviewable_versions.waiting_versions(session) == ()
        assert reviewable_versions.find_reviewable(session, "pulse") == ()


def test_no_round_is_opened_on_a_version_whose_draft_was_discarded(engine: Engine) -> None:
    people = make_people(engine)
    send_to_review(engine, people)
    with writing(engine) as session:
        session.get_one(DraftRow, "d1").status = "discarded"
    with pytest.raises(Conflict, match=r"the draft of .* version 2 was discarded"):
        open_round(engine, people)
    with reading(engine) as session:
        assert reviewable_versions.waiting_versions(session) == ()


def test_what_was_validated_meanwhile_is_not_retired_unseen(engine: Engine) -> None:
    """Two go on from version 1, each sent while the other was a draft; the second does not undo the first."""
    people = make_people(engine)
    rounds = []
    for version, editor in ((2, "cora"), (3, "carl")):
        send_to_review(engine, people, version=version, draft=f"d{version}", base=(PULSE, 1))
        rounds.append(open_round(engine, people, version=version, actor=people[editor]))
    for round_id in rounds:
        for name in EXPERTS:
            hand_in(engine, round_id, people[name])
    close(engine, rounds[0], people["cora"])
    with pytest.raises(Conflict, match="version 2 was validated after version 3 was begun"):
        close(engine, rounds[1], people["carl"])
    with reading(engine) as session:
        found = {one.version: one.status for one in session.scalars(select(TemplateRow))}
    assert (found[2], found[3]) == ("validated", "in_review")
