"""Failures and upheld contests as curators see them, and the drafts that they lead to."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from clinicnum.annotations.curation.labelled_failure import Failure, UpheldContest
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import InstanceRow
from clinicnum.db.work.bank import browse_bank
from clinicnum.db.work.drafts import draft_sources, drafts, from_failure
from clinicnum.db.work.studies import study_changes
from clinicnum.errors import InputError, NotAllowed
from clinicnum.templates.published_example import check_example
from clinicnum.templates.template import Template
from tests.db.curating import SLIP, closed_study, upheld


def known(engine: Engine) -> tuple[Failure, ...]:
    with reading(engine) as session:
        return draft_sources.labelled_failures(session)


def contested(engine: Engine) -> tuple[UpheldContest, ...]:
    with reading(engine) as session:
        return draft_sources.upheld_contests(session, user_id="nobody")


def made(engine: Engine, **of: Any) -> str:
    with writing(engine) as session:
        return from_failure.begin_from_failures(session, **of)


def test_the_failures_of_a_closed_study_are_known_with_the_cause_that_most_gave(engine: Engine) -> None:
    closed_study(engine)
    found = known(engine)
    assert [(one.study, one.code, one.basis, one.simulated) for one in found] == [
        ("labelled", SLIP, "majority", False)
    ] * 2
    assert {one.model for one in found} == {"Model 1"}, "decisions are due"
    assert "only the annotator wrote this" not in str(found)


def test_nothing_is_known_of_an_open_study_and_its_models_have_no_name(engine: Engine) -> None:
    closed_study(engine)
    with reading(engine) as session:
        before = draft_sources.failures_mark(session)
    with writing(engine) as session:
        study_changes.reopen_study(session, name="labelled", actor="command line")
    with reading(engine) as session:
        assert draft_sources.failures_mark(session) != before
        version = browse_bank.load_version(session, "arithmetic.bp_sum", 1)
    assert known(engine) == ()
    assert "Model-0" not in str(version)


def test_a_failed_question_that_no_template_could_ask_says_what_can_be_done_instead(engine: Engine) -> None:
    people = closed_study(engine)
    one = known(engine)[0]
    with writing(engine) as session:
        row = session.get_one(InstanceRow, one.instance)
        row.payload = {**row.payload, "operation": "external", "scoring": "medec", "answer": "CORRECT"}
    for next_version in (False, True):
        with pytest.raises(InputError, match="Begin an item from it on the page Failures instead"):
            made(engine, actor=people["cur"], failures=[one], next_version=next_version)
    with reading(engine) as session:
        assert draft_sources.drafts_made(session) == {}


def test_a_failure_leads_to_a_draft_with_its_tree_and_records_and_back(engine: Engine) -> None:
    people = closed_study(engine)
    one = known(engine)[0]
    draft = made(engine, actor=people["cur"], failures=[one])
    with reading(engine) as session:
        found = drafts.load(session, draft)
        links = draft_sources.drafts_made(session)
        gold = session.get_one(InstanceRow, one.instance).payload["answer"]
    template = Template.model_validate(found.content)
    assert (template.id, template.version, template.status) == ("arithmetic.bp_sum_2", 1, "draft")
    assert template.example is not None
    assert (template.example.answer, check_example(template)) == (gold, None)
    assert (found.base, found.provokes) == (None, SLIP)
    assert [(s.study_id, s.generation, s.kind) for s in found.sources] == [
        (one.study_id, one.generation, "failure")
    ]
    assert SLIP in found.note
    assert "answered 4711" in found.note
    assert [link.draft_id for link in links[one.study_id, one.generation]] == [draft]
    assert len(links) == 1
    second = made(engine, actor=people["cur"], failures=[one])
    with reading(engine) as session:
        assert drafts.load(session, second).content["id"] == "arithmetic.bp_sum_3"


def closed_records(engine: Engine) -> None:
    """As if the benchmark held records that may not be shared."""
    with writing(engine) as session:
        for row in session.scalars(select(InstanceRow)):
            records = [{**one, "source": "mimic-iv-ed"} for one in row.payload["records"]]
            row.payload = {**row.payload, "records": records}


def test_of_a_patient_that_may_not_be_shared_no_note_tells_an_answer(engine: Engine) -> None:
    people = closed_study(engine)
    closed_records(engine)
    one = known(engine)[0]
    with reading(engine) as session:
        found = drafts.load(session, made(engine, actor=people["cur"], failures=[one]))
    assert "gave a wrong answer" in found.note
    assert not [value for value in ("4711", one.gold) if value in found.note]
    assert "example" not in found.content


def test_of_a_patient_that_may_not_be_shared_no_note_tells_what_a_contest_says(engine: Engine) -> None:
    people = upheld(engine)
    closed_records(engine)
    (one,) = contested(engine)
    with writing(engine) as session:
        draft = from_failure.begin_from_contest(session, actor=people["cur"], contest=one.contest)
        note = drafts.load(session, draft).note
    assert note.startswith("A contest was upheld; it says why.")
    assert not [value for value in ("7", "the rules say so") if value in note]


def test_a_cluster_leads_to_a_draft_of_the_next_version_with_all_its_members_as_sources(
    engine: Engine,
) -> None:
    people = closed_study(engine)
    both = known(engine)
    draft = made(engine, actor=people["cur"], failures=both, next_version=True)
    with reading(engine) as session:
        found = drafts.load(session, draft)
        details = browse_bank.load_version(session, "arithmetic.bp_sum", 1)
    assert (found.content["id"], found.content["version"]) == ("arithmetic.bp_sum", 2)
    assert found.base == ("arithmetic.bp_sum", 1)
    assert {(s.generation, s.kind) for s in found.sources} == {(one.generation, "cluster") for one in both}
    assert [line.draft_id for line in details.drafts] == [draft]


def test_of_failures_of_several_templates_the_next_version_is_of_the_most_frequent_one(
    engine: Engine,
) -> None:
    people = closed_study(engine)
    both = known(engine)
    typical = both[0].model_copy(update={"template_id": "arithmetic.other"})
    draft = made(engine, actor=people["cur"], failures=[typical, *both], next_version=True)
    with reading(engine) as session:
        assert drafts.load(session, draft).base == ("arithmetic.bp_sum", 1)


def test_labels_that_are_shown_no_more_lead_to_no_draft(engine: Engine) -> None:
    people = closed_study(engine)
    one = known(engine)[0]
    with pytest.raises(NotAllowed):
        made(engine, actor=people["ann"], failures=[one])
    with writing(engine) as session:
        study_changes.reopen_study(session, name="labelled", actor="command line")
    with pytest.raises(InputError, match="reopened"):
        made(engine, actor=people["cur"], failures=[one])
    with reading(engine) as session:
        assert drafts.list_drafts(session) == ()


def test_an_upheld_contest_is_shown_without_any_answer_and_its_draft_asks_for_its_gold(
    engine: Engine,
) -> None:
    people = upheld(engine)
    (one,) = contested(engine)
    assert (one.study, one.kind, one.proposed, one.taken_out) == ("six", "gold_wrong", "7", 1)
    assert "Llama" not in str(one)
    with writing(engine) as session:
        draft = from_failure.begin_from_contest(session, actor=people["cur"], contest=one.contest)
    with reading(engine) as session:
        found = drafts.load(session, draft)
        details = browse_bank.load_version(session, "arithmetic.bp_sum", 1)
    assert (found.base, found.content["version"]) == (("arithmetic.bp_sum", 1), 2)
    wrong = check_example(Template.model_validate(found.content))
    assert wrong is not None
    assert "but 7 by" in wrong
    assert [(s.kind, s.contest) for s in found.sources] == [("contest", one.contest)]
    assert "the rules say so" in found.note
    assert details.listed.status == "in_review"


def test_a_contest_that_is_not_upheld_leads_to_no_draft(engine: Engine) -> None:
    people = closed_study(engine)
    for contest in ("", "none", "\x00", "x" * 200):
        with writing(engine) as session, pytest.raises(InputError, match="not upheld"):
            from_failure.begin_from_contest(session, actor=people["cur"], contest=contest)
