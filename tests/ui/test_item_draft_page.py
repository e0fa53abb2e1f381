"""The page of item drafts: which fields each kind of item and of answer has, and what is refused in words."""

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.database_sessions import Store
from clinicnum.errors import Conflict, InputError
from clinicnum.ui.pages.failures.page import FailuresHandlers
from clinicnum.ui.pages.item_draft.page import ItemDraftHandlers
from tests.annotations.imported_items import CHANGED, CHOICE, EVERY, REWORDED
from tests.db import imported_failures as items
from tests.ui.test_bank_pages import request

FIELDS = ("context", "question", "options", "answer", "lower", "upper", "points", "reason")
HEAD = 3
"""Outputs for the list of drafts, before those of the form."""


def form(answer: tuple[Any, ...], *, start: int = 1 + HEAD) -> dict[str, Any]:
    """The form as an answer shows it, by name."""
    names = ("panel", "facts", "original", "revision", "kind", *FIELDS, "faults", "changed", "similar")
    return dict(zip(names, answer[start:], strict=False))


def sent(shown: dict[str, Any], **changed: Any) -> list[Any]:
    """What the page sends of a form as it is shown, apart from what was changed."""
    values = {name: shown[name]["value"] for name in ("kind", *FIELDS)} | changed
    return [changed.get("revision", shown["revision"]), *(values[name] for name in ("kind", *FIELDS))]


@pytest.mark.parametrize("original", EVERY, ids=lambda one: one.instance_id)
def test_the_fields_are_those_of_the_kind_of_answer(engine: Engine, original: Any) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], original.instance_id)
    page, cur = ItemDraftHandlers(Store(engine)), request(people["cur"])
    shown = form(page.load(request(people["cur"], draft=draft)))
    assert shown["panel"]["visible"] is True
    visible = {name for name in FIELDS if shown[name].get("visible", True)}
    more = {"choice": {"options"}, "medcalc": {"lower", "upper"}, "points": {"points"}}
    assert visible == {"context", "question", "answer"} | more.get(original.instance_id, set())
    assert not any(shown[name]["interactive"] for name in ("options", "answer", "lower", "points"))
    # A paraphrase has the original's gold whatever is sent; what was typed in the text is kept.
    typed = sent(shown, answer="forged", **REWORDED[original.instance_id])
    saved = form(page.save(cur, draft, *typed))
    assert saved["answer"]["value"] == original.answer
    assert saved["faults"].startswith("The checks find no fault")
    reply = page.choose_kind(draft, *sent(saved, kind="counterfactual"))
    assert reply[1]["info"].startswith("Change one fact")
    assert dict(zip(FIELDS, reply[2:], strict=False))["answer"]["interactive"] is True


def test_a_counterfactual_is_checked_sent_taken_back_and_discarded(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    page, cur = ItemDraftHandlers(Store(engine)), request(people["cur"])
    shown = form(page.load(request(people["cur"], draft=draft)))
    faulty = page.submit(cur, draft, *sent(shown, kind="counterfactual", options="x\ny\nz"))
    assert 'role="alert"' in faulty[0]
    found = form(faulty)
    assert "nothing is changed" in found["faults"]
    assert "the reason is empty" in found["faults"]
    assert found["options"]["value"].splitlines() == list(CHOICE.options), "they stay the original's"
    right = sent(found, **CHANGED["choice"], reason="a penicillin")
    told = form(page.save(cur, draft, *right))
    assert told["changed"]["value"] == [["pregnant", "allergic to penicillin"]]
    answer = page.submit(cur, draft, *sent(told))
    assert "The item is sent to review" in answer[0]
    assert f"/rounds/?template=item.{draft}&version=1" in form(answer)["facts"]
    assert form(answer)["context"]["interactive"] is False
    with pytest.raises(Conflict, match="was sent to review"):
        page.save(cur, draft, *sent(form(answer), question="late"))
    again = page.take_back(cur, draft)
    assert form(again)["context"]["interactive"] is True
    gone = page.discard(cur, draft)
    assert gone[1].startswith("No item draft yet."), "the list is empty"
    with pytest.raises(Conflict, match="was discarded"):
        page.save(cur, draft, *sent(form(again)))


def test_what_the_browser_should_not_send_is_refused_in_words(engine: Engine) -> None:
    people = items.closed_study(engine)
    draft = items.begun(engine, people["cur"], "choice")
    page, cur = ItemDraftHandlers(Store(engine)), request(people["cur"])
    shown = form(page.load(request(people["cur"], draft=draft)))
    for wrong in ({"kind": "other"}, {"revision": "many"}, {"reason": "x" * 2_001}, {"context": ["a"]}):
        with pytest.raises(InputError, match="Nothing was changed"):
            page.save(cur, draft, *sent(shown, **wrong))
    with pytest.raises(InputError, match="Choose a draft first"):
        page.save(cur, None, *sent(shown))
    with pytest.raises(InputError, match="there is no draft"):
        page.save(cur, "f" * 16, *sent(shown))
    with pytest.raises(Conflict, match="Somebody saved this draft"):
        page.save(cur, draft, *sent(shown, revision="7", question="mine"))
    clicked: Any = SimpleNamespace(row_value=["q", "open", "cur", "today", draft])
    assert page.select_row(clicked)[1] == draft
    assert 'role="alert"' in page.load(request(people["cur"], draft="<b>"))[0]


def test_a_failure_on_an_imported_question_offers_an_item_and_no_template(engine: Engine) -> None:
    people = items.closed_study(engine)
    page, cur = FailuresHandlers(Store(engine)), request(people["cur"])
    failure = items.failure_on(engine, "choice")
    shown = page.load(request(people["cur"], failure=failure.item))
    assert [one["visible"] for one in shown[-3:]] == [False, False, True]
    _, path = page.create_item("failures", failure.key, cur)
    assert path.startswith("/item-draft/?draft=")
    listed = page.load(request(people["cur"], failure=failure.item))
    assert path in listed[-5]
    assert "Paraphrase, open" in listed[-5]
    with pytest.raises(InputError, match="no template can be made"):
        page.create_template("failures", failure.key, cur)


def test_a_plain_number_offers_both(engine: Engine) -> None:
    numeric = CHOICE.model_copy(
        update={"scoring": "numeric", "answer_type": "number", "answer": "3", "options": ()}
    )
    people = items.closed_study(engine, (numeric,))
    failure = items.failure_on(engine, "choice")
    shown = FailuresHandlers(Store(engine)).load(request(people["cur"], failure=failure.item))
    assert [one["visible"] for one in shown[-3:]] == [True, False, True]
