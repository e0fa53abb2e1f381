"""An annotator's own history, and what opens once a study is closed, on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AdjudicationRow, AssignmentRow, CitationRow, StudyRow, utc_now
from clinicnum.db.work.annotation import annotate
from clinicnum.db.work.common.adjudication_need import final_annotations
from clinicnum.db.work.my_work import work_history
from clinicnum.db.work.my_work.feedback_to_annotator import ExplainedPage, OwnSummary, explain, own_summary
from clinicnum.db.work.my_work.work_history import OwnItem, OwnPage, own_item, own_items, own_studies
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import Conflict, NotAllowed
from tests.db.examples import FAILURE, add_users, material, open_study
from tests.db.test_annotate import FINE, first, save, submit

OTHER = Judgement.model_validate(
    {**FAILURE.model_dump(), "labels": [{"code": "omission", "primary": True}], "severity": "2"}
)


def people(engine: Engine) -> dict[str, str]:
    return {user.name: user.user_id for user in add_users(engine)}


def page(engine: Engine, user_id: str, study_id: str, **asked: object) -> OwnPage:
    with reading(engine) as session:
        return own_items(session, user_id=user_id, study_id=study_id, **asked)  # type: ignore[arg-type]


def everything(engine: Engine, user_id: str, study_id: str, **asked: object) -> list[OwnItem]:
    found: list[OwnItem] = []
    before = None
    while True:
        one = page(engine, user_id, study_id, before=before, **asked)
        found += one.items
        before = one.older
        if before is None:
            return found


def label_all(engine: Engine, users: dict[str, str], judged: dict[str, Judgement]) -> None:
    for name, judgement in judged.items():
        for _ in range(6):
            submit(engine, users[name], first(engine, users[name]), judgement)


def close(engine: Engine) -> None:
    with writing(engine) as session:
        close_study(session, name="six")


def explained(engine: Engine, user_id: str, study_id: str, before: int | None = None) -> ExplainedPage:
    with reading(engine) as session:
        return explain(session, user_id=user_id, study_id=study_id, before=before)


def summary(engine: Engine, user_id: str, study_id: str) -> OwnSummary:
    with reading(engine) as session:
        return own_summary(session, user_id=user_id, study_id=study_id)


def test_the_history_holds_what_was_judged_skipped_and_flagged_newest_first(engine: Engine) -> None:
    users = people(engine)
    study = open_study(engine).study_id
    done = submit(engine, users["ann"], first(engine, users["ann"]), FAILURE)
    again = submit(engine, users["ann"], done, FINE)
    item = first(engine, users["ann"])
    address = {"user_id": users["ann"], "assignment_id": item.assignment_id}
    with writing(engine) as session:
        annotate.flag(session, **address, note="odd dose")
        annotate.skip(session, **address, revision=0, reason="unreadable")
    begun = save(engine, users["ann"], first(engine, users["ann"]))
    newest, skipped, judged = page(engine, users["ann"], study).items
    assert (newest.assignment_id, newest.status, newest.revisions) == (begun.assignment_id, "open", 1)
    assert (skipped.status, skipped.skip_reason, skipped.flag) == ("skipped", "unreadable", "odd dose")
    assert (skipped.judgement, skipped.saved_at) == (None, None)
    assert (judged.assignment_id, judged.judgement, judged.revisions) == (again.assignment_id, FINE, 2)
    assert judged.saved_at is not None
    assert utc_now() - judged.saved_at < timedelta(minutes=10)
    for show, wanted in (("skipped", [skipped]), ("flagged", [skipped]), ("submitted", [judged])):
        assert list(page(engine, users["ann"], study, show=show).items) == wanted
    with reading(engine) as session:
        history = own_item(session, user_id=users["ann"], assignment_id=again.assignment_id)
        (own,) = own_studies(session, user_id=users["ann"])
    assert [(one.revision, one.judgement) for one in history.revisions] == [(2, FINE), (1, FAILURE)]
    assert (own.done, own.skipped, own.status) == (1, 1, "open")


def test_pages_follow_one_another_without_a_gap(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    users = people(engine)
    study = open_study(engine, material(wrong=12)).study_id
    for _ in range(12):
        submit(engine, users["ann"], first(engine, users["ann"]), FINE)
    for size in (5, 6, 12, 50):
        monkeypatch.setattr(work_history, "PAGE", size)
        found = everything(engine, users["ann"], study)
        assert [one.position for one in found] == list(range(11, -1, -1))
    monkeypatch.setattr(work_history, "PAGE", 6)
    assert page(engine, users["ann"], study, before=6).older is None


def test_a_text_is_found_in_what_one_sees_and_said_and_never_in_the_hidden_gold(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = people(engine)
    study = open_study(engine, material(wrong=12)).study_id
    for n in range(11):
        said = FAILURE.model_copy(update={"rationale": f"Größe number {n}."})
        submit(engine, users["ann"], first(engine, users["ann"]), said)
    first(engine, users["ann"])  # one in work, its gold hidden
    monkeypatch.setattr(work_history, "CHUNK", 4)
    monkeypatch.setattr(work_history, "MOST_SCANNED", 4)

    def hits(text: str) -> int:
        return len(everything(engine, users["ann"], study, text=text))

    assert hits("PULSE PRESSURE") == 12
    assert hits("größe number 7") == 1
    assert hits("arithmetic slip") == 11
    for hidden in ("100", "group", "wrong_record", "pulse_pressure", "llama", "count_zero"):
        assert hits(hidden) == 0, hidden
    assert page(engine, users["ann"], study, text="größe number 0").items == ()


def test_nobody_reaches_the_work_of_another(engine: Engine) -> None:
    users = people(engine)
    mine = open_study(engine, annotators=("ann",), overlap=1).study_id
    hers = submit(engine, users["ann"], first(engine, users["ann"]), FAILURE)
    with reading(engine) as session:
        assert own_studies(session, user_id=users["ben"]) == ()
        for study_id in (mine, "none"):
            for ask in (own_items, explain, own_summary):
                with pytest.raises(NotAllowed, match="not an annotator of this study"):
                    ask(session, user_id=users["ben"], study_id=study_id)
        with pytest.raises(NotAllowed, match="not assigned to you"):
            own_item(session, user_id=users["ben"], assignment_id=hers.assignment_id)


def test_before_closing_nothing_of_the_others_is_told(engine: Engine) -> None:
    users = people(engine)
    study = open_study(engine).study_id
    label_all(engine, users, {"ann": FAILURE, "ben": OTHER, "eve": OTHER})
    for status in ("open", "paused"):
        with writing(engine) as session:
            session.execute(update(StudyRow).values(status=status))
        for ask in (explained, summary):
            with pytest.raises(Conflict, match="not closed yet"):
                ask(engine, users["ann"], study)


def test_after_closing_the_majority_is_told_where_it_differs(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = people(engine)
    study = open_study(engine).study_id
    label_all(engine, users, {"ann": FAILURE, "ben": OTHER, "eve": OTHER})
    close(engine)
    found = explained(engine, users["ann"], study)
    assert (found.judged, found.differing, found.older) == (6, 6, None)
    one = found.items[0]
    assert [(d.what, d.own, d.decided) for d in one.differ] == [("primary", "causal_reasoning", "omission")]
    assert not one.decided.adjudicated
    # Two others said the same: one position, without their words, confidence or evidence.
    (position,) = one.others
    assert [label.code for label in position.labels] == ["omission"]
    assert (position.rationale, position.confidence) == (None, None)
    assert one.question.startswith("What is the pulse pressure")
    assert explained(engine, users["ben"], study).items == ()
    monkeypatch.setattr("clinicnum.db.work.my_work.feedback_to_annotator.PAGE", 4)
    first_page = explained(engine, users["ann"], study)
    rest = explained(engine, users["ann"], study, first_page.older)
    assert [len(first_page.items), len(rest.items), rest.older] == [4, 2, None]
    assert sorted(x.position for x in (*first_page.items, *rest.items)) == sorted(
        x.position for x in found.items
    )


def test_an_adjudication_goes_before_the_majority_while_it_settles_the_last_judgements(
    engine: Engine,
) -> None:
    users = people(engine)
    study = open_study(engine).study_id
    label_all(engine, users, {"ann": FAILURE, "ben": OTHER, "eve": OTHER})
    with writing(engine) as session:
        of_ann = select(col(AssignmentRow.generation)).where(col(AssignmentRow.user_id) == users["ann"])
        generation = session.scalars(of_ann.limit(1)).one()
        finals = final_annotations(session, study, generation)
        for number, cited in enumerate((finals, finals[:1])):
            decided = FAILURE if number == 0 else FINE
            payload = {"judgement": decided.model_dump(mode="json"), "comment": "118 - 76 is 42"}
            session.add(
                AdjudicationRow(
                    id=f"d{number}",
                    study_id=study,
                    generation=generation,
                    user_id=users["eve"],
                    payload={**payload, "taken_over": False, "taxonomy_version": "1"},
                    created_at=utc_now() - timedelta(minutes=number),
                )
            )
            session.flush()
            session.add_all(CitationRow(adjudication_id=f"d{number}", annotation_id=x.id) for x in cited)
    close(engine)
    hers, his = (explained(engine, users[name], study) for name in ("ann", "ben"))
    assert (hers.differing, his.differing) == (5, 1)
    (one,) = his.items
    assert one.decided.adjudicated
    assert one.comment == "118 - 76 is 42"
    assert [d.what for d in one.differ] == ["primary"]


def test_the_summary_is_the_annotators_own_line_of_the_report(engine: Engine) -> None:
    users = people(engine)
    references = {f"run-of-llama-g{n}": OTHER for n in range(2)}
    study = open_study(engine, material(wrong=8), controls=2, references=references).study_id
    for name, judgement in (("ann", FAILURE), ("ben", OTHER), ("eve", OTHER)):
        for _ in range(8):
            submit(engine, users[name], first(engine, users[name]), judgement)
    close(engine)
    hers = summary(engine, users["ann"], study)
    assert hers.response is not None
    assert hers.primary is not None
    assert hers.controls is not None
    assert (hers.response.agree.value, hers.response.agree.n) == (1.0, 6)
    assert (hers.primary.agree.value, dict(hers.primary.confusion)) == (
        0.0,
        {("omission", "causal_reasoning"): 6},
    )
    assert (hers.controls.response.value, hers.controls.primary.value) == (1.0, 0.0)
    his = summary(engine, users["ben"], study)
    assert his.controls is not None
    assert his.controls.primary.value == 1.0
