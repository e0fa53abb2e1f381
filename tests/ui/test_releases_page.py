"""The releases page's handlers on a real database, called as the page calls them."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Engine, func, select

from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, Row
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.pages.releases import view
from clinicnum.ui.pages.releases.page import ReleaseForm, ReleasesHandlers
from tests.db.examples import add_users, open_study
from tests.db.test_annotate import first, submit
from tests.db.test_contests import AMBIGUOUS, answered, sums

SUM = "arithmetic.bp_sum"


@dataclass
class Request:
    """The part of Gradio's request that the handlers read."""

    username: str


@pytest.fixture
def curator(engine: Engine) -> Any:
    """A curator, the bank, and a model with six failures on one template, one of them contested."""
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
        made = users.add_user(session, name="cora", role="curator", password=None)
    (ann, *_) = add_users(engine)
    open_study(engine, answered(sums(), {"tiny": False}))
    submit(engine, ann.user_id, first(engine, ann.user_id), AMBIGUOUS)
    return Request(made.user_id)


def fields(**given: Any) -> tuple[Any, ...]:
    """The form's values as the browser sends them."""
    filled = {"name": "ward-1", "include_unreviewed": True, "leave_out": [SUM], "licence": "", **given}
    empty = {"date": "", "notes": "", "authors": ""}
    return tuple({**empty, **filled}[name] for name in ReleaseForm.model_fields)


def stored(engine: Engine) -> list[int]:
    with reading(engine) as session:
        tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
        return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def test_a_release_is_previewed_published_as_shown_and_listed(engine: Engine, curator: Any) -> None:
    page = ReleasesHandlers(Store(engine))
    _, ready, leave_out, _, _, published, _ = page.load()
    assert (ready, published["value"]) == ("Ready: 0 templates, of which 0 validated.", [])
    _, _, leave_out, *_ = page.include(True, [SUM, "no such template"])
    why = "version 1 has an open contest in study six: decide it, or leave the template out"
    assert leave_out["choices"] == [(f"{SUM}: {why}", SUM)]
    assert (leave_out["value"], leave_out["visible"]) == ([SUM], True)
    before = stored(engine)
    with pytest.raises(ClinicnumError, match=f"{SUM} version 1 has an open contest"):
        page.preview(*fields(leave_out=[]))
    said, shown, heading, sha256, changelog = page.preview(*fields())
    assert (said, shown["visible"]) == ("", True)
    assert heading.startswith("### Preview of ward-1\n")
    assert changelog.startswith("# ward-1\n")
    with pytest.raises(ClinicnumError, match="nothing was published"):
        page.publish("0" * 64, *fields(), curator)
    with pytest.raises(ClinicnumError, match="nothing was published"):
        page.publish(sha256, *fields(notes="another"), curator)
    assert stored(engine) == before
    said, shown, *_, published = page.publish(sha256, *fields(), curator)
    assert "Release ward-1 is published" in said
    assert shown["visible"] is False
    assert [(row[0], row[-1]) for row in published["value"]] == [("ward-1", sha256)]
    with reading(engine) as session:
        rows = session.scalars(select(AuditRow)).all()
        assert [one.actor for one in rows if one.action == "publish_release"] == [curator.username]
    assert view.KNOWN in page.preview(*fields())[0]
    assert view.KNOWN in page.publish(sha256, *fields(), curator)[0]
    with pytest.raises(ClinicnumError, match="take another name"):
        page.preview(*fields(notes="other"))


def test_the_bank_is_tried_on_stored_runs(engine: Engine, curator: Any) -> None:
    page = ReleasesHandlers(Store(engine))
    benchmark = page.load()[-1]["value"]
    _, summary, effects, changes, turned = page.regress(benchmark, True, [SUM])
    assert summary["value"] == "- 6 withdrawn: not in the new bank"
    none = "undefined: no question is left"
    scored = "0.0 % (no interval: 2 subjects; an interval needs at least 5, n = 6)"
    # Its study is open, so nobody is told which model it is.
    assert effects["value"] == [["Model 1", scored, none, none, "6", "0", "0 to right, 0 to wrong"]]
    assert (len(changes["value"]), changes["label"]) == (6, "Instances that change: 6")
    assert turned["visible"] is False
    with pytest.raises(InputError, match="scored run on benchmark 'none'"):
        page.regress("none", True, [SUM])


HOSTILE: dict[str, dict[str, Any]] = {
    "a name that leads elsewhere": {"name": "../../x"},
    "a name of markup": {"name": "<b>x</b>"},
    "a name that is none": {"name": ["ward-1"]},
    "a day that is none": {"date": "2026-02-30"},
    "a template that is none": {"leave_out": [SUM, "<img>"]},
    "templates that are none": {"leave_out": {"a": 1}},
    "a choice that is none": {"include_unreviewed": "perhaps"},
    "a text without end": {"notes": "x" * 5_001},
}


def test_a_hostile_form_gets_one_line_and_changes_nothing(engine: Engine, curator: Any) -> None:
    page, before = ReleasesHandlers(Store(engine)), stored(engine)
    for case, given in HOSTILE.items():
        for call in (page.preview, lambda *form: page.publish("0" * 64, *form, curator)):
            with pytest.raises(ClinicnumError) as refused:
                call(*fields(**given))
            assert "\n" not in str(refused.value), case
    for benchmark in (None, "", 7, ["x"], "x" * 300):
        with pytest.raises(ClinicnumError):
            page.regress(benchmark, True, [])
    assert stored(engine) == before
