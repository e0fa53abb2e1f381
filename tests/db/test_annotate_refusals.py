"""What is refused of a judgement, with a reason, and not saved."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.types import Cell
from tests.db.examples import FAILURE
from tests.db.test_annotate import FINE, annotations, first, save, submit


def test_nobody_touches_the_assignment_of_another(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    ben = annotators["ben"]
    named: dict[str, Any] = {"user_id": ben, "assignment_id": item.assignment_id}
    requests = [
        lambda session: annotate.get_assignment(session, **named),
        lambda session: annotate.previous(session, **named),
        lambda session: annotate.save_draft(session, **named, revision=0, draft={}),
        lambda session: annotate.skip(session, **named, revision=0, reason="x"),
        lambda session: annotate.save_judgement(session, **named, revision=0, judgement=FINE, active_ms=0),
        lambda session: annotate.submit(session, **named, revision=0, judgement=FINE, active_ms=0),
        lambda session: annotate.submit(
            session, user_id=ben, assignment_id="none", revision=0, judgement=FINE, active_ms=0
        ),
    ]
    for request in requests:
        with pytest.raises(NotAllowed, match="not assigned to you"), writing(engine) as session:
            request(session)
    assert annotations(engine) == []


def test_a_switched_off_account_saves_nothing(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    with writing(engine) as session:
        users.set_active(session, name="ann", active=False)
    with pytest.raises(NotAllowed, match="switched off"):
        submit(engine, annotators["ann"], item)


def test_a_closed_study_takes_nothing_more(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    with writing(engine) as session:
        assert study_lifecycle.close_study(session, name="six").status == "closed"
    with pytest.raises(Conflict, match="closed"):
        submit(engine, annotators["ann"], item)
    with reading(engine) as session:
        assert annotate.next_assignment(session, user_id=annotators["ann"]) is None
    with pytest.raises(Conflict, match="closed already"), writing(engine) as session:
        study_lifecycle.close_study(session, name="six")


@pytest.mark.parametrize(
    ("judgement", "complaint"),
    [
        (FAILURE.model_copy(update={"labels": ()}), "needs a primary label"),
        (FINE.without_reference(), "Judge the item: valid, gold answer wrong or ambiguous"),
        (FAILURE.model_copy(update={"severity": None}), "needs a severity"),
        (Judgement(item_judgement="gold_wrong", response_judgement="acceptable"), "propose the right one"),
        (
            FAILURE.model_copy(update={"labels": (Label(code="omission.invented", primary=True),)}),
            "'omission.invented' is not in taxonomy clinical-numeracy 2",
        ),
        (
            FAILURE.model_copy(update={"labels": (Label(code="omission", primary=True, spans=((0, 999),)),)}),
            "span 0 to 999 of omission lies outside the text",
        ),
        (
            FAILURE.model_copy(update={"labels": (Label(code="omission", primary=True, spans=((4, 4),)),)}),
            "span 4 to 4",
        ),
        (
            FAILURE.model_copy(
                update={"labels": (Label(code="omission", primary=True, context_spans=((0, 99),)),)}
            ),
            "span 0 to 99 of omission lies outside the context",
        ),
        (
            FAILURE.model_copy(
                update={
                    "labels": (
                        Label(code="omission", primary=True, cells=(Cell(record=2, vital="sbp_mmhg"),)),
                    )
                }
            ),
            "expected a record from 0 to 1",
        ),
    ],
    ids=[
        "no label",
        "no judgement of the item",
        "no severity",
        "no gold",
        "no such code",
        "span too long",
        "span empty",
        "context span too long",
        "no such record",
    ],
)
def test_what_is_missing_or_does_not_fit_is_said_and_not_saved(
    engine: Engine, annotators: dict[str, str], judgement: Judgement, complaint: str
) -> None:
    item = first(engine, annotators["ann"])
    with pytest.raises(InputError, match=complaint):
        submit(engine, annotators["ann"], item, judgement)
    assert annotations(engine) == []
    assert first(engine, annotators["ann"]).reveal is None


def test_the_item_cannot_be_judged_before_the_reference_is_shown(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    with pytest.raises(InputError, match="“The item” was judged before the gold answer was shown"):
        save(engine, annotators["ann"], item, FINE)
    assert annotations(engine) == []
    assert save(engine, annotators["ann"], item, FINE.without_reference()).reveal is not None


def test_a_gold_contested_with_the_same_value_is_refused_and_nothing_is_written(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = save(engine, annotators["ann"], first(engine, annotators["ann"]))
    assert item.reveal is not None
    for same in (item.reveal.answer, f" {item.reveal.answer}.0 mmHg"):
        contested = FINE.model_copy(update={"item_judgement": "gold_wrong", "proposed_gold": same})
        with pytest.raises(InputError, match="this proposal does not make it wrong"):
            submit(engine, annotators["ann"], item, contested)
    assert [row.revision for row in annotations(engine)] == [1]
    other = contested.model_copy(update={"proposed_gold": "7"})
    assert submit(engine, annotators["ann"], item, other).status == "submitted"


def test_what_speaks_against_the_reference_is_asked_about_let_through_and_logged(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = save(engine, annotators["ann"], first(engine, annotators["ann"]), FINE.without_reference())
    assert item.reveal is not None
    assert [one.name for one in item.reveal.contradictions if one.value == "acceptable"] == [
        "acceptable_though_wrong"
    ]
    submit(engine, annotators["ann"], item, FINE)
    kept = [row.payload["contradictions"] for row in annotations(engine)]
    assert kept == [[], ["acceptable_though_wrong"]]
