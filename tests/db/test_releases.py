"""Releases in the database: what is ready, published for good, brought in from elsewhere, and traced."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.errors import Conflict, InputError
from clinicnum.templates.banks import named_bank
from clinicnum.templates.release import Included, Wanted, make_release, read_release
from clinicnum.templates.release.facts import VALIDATION
from clinicnum.templates.template import Template
from db.engine import reading, writing
from db.rows import AuditRow, DraftRow, ReleaseRow, ReleaseTemplateRow, TemplateRow
from db.work import bank, drafts, users
from db.work.bank_import import import_release, import_templates
from db.work.releases import (
    Order,
    askable_templates,
    list_releases,
    load_release,
    plan_release,
    publish,
    standings,
)
from db.work.tracing import trace_template
from tests.clinicnum.releasing import EVIDENCE, ORIGIN, PULSE, included, made, write

ME = "command line"
ALL = Order(name="all-1", include_unreviewed=True)


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    """The banks that come with the program."""
    with writing(engine) as session:
        bank.keep_packaged(session)
    return engine


def version_two(status: str = "validated", wording: str = "How far apart are they at {time}?") -> Template:
    found = next(one for one in named_bank("base") if one.id == PULSE)
    changed = {"version": 2, "status": status, "wording": (wording,)}
    return Template.model_validate(found.model_dump(mode="json") | changed)


def test_published_twice_it_is_one_release_and_written_out_byte_for_byte(stocked: Engine) -> None:
    with writing(stocked) as session:
        first = publish(session, ALL, actor=ME)
    with writing(stocked) as session:
        again = publish(session, ALL, actor=ME)
        session.get_one(TemplateRow, (PULSE, 1)).status = "in_review"
    assert (first.known, again.known) == (False, True)
    assert again.files == first.files
    with reading(stocked) as session:
        assert load_release(session, "all-1").files == first.files
        (listed,) = list_releases(session)
        assert (listed.sha256, listed.templates) == (first.manifest.sha256, len(named_bank("all")))
        held = session.scalars(select(ReleaseTemplateRow)).all()
        assert len(held) == len(named_bank("all"))
        actions = [one for one in session.scalars(select(col(AuditRow.action))) if one == "publish_release"]
        assert actions == ["publish_release"]


def test_the_same_name_with_other_content_is_refused_and_changes_nothing(stocked: Engine) -> None:
    with writing(stocked) as session:
        first = publish(session, ALL, actor=ME)
    other = Order(name="all-1", include_unreviewed=True, notes="better")
    with (
        writing(stocked) as session,
        pytest.raises(Conflict, match=r"other content .*CHANGELOG\.md.*another name"),
    ):
        publish(session, other, actor=ME)
    with reading(stocked) as session:
        assert session.get_one(ReleaseRow, "all-1").sha256 == first.manifest.sha256


def test_only_what_may_be_asked_goes_in_and_the_others_say_why_not(stocked: Engine) -> None:
    with writing(stocked) as session:
        bank.keep_templates(session, [version_two("draft")])
        for name, status in {"arithmetic.bp_sum": "in_review", "arithmetic.map": "retired"}.items():
            session.get_one(TemplateRow, (name, 1)).status = status
        session.add(TemplateRow(template_id="seen.only", version=3, status="unreviewed", payload={}))
        session.flush()
        with pytest.raises(InputError, match="no template is ready"):
            plan_release(session, Order(name="none-1"))
        found = {one.template_id: one for one in standings(session, include_unreviewed=True)}
        planned = plan_release(session, ALL)
    assert found[PULSE].ready
    assert found[PULSE].why == "version 2 is draft and stays out"
    assert found["arithmetic.bp_sum"].why == "in review"
    assert found["arithmetic.map"].why == "retired"
    assert found["seen.only"].why.startswith("known from a benchmark only")
    names = {one.id for one in planned.manifest.templates}
    assert names.isdisjoint({"arithmetic.bp_sum", "arithmetic.map", "seen.only"})
    assert {(one.id, one.version) for one in planned.manifest.templates if one.id == PULSE} == {(PULSE, 1)}


def test_the_next_release_is_compared_with_the_last_one(stocked: Engine) -> None:
    with writing(stocked) as session:
        publish(session, ALL, actor=ME)
        bank.keep_templates(session, [version_two("unreviewed")])
        session.get_one(TemplateRow, ("arithmetic.map", 1)).status = "in_review"
        session.flush()
        second = publish(session, Order(name="all-2", include_unreviewed=True), actor=ME)
    assert second.manifest.before is not None
    assert second.manifest.before.name == "all-1"
    assert "Against all-1: 0 added, 1 changed, 1 no longer in it" in second.changelog
    assert f"`{PULSE}` version 1 (unreviewed), now 2 (unreviewed)" in second.changelog
    assert "How far apart are they at {time}?" in second.changelog
    with writing(stocked) as session:
        # It is compared with what it was compared with, not with itself.
        assert publish(session, Order(name="all-2", include_unreviewed=True), actor=ME).known


def test_what_a_file_calls_validated_enters_unreviewed_and_a_draft_does_not(stocked: Engine) -> None:
    other = version_two("retired").model_copy(update={"version": 3})
    first = next(one for one in named_bank("base") if one.id == PULSE)
    with writing(stocked) as session:
        brought = import_templates(session, [first, version_two("validated"), other], actor=ME)
        left_out = import_templates(
            session, [first, version_two("draft").model_copy(update={"version": 4})], actor=ME
        )
    assert [(one.version, one.status, one.new) for one in brought] == [
        (1, "unreviewed", False),
        (2, "unreviewed", True),
        (3, "retired", True),
    ]
    assert brought[1].said == "unreviewed: it is called validated, but comes without evidence"
    assert left_out[1].said == "left out: a draft is not for a bank"
    with writing(stocked) as session, pytest.raises(Conflict, match="other content"):
        import_templates(session, [version_two(wording="What else at {time}?")], actor=ME)
    with reading(stocked) as session:
        newest = {one.id: one.version for one in askable_templates(session)}
        assert newest[PULSE] == 2


def test_a_release_brings_its_validated_templates_and_their_evidence(engine: Engine, tmp_path: Path) -> None:
    release = read_release(write(tmp_path / "ward-1", made()))
    with writing(engine) as session:
        brought = import_release(session, release, actor=ME)
        assert {one.template_id: one.status for one in brought}[PULSE] == "validated"
        again = import_release(session, release, actor=ME)
        assert not any(one.new for one in again)
        mine = publish(session, Order(name="mine-1"), actor=ME)
    (entry,) = mine.manifest.templates
    assert (entry.id, entry.reviewed_by, entry.origins) == (PULSE, EVIDENCE.experts, (ORIGIN,))
    assert '"worked_matched": 9' in mine.files[VALIDATION]
    with reading(engine) as session:
        assert load_release(session, "ward-1").files == release.files
        (version,) = trace_template(session, PULSE).versions
    assert [name for name, _ in version.releases] == ["ward-1", "mine-1"]
    assert version.origins == (ORIGIN,)


def test_another_release_under_a_name_that_is_here_is_refused_whole(engine: Engine, tmp_path: Path) -> None:
    with writing(engine) as session:
        import_release(session, read_release(write(tmp_path / "one", made())), actor=ME)
    other = make_release([*included(PULSE), Included(named_bank("base")[0])], Wanted(name="ward-1"))
    with writing(engine) as session, pytest.raises(Conflict, match="is here with other content"):
        import_release(session, read_release(write(tmp_path / "two", other)), actor=ME)
    with reading(engine) as session:
        assert len(list_releases(session)) == 1


def test_a_template_that_nobody_knows_cannot_be_left_out_or_traced(stocked: Engine) -> None:
    with reading(stocked) as session:
        with pytest.raises(InputError, match=r"cannot leave out arithmetic\.none"):
            plan_release(session, Order(name="x", include_unreviewed=True, leave_out=("arithmetic.none",)))
        with pytest.raises(InputError, match=r"no arithmetic\.none"):
            trace_template(session, "arithmetic.none")
        with pytest.raises(InputError, match=f"no {PULSE} version 7"):
            trace_template(session, PULSE, 7)
        with pytest.raises(InputError, match="no release 'none'; there are: none yet"):
            load_release(session, "none")


def test_what_curators_note_on_a_draft_does_not_leave_the_house(stocked: Engine) -> None:
    with writing(stocked) as session:
        cora = users.add_user(session, name="cora", role="curator", password=None).user_id
        draft = drafts.begin(
            session, author=cora, content={}, note="answered 83 where 97 is right", provokes="omission"
        )
        row = session.get_one(DraftRow, draft)
        row.status, row.template_id, row.version = "submitted", PULSE, 1
        session.flush()
        made = publish(session, ALL, actor=ME)
    assert "why: should provoke omission" in made.changelog
    for name, content in made.files.items():
        assert "97 is right" not in content, name
        assert "cora" not in content, name
