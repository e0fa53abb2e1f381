"""An annotator's requests on a real database."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement
from clinicnum.annotations.work_item import Workitem
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AnnotationRow, AuditRow, ContestRow
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.db.work.studies import study_summaries
from clinicnum.errors import Conflict, InputError
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
