"""Releases in the database: what is ready, published for good, and traced."""

import re
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, DraftRow, ReleaseRow, ReleaseTemplateRow, TemplateRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import drafts
from clinicnum.db.work.release import releases
from clinicnum.db.work.release.release_evidence_and_origins import load_reasons
from clinicnum.db.work.release.releases import ReleaseOptions, list_releases, load_release, plan_release
from clinicnum.db.work.release.template_readiness import template_readiness
from clinicnum.db.work.release.template_trace import trace_template
from clinicnum.errors import Conflict, InputError
from clinicnum.templates.packaged_banks import named_bank
from tests.clinicnum.releasing import PULSE
from tests.db.publishing import ME, publish, stock, version_two

ALL = ReleaseOptions(name="all-1", include_unreviewed=True)


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    """The banks that come with the program."""
    return stock(engine)


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
    other = ReleaseOptions(name="all-1", include_unreviewed=True, notes="better")
    with (
        writing(stocked) as session,
        pytest.raises(Conflict, match=r"other content .*CHANGELOG\.md.*another name"),
    ):
        publish(session, other, actor=ME)
    with reading(stocked) as session:
        assert session.get_one(ReleaseRow, "all-1").sha256 == first.manifest.sha256


def test_only_what_may_be_asked_goes_in_and_the_others_say_why_not(stocked: Engine) -> None:
    with writing(stocked) as session:
        template_versions.add_templates(session, [version_two("draft")])
        for name, status in {"arithmetic.bp_sum": "in_review", "arithmetic.map": "retired"}.items():
            session.get_one(TemplateRow, (name, 1)).status = status
        session.add(TemplateRow(template_id="seen.only", version=3, status="unreviewed", payload={}))
        session.flush()
        with pytest.raises(InputError, match="no template is ready"):
            plan_release(session, ReleaseOptions(name="none-1"))
        found = {one.template_id: one for one in template_readiness(session, include_unreviewed=True)}
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
        template_versions.add_templates(session, [version_two("unreviewed")])
        session.get_one(TemplateRow, ("arithmetic.map", 1)).status = "in_review"
        session.flush()
        second = publish(session, ReleaseOptions(name="all-2", include_unreviewed=True), actor=ME)
    assert second.manifest.before is not None
    assert second.manifest.before.name == "all-1"
    assert "Against all-1: 0 added, 1 changed, 1 no longer in it" in second.changelog
    assert f"`{PULSE}` version 1 (unreviewed), now 2 (unreviewed)" in second.changelog
    assert "How far apart are they at {time}?" in second.changelog
    with writing(stocked) as session:
        # It is compared with what it was compared with, not with itself.
        assert publish(session, ReleaseOptions(name="all-2", include_unreviewed=True), actor=ME).known


def test_a_template_that_nobody_knows_cannot_be_left_out_or_traced(stocked: Engine) -> None:
    with reading(stocked) as session:
        with pytest.raises(InputError, match=r"cannot leave out arithmetic\.none"):
            plan_release(
                session, ReleaseOptions(name="x", include_unreviewed=True, leave_out=("arithmetic.none",))
            )
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


def test_drafts_that_are_not_in_a_release_neither_explain_nor_change_it(stocked: Engine) -> None:
    with writing(stocked) as session:
        first = publish(session, ALL)
        template_versions.add_templates(session, [version_two("draft")])
        cora = users.add_user(session, name="cora", role="curator", password=None).user_id
        for version, status in ((2, "submitted"), (2, "discarded"), (1, "open"), (1, "discarded")):
            row = session.get_one(
                DraftRow, drafts.begin(session, author=cora, content={}, provokes="omission")
            )
            row.status, row.template_id, row.version = status, PULSE, version
        session.flush()
    with writing(stocked) as session:
        other = plan_release(
            session, ReleaseOptions(name="all-2", include_unreviewed=True, leave_out=(PULSE,))
        )
        again = publish(session, ALL)
    assert f"`{PULSE}` version 1" in other.changelog
    assert "why:" not in other.changelog
    assert (again.known, again.files) == (True, first.files)


def test_the_same_order_is_the_same_release_whatever_would_explain_it_now(stocked: Engine) -> None:
    order = ReleaseOptions(
        name="all-1", include_unreviewed=True, notes="First.", authors=("A", "B"), date="2026-11-22"
    )
    with writing(stocked) as session:
        first = publish(session, order)
        cora = users.add_user(session, name="cora", role="curator", password=None).user_id
        row = session.get_one(DraftRow, drafts.begin(session, author=cora, content={}, provokes="omission"))
        row.status, row.template_id, row.version = "submitted", PULSE, 1
        session.flush()
    with reading(stocked) as session:
        again = plan_release(session, order)
        assert load_reasons(session, {(PULSE, 1)}) == {PULSE: "should provoke omission"}
        others: dict[str, dict[str, Any]] = {
            "the templates": {"leave_out": (PULSE,)},
            "CHANGELOG.md": {"notes": "First. And more."},
            "CITATION.cff": {"authors": ("A",)},
            "CHANGELOG.md, CITATION.cff": {"date": None},
        }
        for named, changed in others.items():
            with pytest.raises(Conflict, match=f"other are .*{re.escape(named)}"):
                plan_release(session, replace(order, **changed))
    assert (again.known, again.files, again.manifest) == (True, first.files, first.manifest)


def test_what_was_planned_is_published_only_while_the_bank_is_as_it_was(stocked: Engine) -> None:
    with reading(stocked) as session:
        planned = plan_release(session, ALL)
        rival = plan_release(session, ReleaseOptions(name="all-0", include_unreviewed=True))
    with writing(stocked) as session:
        session.get_one(TemplateRow, (PULSE, 1)).status = "in_review"
    for one in (planned, rival):
        with writing(stocked) as session, pytest.raises(Conflict, match="bank has changed since"):
            releases.publish(session, one, actor=ME)
    with writing(stocked) as session:
        session.get_one(TemplateRow, (PULSE, 1)).status = "unreviewed"
        session.flush()
        releases.publish(session, rival, actor=ME)
        with pytest.raises(Conflict, match="bank has changed since the release all-1 was planned"):
            releases.publish(session, planned, actor=ME)
        assert [one.name for one in list_releases(session)] == ["all-0"]


def test_golds_are_compared_before_the_database_is_locked(
    stocked: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing(stocked) as session:
        publish(session, ALL)
        template_versions.add_templates(
            session, [version_two("unreviewed", "How far apart are the two at {time}?")]
        )
    with reading(stocked) as session:
        planned = plan_release(session, ReleaseOptions(name="all-2", include_unreviewed=True))

    def refused(*_: object, **__: object) -> NoReturn:
        raise AssertionError("made anew while writing")

    monkeypatch.setattr(releases, "make_release", refused)
    monkeypatch.setattr(releases, "load_templates", refused)
    with writing(stocked) as session:
        releases.publish(session, planned, actor=ME)
    with reading(stocked) as session:
        assert [one.name for one in list_releases(session)] == ["all-2", "all-1"]
