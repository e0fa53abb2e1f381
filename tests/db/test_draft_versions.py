"""What a draft becomes: under its id, with all who wrote it, over no version that nobody compared it with."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.curation.drafts import OvertakenDraft, StaleDraft
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import draft_rebase, drafts, from_failure
from clinicnum.db.work.review import reviewable_versions
from clinicnum.db.work.review.review_queries import authors_of
from clinicnum.errors import Conflict, InputError
from clinicnum.templates.parse_template import content_of
from tests.db.reviewing import PULSE, make_people, of_the_bank

GAP = "arithmetic.gap"


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    with writing(engine) as session:
        template_versions.add_templates(session, [of_the_bank(PULSE)])
    return make_people(engine)


def saying(template_id: str, said: str) -> dict[str, Any]:
    return {**content_of(of_the_bank(PULSE)), "id": template_id, "source": said}


def begun(engine: Engine, author: str, content: dict[str, Any], **more: Any) -> str:
    with writing(engine) as session:
        return drafts.begin(session, author=author, content=content, **more)


def next_of(engine: Engine, author: str, template_id: str = PULSE, version: int = 1) -> str:
    with writing(engine) as session:
        return from_failure.begin_next_version(
            session, actor=author, template_id=template_id, version=version
        )


def sent(engine: Engine, draft: str, actor: str, **fields: Any) -> tuple[str, int]:
    """Saved with these fields and sent."""
    with writing(engine) as session:
        found = drafts.load(session, draft)
        revision = drafts.save(
            session,
            draft_id=draft,
            revision=found.summary.revision,
            content={**found.content, **fields},
            actor=actor,
        )
        return drafts.submit(session, draft_id=draft, revision=revision, actor=actor)


def back(engine: Engine, draft: str, actor: str) -> None:
    with writing(engine) as session:
        drafts.take_back(session, draft_id=draft, actor=actor)


def wrote(engine: Engine, people: dict[str, str], of_it: tuple[str, int]) -> set[str]:
    with reading(engine) as session:
        authors = authors_of(session, *of_it)
    return {name for name, user_id in people.items() if user_id in authors}


def stand(engine: Engine, of_it: tuple[str, int], *steps: Any) -> str:
    """The status of a version, after these steps."""
    with writing(engine) as session:
        row = session.get_one(TemplateRow, of_it)
        for step in steps:
            template_versions.set_status(session, row, step, actor="command line", why={})
        return row.status


def test_a_draft_equal_to_its_parent_and_a_copy_of_another_are_refused(
    engine: Engine, people: dict[str, str]
) -> None:
    unchanged = next_of(engine, people["cora"])
    with pytest.raises(Conflict, match=f"version 1 of {PULSE} says just the same; change something"):
        sent(engine, unchanged, people["cora"])
    copy = begun(engine, people["cora"], {**content_of(of_the_bank(PULSE)), "id": GAP})
    with pytest.raises(Conflict, match=f"version 1 of {PULSE} says just the same; use it instead of {GAP}"):
        sent(engine, copy, people["cora"])
    assert sent(engine, copy, people["cora"], source="another source") == (GAP, 1)


def test_a_draft_that_was_sent_keeps_its_id_and_a_new_one_keeps_all_who_wrote_it(
    engine: Engine, people: dict[str, str]
) -> None:
    draft = begun(engine, people["cora"], saying(GAP, "cora's"))
    assert sent(engine, draft, people["carl"], source="carl's") == (GAP, 1)
    back(engine, draft, people["cora"])
    with pytest.raises(Conflict, match=r"sent as arithmetic\.gap version 1 .* begin a new draft"):
        sent(engine, draft, people["cora"], id="arithmetic.gap_b")
    assert wrote(engine, people, (GAP, 1)) == {"cora", "carl"}
    with writing(engine) as session:
        content = saying("arithmetic.gap_b", "root's")
        fork = draft_rebase.begin_from(session, author=people["root"], draft_id=draft, content=content)
    became = sent(engine, fork, people["root"])
    assert became == ("arithmetic.gap_b", 1)
    assert wrote(engine, people, became) == {"cora", "carl", "root"}


def test_who_wrote_a_version_does_not_review_the_next_ones(engine: Engine, people: dict[str, str]) -> None:
    first = sent(engine, begun(engine, people["cora"], saying(GAP, "cora's")), people["cora"])
    second = sent(engine, next_of(engine, people["carl"], *first), people["carl"], source="carl's")
    third = sent(engine, next_of(engine, people["root"], *second), people["root"], source="root's")
    assert third == (GAP, 3)
    assert wrote(engine, people, third) == {"cora", "carl", "root"}
    assert wrote(engine, people, first) == {"cora"}


def test_of_two_drafts_of_one_version_the_second_goes_on_from_the_first(
    engine: Engine, people: dict[str, str]
) -> None:
    hers, his = next_of(engine, people["cora"]), next_of(engine, people["carl"])
    became = sent(engine, hers, people["cora"], source="cora mended it")
    stand(engine, became, "in_review", "validated")
    with pytest.raises(OvertakenDraft, match=r"^version 2 of .* was added since .* go on from it$"):
        sent(engine, his, people["carl"])
    with writing(engine) as session:
        with pytest.raises(InputError, match="not the newest"):
            draft_rebase.rebase(session, draft_id=his, revision=1, version=3, actor=people["carl"])
        with pytest.raises(OvertakenDraft):
            draft_rebase.rebase(session, draft_id=his, revision=1, version=1, actor=people["carl"])
        with pytest.raises(StaleDraft):
            draft_rebase.rebase(session, draft_id=his, revision=9, version=2, actor=people["carl"])
        draft_rebase.rebase(session, draft_id=his, revision=1, version=2, actor=people["carl"])
    with reading(engine) as session:
        assert drafts.load(session, his).base == (PULSE, 2)
        assert all(check.broken_at is None for check in verify_chain(session))
    third = sent(engine, his, people["carl"], source="carl's, after looking")
    assert third == (PULSE, 3)
    assert wrote(engine, people, third) == {"cora", "carl"}


def test_a_draft_that_came_back_and_goes_on_from_a_newer_version_leaves_none_waiting(
    engine: Engine, people: dict[str, str]
) -> None:
    hers, his = next_of(engine, people["cora"]), next_of(engine, people["carl"])
    first = sent(engine, hers, people["cora"], source="cora's")
    second = sent(engine, his, people["carl"], source="carl's")
    assert (first, second) == ((PULSE, 2), (PULSE, 3))
    back(engine, hers, people["cora"])
    stand(engine, second, "in_review", "validated")
    with pytest.raises(OvertakenDraft):
        sent(engine, hers, people["cora"])
    with writing(engine) as session:
        draft_rebase.rebase(session, draft_id=hers, revision=2, version=3, actor=people["cora"])
    assert sent(engine, hers, people["cora"]) == (PULSE, 4)
    assert stand(engine, first) == "retired"


def test_another_question_does_not_take_an_id_of_the_bank(engine: Engine, people: dict[str, str]) -> None:
    draft = begun(engine, people["cora"], saying(PULSE, "another"))
    with pytest.raises(InputError, match=r"in the bank already \(version 1\); choose another id"):
        sent(engine, draft, people["cora"])
    with writing(engine) as session, pytest.raises(InputError, match="not the newest"):
        draft_rebase.rebase(session, draft_id=draft, revision=1, version=1, actor=people["cora"])
    assert sent(engine, draft, people["cora"], id=GAP) == (GAP, 1)


def test_the_version_of_a_discarded_draft_does_not_wait_for_its_review(
    engine: Engine, people: dict[str, str]
) -> None:
    draft = begun(engine, people["cora"], saying(GAP, "cora's"))
    became = sent(engine, draft, people["cora"])
    back(engine, draft, people["cora"])
    with writing(engine) as session:
        drafts.discard(session, draft_id=draft, actor=people["cora"])
    with reading(engine) as session:
        assert session.get_one(TemplateRow, became).status == "retired"
        assert reviewable_versions.waiting_versions(session) == ()
        assert all(check.broken_at is None for check in verify_chain(session))
