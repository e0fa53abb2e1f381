"""The bank in the database: what comes with the program, versions that stand, and steps between statuses."""

import pytest
from sqlalchemy import Engine, select

from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, TemplateRow, UserRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.errors import Conflict, InputError
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template

PULSE = "arithmetic.pulse_pressure"


def _of_the_bank(template_id: str) -> Template:
    return next(one for one in named_bank("all") if one.id == template_id)


@pytest.fixture
def curator(engine: Engine) -> str:
    with writing(engine) as session:
        users.add_user(session, name="cora", role="curator", password=None)
        return str(session.scalars(select(UserRow.id)).one())


def test_what_comes_with_the_program_is_added_once(engine: Engine) -> None:
    with writing(engine) as session:
        assert template_versions.add_packaged_templates(session) == len(named_bank("all"))
    with writing(engine) as session:
        assert template_versions.add_packaged_templates(session) == 0
    with reading(engine) as session:
        assert template_versions.template_of(
            template_versions.find_version(session, PULSE, 1)
        ) == _of_the_bank(PULSE)


def test_a_version_known_from_a_benchmark_gets_its_content_and_keeps_its_status(engine: Engine) -> None:
    with writing(engine) as session:
        session.add(TemplateRow(template_id=PULSE, version=1, status="in_review", payload={}))
        session.flush()
        with pytest.raises(InputError, match="known from a benchmark only"):
            template_versions.template_of(template_versions.find_version(session, PULSE, 1))
        template_versions.add_packaged_templates(session)
        row = template_versions.find_version(session, PULSE, 1)
        assert (row.status, row.operation) == ("in_review", "arithmetic")
        assert template_versions.template_of(row).wording == _of_the_bank(PULSE).wording
        assert template_versions.add_packaged_templates(session) == 0


def test_other_content_under_the_same_version_is_refused(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        other = _of_the_bank(PULSE).model_copy(update={"wording": ("What else?",)})
        with pytest.raises(Conflict, match="other content"):
            template_versions.add_templates(session, [other])


def test_a_draft_is_rewritten_and_nothing_else_is(engine: Engine, curator: str) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        draft = _of_the_bank(PULSE).model_copy(update={"version": 2, "status": "draft"})
        assert template_versions.next_version(session, PULSE) == 2
        template_versions.put_version(session, draft, author=curator)
        again = draft.model_copy(update={"wording": ("How far apart are the two pressures at {time}?",)})
        row = template_versions.put_version(session, again, author=curator)
        assert template_versions.template_of(row).wording == again.wording
        assert "how far apart" in row.words
        template_versions.set_status(session, row, "in_review", actor=curator, why={})
        with pytest.raises(Conflict, match=r"version 2 is in_review .* give the change version 3"):
            template_versions.put_version(session, draft, author=curator)


def test_only_steps_that_exist_are_taken_and_each_is_logged(engine: Engine, curator: str) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        row = template_versions.find_version(session, PULSE, 1)
        with pytest.raises(Conflict, match="unreviewed and cannot become validated"):
            template_versions.set_status(session, row, "validated", actor=curator, why={})
        for status in ("in_review", "validated", "retired"):
            template_versions.set_status(session, row, status, actor=curator, why={"note": "tried"})
        with pytest.raises(Conflict, match="nothing else"):
            template_versions.set_status(session, row, "in_review", actor=curator, why={})
        draft = _of_the_bank(PULSE).model_copy(update={"version": 2, "status": "draft"})
        put_aside = template_versions.put_version(session, draft, author=curator)
        with pytest.raises(Conflict, match="from there it goes to in review or retired"):
            template_versions.set_status(session, put_aside, "validated", actor=curator, why={})
        template_versions.set_status(session, put_aside, "retired", actor=curator, why={})
    with reading(engine) as session:
        logged = [row.after for row in session.scalars(select(AuditRow)) if row.action == "template_status"]
    assert [after and after["status"] for after in logged] == ["in_review", "validated", "retired", "retired"]


def test_a_version_stored_without_a_field_that_has_a_default_is_the_same_one(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        row = template_versions.find_version(session, PULSE, 1)
        row.payload = {name: value for name, value in row.payload.items() if name != "example"}
    with writing(engine) as session:
        assert template_versions.add_packaged_templates(session) == 0
        template_versions.find_version(session, PULSE, 1).payload = {
            "id": PULSE,
            "mood": "of a later program",
        }
    with writing(engine) as session, pytest.raises(Conflict, match="other content"):
        template_versions.add_packaged_templates(session)
