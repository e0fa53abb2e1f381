"""From a failure on an imported question to a reviewed item, and to the next version of its benchmark."""

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.curation.drafts import StaleDraft
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import InstanceRow, TemplateRow
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import draft_sources, drafts, from_failure, item_drafts, item_from_failure
from clinicnum.errors import InputError, NotAllowed
from tests.annotations.imported_items import CHOICE, REWORDED
from tests.db import imported_failures as items
from tests.db.curating import SLIP, closed_study

REWORDED_CHOICE = REWORDED["choice"]


def test_a_failure_on_an_imported_question_begins_an_item_with_its_text_and_its_source(
    engine: Engine,
) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    with reading(engine) as session:
        one = item_drafts.load_item(session, draft)
        made = draft_sources.drafts_made(session)
        assert drafts.list_drafts(session) == (), "it is no draft of a template"
        (listed,) = drafts.list_drafts(session, kind="item")
    assert (one.content.kind, one.content.question) == ("paraphrase", CHOICE.question)
    assert one.original == CHOICE
    assert (listed.wording, listed.draft_id) == (CHOICE.question, draft)
    assert one.draft.provokes == SLIP
    assert "where B is right" in one.draft.note
    failure = items.failure_on(engine, "choice")
    (link,) = made[failure.study_id, failure.generation]
    assert (link.kind, link.template_id, link.draft_id) == ("item", "paraphrase", draft)


def test_an_item_draft_is_no_template_draft_and_a_question_of_the_bank_is_no_item(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    with writing(engine) as session:
        with pytest.raises(InputError, match="there is no draft"):
            drafts.load(session, draft)
        with pytest.raises(InputError, match="there is no draft"):
            drafts.save(session, draft_id=draft, revision=1, content={}, actor=people["cur"])
        with pytest.raises(InputError, match="there is no draft"):
            drafts.submit(session, draft_id=draft, revision=1, actor=people["cur"])
        template = drafts.begin(session, author=people["cur"], content={})
        with pytest.raises(InputError, match="there is no draft"):
            item_drafts.load_item(session, template)
        with pytest.raises(InputError, match="Begin an item from it"):
            from_failure.begin_from_failures(
                session, actor=people["cur"], failures=[items.failure_on(engine, "choice")]
            )
    with pytest.raises(NotAllowed):
        items.begun(engine, people["ann"], "choice")


def test_a_question_of_the_bank_becomes_no_item(engine: Engine) -> None:
    people = closed_study(engine)
    with pytest.raises(InputError, match="comes from a template of the bank"):
        items.begun(engine, people["cur"], "arithmetic.bp_sum")


@pytest.mark.parametrize("base_id", ["choice", "elsewhere"])
def test_a_variant_that_failed_leads_to_the_question_it_was_made_of(engine: Engine, base_id: str) -> None:
    people = items.closed_study(engine)
    failure = items.failure_on(engine, "points")
    with writing(engine) as session:
        row = session.get_one(InstanceRow, failure.instance)
        shuffled = {"variant": "options.shuffle.1", "base_id": base_id, "expected": "same"}
        row.payload = {**CHOICE.model_dump(mode="json"), **shuffled, "instance_id": "points"}
    if base_id == "elsewhere":
        with pytest.raises(InputError, match=r"not in the database\. Load the whole benchmark"):
            items.begun(engine, people["cur"], "points")
        return
    draft = items.begun(engine, people["cur"], "points")
    with reading(engine) as session:
        assert item_drafts.load_item(session, draft).original == CHOICE


def test_saving_keeps_the_original_and_never_overwrites_another_curator(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    assert items.saved(engine, people["cur"], draft, base="another", **REWORDED_CHOICE) == 2
    with writing(engine) as session:
        one = item_drafts.load_item(session, draft)
        assert one.original == CHOICE
        with pytest.raises(StaleDraft):
            item_drafts.save_item(
                session,
                draft_id=draft,
                revision=1,
                content=one.content.model_copy(update={"question": "mine"}),
                actor=people["cur"],
            )
        assert item_drafts.load_item(session, draft).content == one.content


def test_empty_limits_of_a_calculated_gold_are_filled_in_as_the_source_does(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "medcalc", kind="counterfactual")
    items.saved(engine, people["cur"], draft, answer="25", lower="", upper="")
    with reading(engine) as session:
        content = item_drafts.load_item(session, draft).content
    assert (content.answer, content.lower, content.upper) == ("25", "23.75", "26.25")


def test_a_faulty_item_is_not_sent_and_nothing_is_written(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    with pytest.raises(InputError, match=r"nothing is worded differently.*and 1 more"):
        items.submitted(engine, people["cur"], draft)
    with pytest.raises(InputError, match="keeps every number"):
        items.submitted(engine, people["cur"], draft, context="Fever.")
    with reading(engine) as session:
        rows = select(TemplateRow).where(col(TemplateRow.kind) == "item")
        assert session.scalars(rows).all() == []
        assert item_drafts.load_item(session, draft).draft.summary.status == "open"


def test_two_drafts_of_the_same_item_are_not_both_sent(engine: Engine) -> None:
    people = items.closed_study(engine)
    first, second = (items.begun(engine, people["cur"], "choice") for _ in range(2))
    key, _ = items.submitted(engine, people["cur"], first, **REWORDED_CHOICE)
    with pytest.raises(InputError, match="asks exactly this"):
        items.submitted(engine, people["cur"], second, **REWORDED_CHOICE)
    with writing(engine) as session:
        drafts.take_back(session, draft_id=first, actor=people["cur"])
        drafts.discard(session, draft_id=first, actor=people["cur"])
        assert template_versions.find_version(session, key, 1, items_too=True).status == "retired"
    assert items.submitted(engine, people["cur"], second, **REWORDED_CHOICE)[1] == 1


def test_an_item_begins_from_no_contest_that_is_not_upheld(engine: Engine) -> None:
    people = items.closed_study(engine)
    with writing(engine) as session:
        for unknown in ("none", "no\0ne"):
            with pytest.raises(InputError, match="that contest is not upheld"):
                item_from_failure.begin_item_from_contest(session, actor=people["cur"], contest=unknown)
