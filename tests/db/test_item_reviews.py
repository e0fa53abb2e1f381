"""Drafts of items under review: what experts see, what keeps one out, the version of those accepted."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import InstanceRow
from clinicnum.db.work.audit.compare_tables_with_log import compare_with_log
from clinicnum.db.work.bank import browse_bank
from clinicnum.db.work.bank.browse_bank import VersionSearch
from clinicnum.db.work.drafts import item_drafts, item_from_failure
from clinicnum.db.work.release.next_benchmark_version import benchmarks_with_items, next_benchmark
from clinicnum.db.work.release.release_evidence_and_origins import load_evidence
from clinicnum.db.work.release.template_readiness import template_readiness
from clinicnum.db.work.review import expert_review, review_rounds_for_curators, reviewable_versions
from clinicnum.db.work.review.automatic_checks import checks_of_round
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import write_jsonl
from clinicnum.scoring import score
from clinicnum.scripts.cli import run_command
from clinicnum.types import Generation, Instance
from tests.annotations.imported_items import CHANGED, CHOICE, EVERY, POINTED, REWORDED
from tests.db import imported_failures as items
from tests.db.curating import SLIP
from tests.db.test_item_drafts import REWORDED_CHOICE


def test_experts_are_shown_an_item_without_its_gold_and_without_the_reason_for_it(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice", kind="counterfactual")
    told = {"reason": "amoxicillin is a penicillin"}
    version = items.submitted(engine, people["cur"], draft, **CHANGED["choice"], **told)
    round_id = items.opened(engine, people["cur"], version)
    with reading(engine) as session:
        review = expert_review.load_review(session, user_id=people["xia"], round_id=round_id)
        (invited,) = expert_review.list_invitations(session, user_id=people["xia"])
    assert invited.wording == CHOICE.question
    assert review.kind == "counterfactual"
    assert review.original is not None
    assert [(one.before, one.after) for one in review.original.changed] == [
        ("pregnant", "allergic to penicillin")
    ]
    (case,) = review.cases
    assert case.context == CHANGED["choice"]["context"]
    assert "B. doxycycline" in case.question
    shown = json.dumps(review.model_dump(mode="json"))
    assert told["reason"] not in shown
    assert '"answer"' not in shown
    assert review.data_use is None


def test_answer_points_are_read_and_rated_and_nothing_is_worked(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "points")
    version = items.submitted(engine, people["cur"], draft, **REWORDED["points"])
    round_id = items.opened(engine, people["cur"], version)
    with reading(engine) as session:
        review = expert_review.load_review(session, user_id=people["xia"], round_id=round_id)
    assert (review.cases, review.context) == ((), POINTED.context)
    assert review.made == ("Drink less beer", "Allopurinol after the attack")
    for name in items.EXPERTS:
        items.hand_in(engine, round_id, people[name])
    with reading(engine) as session:
        trial = checks_of_round(lambda: reading(engine), round_id)
        seen = review_rounds_for_curators.load_round(session, round_id=round_id, viewer=None, trial=trial)
    assert seen.verdict is not None
    assert seen.verdict.accepted
    (worked,) = [one for one in seen.verdict.conditions if one.name == "worked"]
    assert worked.figures == "exempt: the experts read the answer points and rate them"


@pytest.mark.parametrize(
    ("template_id", "answer", "said"),
    [
        ("choice", "either of them", "could not be read as one option; write its letter alone"),
        ("medcalc", "rather heavy", "could not be read; write the number or date alone"),
        ("medec", "hm", "write CORRECT, or the number of the wrong sentence"),
    ],
)
def test_an_answer_that_cannot_be_read_says_what_form_is_meant(
    engine: Engine, template_id: str, answer: str, said: str
) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], template_id)
    version = items.submitted(engine, people["cur"], draft, **REWORDED[template_id])
    round_id = items.opened(engine, people["cur"], version)
    with pytest.raises(InputError, match=said):
        items.hand_in(engine, round_id, people["xia"], answers={"1": answer})


def test_one_expert_who_answers_otherwise_keeps_an_item_out(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    version = items.submitted(engine, people["cur"], draft, **REWORDED_CHOICE)
    round_id = items.opened(engine, people["cur"], version)
    with pytest.raises(Conflict, match="once every invited expert has handed in"):
        items.close(engine, round_id, people["cur"])
    items.hand_in(engine, round_id, people["xia"])
    items.hand_in(engine, round_id, people["yan"])
    items.hand_in(engine, round_id, people["zoe"], answers={"1": "C"})
    with pytest.raises(Conflict, match="not met: Every worked instance matches the gold"):
        items.close(engine, round_id, people["cur"])
    items.close(engine, round_id, people["cur"], accept=False, reason="say which trimester")
    with reading(engine) as session:
        assert item_drafts.load_item(session, draft).draft.summary.status == "open"
        assert benchmarks_with_items(session) == {}
    again = items.submitted(engine, people["cur"], draft, question="Which drug is not for her?")
    assert again == version, "a returned version is overwritten"
    with reading(engine) as session:
        assert compare_with_log(session) == ()


def test_a_fault_that_appears_during_the_review_keeps_an_item_out(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    version = items.submitted(engine, people["cur"], draft, **REWORDED_CHOICE)
    round_id = items.opened(engine, people["cur"], version)
    for name in items.EXPERTS:
        items.hand_in(engine, round_id, people[name])
    with writing(engine) as session:
        row = session.scalars(
            select(InstanceRow).where(col(InstanceRow.instance_id) == POINTED.instance_id)
        ).one()
        row.payload = {**CHOICE.model_dump(mode="json"), **REWORDED_CHOICE, "instance_id": "points"}
        session.add(row)
    with pytest.raises(Conflict, match="not met: The automatic checks hold"):
        items.close(engine, round_id, people["cur"])


def test_items_wait_for_their_review_beside_templates_and_never_stand_in_the_bank(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    key, number = items.submitted(engine, people["cur"], draft, **REWORDED_CHOICE)
    with reading(engine) as session:
        (waiting,) = reviewable_versions.waiting_versions(session)
        assert (waiting.template_id, waiting.version, waiting.wording) == (key, 1, CHOICE.question)
        shown = browse_bank.list_versions(session, VersionSearch(text="item."))
        assert shown.found == 0
        with pytest.raises(InputError, match="the bank has no"):
            browse_bank.load_version(session, key, number)
        candidates = reviewable_versions.reviewer_candidates(session, template_id=key, version=number)
        assert {one.name: one.why_not for one in candidates}["cur"] == "wrote or edited it"
    round_id = items.opened(engine, people["cur"], (key, number))
    for name in items.EXPERTS:
        items.hand_in(engine, round_id, people[name])
    items.close(engine, round_id, people["cur"])
    with reading(engine) as session:
        ready = template_readiness(session, include_unreviewed=True)
        assert not any("item" in one.template_id for one in ready)
        assert load_evidence(session) == {}
    with reading(engine) as session:
        assert compare_with_log(session) == ()


def test_accepted_items_are_written_as_the_next_version_that_lint_run_and_score_take(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = items.closed_study(engine)
    for one in EVERY:
        key = one.instance_id
        items.accepted(engine, people, items.begun(engine, people["cur"], key), **REWORDED[key])
        moved = items.begun(engine, people["cur"], key, kind="counterfactual")
        items.accepted(engine, people, moved, **CHANGED[key], reason="by rule")
    new = items.begun(engine, people["cur"], "choice", kind="new")
    items.accepted(engine, people, new, context="A boy of 3.", answer="C", reason="by rule")
    with reading(engine) as session:
        assert benchmarks_with_items(session) == {"imported": 11}
        made, again = (next_benchmark(session, "imported") for _ in range(2))
    assert made == again
    assert made.meta["benchmark_id"] not in ("imported", "")
    assert (made.meta["follows"], made.meta["source"]) == ("imported", "exam.jsonl")
    assert {one.benchmark_id for one in made.instances} == {made.meta["benchmark_id"]}
    assert [one.instance_id for one in made.instances[:5]] == [one.instance_id for one in EVERY]
    assert len(made.instances) == 16
    (told,) = [one for one in made.added if one.kind == "new"]
    (source,) = told.sources
    assert (told.base_id, told.provokes, told.experts) == ("choice", SLIP, 3)
    assert (source.study, source.generation, source.kind) == ("imported", "g0", "failure")
    assert set(told.i_cvi.values()) == {1.0}
    out = tmp_path / "next.jsonl"
    write_jsonl(out, made.instances, made.meta)
    capsys.readouterr()
    assert run_command(["lint", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert all(score(instance=one, generation=answer_of(one)).lenient for one in made.instances)
    assert made.meta["credentialed"] is False


def answer_of(item: Instance) -> Generation:
    """A generation that answers rightly."""
    points = "\n".join(point.text for point in item.points)
    text = points or (f'{{"answer": "{item.answer}"}}' if item.scoring != "medec" else str(item.answer))
    return Generation(
        generation_id="g", run_id="r", instance_id=item.instance_id, text=text, finish_reason="stop"
    )


def test_what_contests_took_out_leaves_with_what_was_made_of_it(engine: Engine) -> None:
    people = items.closed_study(engine)
    items.accepted(engine, people, items.begun(engine, people["cur"], "choice"), **REWORDED_CHOICE)
    items.accepted(engine, people, items.begun(engine, people["cur"], "medcalc"), **REWORDED["medcalc"])
    contest = items.upheld(engine, people, proposed="A")
    with reading(engine) as session:
        made = next_benchmark(session, "imported")
    assert "choice" not in {one.instance_id for one in made.instances}
    assert not any(one.base_id == "choice" for one in made.instances)
    assert len(made.added) == 1
    assert len(made.left_out) == 2
    # The question may now come back with the gold that was proposed.
    with writing(engine) as session:
        corrected = item_from_failure.begin_item_from_contest(session, actor=people["cur"], contest=contest)
        one = item_drafts.load_item(session, corrected)
    assert (one.content.kind, one.content.answer, one.content.question) == ("new", "A", CHOICE.question)
    assert [of.kind for of in one.draft.sources] == ["contest"]
    items.accepted(engine, people, corrected, reason="the label was wrong")
    with reading(engine) as session:
        back = next_benchmark(session, "imported")
    assert [one.answer for one in back.instances if one.question == CHOICE.question] == ["A"]
    assert [of.kind for one in back.added if one.kind == "new" for of in one.sources] == ["contest"]


def test_texts_that_may_not_be_shared_stay_marked(engine: Engine, tmp_path: Path) -> None:
    people = items.closed_study(engine, meta=items.META)
    draft = items.begun(engine, people["cur"], "choice")
    version = items.submitted(engine, people["cur"], draft, **REWORDED_CHOICE)
    with reading(engine) as session:
        one = item_drafts.load_item(session, draft)
    assert one.data_use is not None
    assert "where B is right" not in one.draft.note
    round_id = items.opened(engine, people["cur"], version)
    with reading(engine) as session:
        shown = expert_review.load_review(session, user_id=people["xia"], round_id=round_id)
    assert shown.data_use == one.data_use
    for name in items.EXPERTS:
        items.hand_in(engine, round_id, people[name])
    items.close(engine, round_id, people["cur"])
    with reading(engine) as session:
        made = next_benchmark(session, "imported")
    assert made.meta["credentialed"] is True
    assert made.meta["data_use"] == one.data_use


def test_a_benchmark_without_accepted_items_has_no_next_version(engine: Engine) -> None:
    items.closed_study(engine)
    with reading(engine) as session:
        with pytest.raises(InputError, match="has no accepted item; make one from a failure"):
            next_benchmark(session, "imported")
        for unknown in ("nowhere", "no\0where"):
            with pytest.raises(InputError, match="is not in the database; expected one of: none"):
                next_benchmark(session, unknown)
