"""An annotator's requests on a real database."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement, Label
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AuditRow, ContestRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.db.work.studies import study_lifecycle, study_summaries
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.types import Cell
from tests.db.examples import BLIND, FAILURE, MODEL, add_users, material, open_study
from tests.db.monitor import RECORDS, monitor_material

FINE = Judgement(item_judgement="valid", response_judgement="acceptable")


def first(engine: Engine, user_id: str) -> Workitem:
    with writing(engine) as session:
        item = annotate.next_assignment(session, user_id=user_id)
    assert item is not None
    return item


def save(engine: Engine, user_id: str, item: Workitem, judgement: Judgement = BLIND) -> Workitem:
    with writing(engine) as session:
        return annotate.save_judgement(
            session,
            user_id=user_id,
            assignment_id=item.assignment_id,
            revision=item.revision,
            judgement=judgement,
            active_ms=10,
        )


def submit(engine: Engine, user_id: str, item: Workitem, judgement: Judgement = FAILURE) -> Workitem:
    with writing(engine) as session:
        return annotate.submit(
            session,
            user_id=user_id,
            assignment_id=item.assignment_id,
            revision=item.revision,
            judgement=judgement,
            active_ms=20,
        )


def annotations(engine: Engine) -> list[AnnotationRow]:
    with reading(engine) as session:
        return list(session.scalars(select(AnnotationRow).order_by(col(AnnotationRow.revision))))


def actions(engine: Engine) -> list[str]:
    with reading(engine) as session:
        statement = select(AuditRow).where(col(AuditRow.chain) != "installation").order_by(col(AuditRow.seq))
        return [row.action for row in session.scalars(statement)]


def test_thresholds_come_with_an_item_and_values_of_its_formula_with_the_reference(engine: Engine) -> None:
    annotators = {user.name: user.user_id for user in add_users(engine)}
    with writing(engine) as session:
        add_packaged_templates(session)
    open_study(engine, monitor_material())
    item = first(engine, annotators["ann"])
    assert [(one.formula, one.value) for one in item.chart.thresholds] == [("shock index", "0.7")]
    assert item.chart.formulas == ()
    judged = save(engine, annotators["ann"], item)
    (lane,) = judged.chart.formulas
    assert (lane.name, lane.values[0], len(lane.values)) == ("shock index", "0.54", RECORDS)


def test_before_a_judgement_nothing_tells_the_gold_the_model_or_the_run(engine: Engine) -> None:
    annotators = {user.name: user.user_id for user in add_users(engine)}
    made = material()
    rewritten = tuple(one.model_copy(update={"variant": "numeric.relevant"}) for one in made.instances)
    open_study(engine, replace(made, instances=rewritten), variants=6)
    item = first(engine, annotators["ann"])
    sent = item.model_dump_json()
    assert item.reveal is None
    gold = next(one for one in material().instances if one.question == item.instance.question)
    assert gold.answer is not None
    for number in range(6):
        assert str(1000 + number) not in sent
    for hidden in (
        "llama",
        "run-of",
        "makers",
        "wrong_record",
        "count_zero",
        "numeric.relevant",
        "incorrect",
    ):
        assert hidden not in sent.lower()
    assert len(item.text) == len(material().runs[0].generations[0].text)
    assert item.text.endswith(": 2000 \x00 ü")


def test_a_saved_judgement_opens_the_gold_and_is_kept_as_it_was_made_blind(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    seen = save(engine, annotators["ann"], item)
    assert seen.reveal is not None
    assert (seen.reveal.answer or "").startswith("100")
    assert seen.reveal.score_status == "incorrect"
    assert seen.reveal.parsed == "2000"
    assert (seen.revision, seen.status, seen.judgement) == (1, "open", BLIND)
    done = submit(engine, annotators["ann"], seen)
    assert (done.revision, done.status, done.judgement) == (2, "submitted", FAILURE)
    assert [(row.revision, row.submitted) for row in annotations(engine)] == [(1, False), (2, True)]
    assert annotations(engine)[0].payload["labels"] == []
    assert annotations(engine)[1].payload["rationale"] == FAILURE.rationale
    assert actions(engine) == ["create_study", "save_judgement", "submit"]


def test_the_judgement_of_one_annotator_opens_nothing_to_another(
    engine: Engine, annotators: dict[str, str]
) -> None:
    for _ in range(6):
        submit(engine, annotators["ann"], first(engine, annotators["ann"]))
    for _ in range(6):
        item = first(engine, annotators["ben"])
        assert (item.reveal, item.judgement, item.revision) == (None, None, 0)
        submit(engine, annotators["ben"], item)


def test_every_annotator_gets_every_item_once_and_then_none(
    engine: Engine, annotators: dict[str, str]
) -> None:
    texts = []
    for done in range(6):
        item = first(engine, annotators["eve"])
        assert (item.progress.done, item.progress.total) == (done, 6)
        texts.append(item.assignment_id)
        submit(engine, annotators["eve"], item)
    assert len(set(texts)) == 6
    with writing(engine) as session:
        assert annotate.next_assignment(session, user_id=annotators["eve"]) is None
        assert annotate.next_assignment(session, user_id=annotators["ben"]) is not None


@pytest.mark.parametrize("judgement", [FAILURE, FINE], ids=["failure", "acceptable"])
def test_the_same_submit_sent_again_changes_nothing(
    engine: Engine, annotators: dict[str, str], judgement: Judgement
) -> None:
    item = first(engine, annotators["ann"])
    once = submit(engine, annotators["ann"], item, judgement)
    again = submit(engine, annotators["ann"], item, judgement)
    assert again == once
    assert len(annotations(engine)) == 1
    assert actions(engine) == ["create_study", "submit"]


def test_the_same_blind_judgement_sent_again_changes_nothing(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    assert save(engine, annotators["ann"], item) == save(engine, annotators["ann"], item)
    assert len(annotations(engine)) == 1


def test_another_submit_on_a_stale_revision_is_refused(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    submit(engine, annotators["ann"], item)
    with pytest.raises(Conflict, match="You changed this item in another window"):
        submit(engine, annotators["ann"], item, FINE)
    assert len(annotations(engine)) == 1


def test_a_blind_judgement_cannot_be_made_twice(engine: Engine, annotators: dict[str, str]) -> None:
    seen = save(engine, annotators["ann"], first(engine, annotators["ann"]))
    with pytest.raises(Conflict, match="submit instead"):
        save(engine, annotators["ann"], seen, FINE)


def test_a_blind_judgement_is_no_submit_even_when_sent_as_one(
    engine: Engine, annotators: dict[str, str]
) -> None:
    item = first(engine, annotators["ann"])
    save(engine, annotators["ann"], item, FINE.without_reference())
    with pytest.raises(Conflict):
        submit(engine, annotators["ann"], item, FINE)


def test_a_submitted_item_can_be_revised_and_every_revision_stays(
    engine: Engine, annotators: dict[str, str]
) -> None:
    once = submit(engine, annotators["ann"], first(engine, annotators["ann"]))
    twice = submit(engine, annotators["ann"], once, FINE)
    assert (twice.revision, twice.progress.done) == (2, 1)
    assert [row.response_judgement for row in annotations(engine)] == ["failure", "acceptable"]


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_simultaneous_submits_one_wins(
    engine: Engine, annotators: dict[str, str], attempt: int
) -> None:
    item = first(engine, annotators["ann"])
    start = Barrier(2)

    def send(judgement: Judgement) -> str:
        start.wait()
        try:
            submit(engine, annotators["ann"], item, judgement)
        except Conflict:
            return "conflict"
        return "saved"

    with ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(send, [FAILURE, FINE]))
    assert results == ["conflict", "saved"]
    assert len(annotations(engine)) == 1
    assert first(engine, annotators["ann"]).progress.done == 1


def test_three_annotators_at_once_lose_and_double_nothing(engine: Engine, annotators: dict[str, str]) -> None:
    def work(user_id: str) -> None:
        for _ in range(6):
            submit(engine, user_id, save(engine, user_id, first(engine, user_id)))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, annotators.values()))
    saved = [(row.assignment_id, row.revision) for row in annotations(engine)]
    assert len(saved) == len(set(saved)) == 3 * 6 * 2
    assert len(actions(engine)) == 1 + 3 * 6 * 2
    with reading(engine) as session:
        assert study_summaries.list_studies(session)[0].submitted == 18


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


def test_a_draft_comes_back_and_goes_with_the_submit(engine: Engine, annotators: dict[str, str]) -> None:
    item = first(engine, annotators["ann"])
    draft = {"item_judgement": "valid", "response_judgement": "failure", "rationale": "half a thou\x00ght"}
    with writing(engine) as session:
        annotate.save_draft(
            session,
            user_id=annotators["ann"],
            assignment_id=item.assignment_id,
            revision=0,
            draft=draft,
        )
    back = first(engine, annotators["ann"])
    assert (back.assignment_id, back.draft, back.reveal) == (item.assignment_id, draft, None)
    assert submit(engine, annotators["ann"], back).draft is None
    with pytest.raises(Conflict), writing(engine) as session:
        annotate.save_draft(
            session,
            user_id=annotators["ann"],
            assignment_id=item.assignment_id,
            revision=0,
            draft=draft,
        )


def test_a_skip_is_kept_with_its_reason_and_taken_back_by_a_submit(
    engine: Engine, annotators: dict[str, str]
) -> None:
    ann = annotators["ann"]
    item = first(engine, ann)
    with writing(engine) as session:
        skipped = annotate.skip(
            session, user_id=ann, assignment_id=item.assignment_id, revision=0, reason=" the text is French "
        )
    assert (skipped.status, skipped.skip_reason) == ("skipped", "the text is French")
    assert (skipped.progress.skipped, skipped.progress.done) == (1, 0)
    following = first(engine, ann)
    assert following.assignment_id != item.assignment_id
    with reading(engine) as session:
        back = annotate.previous(session, user_id=ann, assignment_id=following.assignment_id)
        assert annotate.previous(session, user_id=ann, assignment_id=item.assignment_id) is None
        last = annotate.previous(session, user_id=ann, assignment_id=None)
    assert back == skipped
    assert last is not None
    done = submit(engine, ann, back)
    assert (done.status, done.skip_reason, done.progress.skipped, done.progress.done) == (
        "submitted",
        None,
        0,
        1,
    )
    assert actions(engine) == ["create_study", "skip", "submit"]
    with pytest.raises(Conflict, match="submitted already"), writing(engine) as session:
        annotate.skip(session, user_id=ann, assignment_id=item.assignment_id, revision=1, reason="late")
    with pytest.raises(InputError, match="needs a reason"), writing(engine) as session:
        annotate.skip(session, user_id=ann, assignment_id=item.assignment_id, revision=1, reason="  ")


def test_a_contest_opens_with_the_doubt_and_is_withdrawn_with_it(
    engine: Engine, annotators: dict[str, str]
) -> None:
    def contests() -> list[tuple[str, str, str | None]]:
        with reading(engine) as session:
            rows = session.scalars(select(ContestRow).order_by(col(ContestRow.created_at)))
            return [(row.kind, row.status, row.proposed_gold) for row in rows]

    doubt = Judgement(item_judgement="gold_wrong", proposed_gold="42", response_judgement="acceptable")
    item = submit(engine, annotators["ann"], first(engine, annotators["ann"]), doubt)
    assert contests() == [("gold_wrong", "open", "42")]
    item = submit(engine, annotators["ann"], item, doubt.model_copy(update={"rationale": "again"}))
    assert contests() == [("gold_wrong", "open", "42")]
    other = doubt.model_copy(update={"item_judgement": "ambiguous", "proposed_gold": None})
    item = submit(engine, annotators["ann"], item, other)
    assert contests() == [("gold_wrong", "withdrawn", "42"), ("ambiguous", "open", None)]
    submit(engine, annotators["ann"], item, FINE)
    assert [status for _, status, _ in contests()] == ["withdrawn", "withdrawn"]


def test_next_keeps_to_the_study_that_is_asked_for(engine: Engine) -> None:
    (ann,) = add_users(engine, ["ann"])
    for name in ("one", "two"):
        open_study(engine, name=name, annotators=["ann"], overlap=1)
    with writing(engine) as session:
        studies = study_summaries.list_studies(session)
        for summary in studies:
            item = annotate.next_assignment(session, user_id=ann.user_id, study_id=summary.study_id)
            assert item is not None
            assert item.study_name == summary.name
    assert [summary.name for summary in studies] == ["one", "two"]


def test_the_model_is_named_in_the_meta_that_was_masked(engine: Engine, annotators: dict[str, str]) -> None:
    assert material().runs[0].meta["model"] == MODEL
    assert "███" in first(engine, annotators["ann"]).text


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
