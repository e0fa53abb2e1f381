"""The bank as it is browsed: searched, ordered, opened, retired."""

from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.annotations.curation.bank_page_types import VersionPage, VersionSearch
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, TemplateRow
from clinicnum.db.work.bank import browse_bank, template_health, template_versions
from clinicnum.db.work.drafts import drafts, from_failure
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.db.adjudicating import add_role
from tests.db.curating import TEMPLATES, add_graded, closed_study, is_right, of_the_bank, upheld

SUM, PULSE, SHOCK = TEMPLATES


def found(engine: Engine, **search: Any) -> VersionPage:
    with reading(engine) as session:
        return browse_bank.list_versions(session, VersionSearch.model_validate(search))


def names(engine: Engine, **search: Any) -> list[str]:
    return [one.template_id for one in found(engine, **search).rows]


def test_words_operation_status_and_tag_narrow_what_is_listed(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
        session.add(TemplateRow(template_id="elsewhere_%", version=1, status="retired", payload={}))
    assert names(engine) == [SUM, PULSE, SHOCK]
    assert names(engine, text="Systolic MINUS") == [PULSE]
    assert names(engine, text="pulse_p") == [PULSE]
    assert names(engine, text="%") == []
    assert names(engine, text="%", status="retired") == ["elsewhere_%"]
    assert names(engine, text="\x00") == [SUM, PULSE, SHOCK]
    assert names(engine, tag="mechanical") == [SUM]
    assert names(engine, tag="mechan") == []
    assert names(engine, operation="comparison") == []
    assert names(engine, operation="arithmetic", status="unreviewed") == [SUM, PULSE, SHOCK]
    assert found(engine, page=9).page == 1


def test_what_deserves_a_look_comes_first_and_what_has_no_figure_last(engine: Engine) -> None:
    add_graded(engine, 12)
    with writing(engine) as session:
        session.add(TemplateRow(template_id="a.never_asked", version=1, status="draft", payload={}))
        template_health.store_health(session, template_health.compute_health(session))
    right = {
        name: sum(is_right(run, 4 * t + k) for run in range(12) for k in range(4))
        for t, name in enumerate(TEMPLATES)
    }
    assert names(engine)[0] == "a.never_asked"
    assert names(engine, sort="accuracy") == [*sorted(right, key=lambda one: right[one]), "a.never_asked"]
    rows = found(engine, sort="discrimination").rows
    slopes = [one.health.discrimination.slope for one in rows[:3] if one.health]
    assert slopes == sorted(slopes, key=lambda slope: slope or 0)
    assert rows[3].health is None
    for sort in ("contests", "instances", "changed"):
        assert len(names(engine, sort=sort)) == 4
    assert names(engine, hard=True) == [one for one in TEMPLATES if right[one] / 48 < 0.5]


def test_contested_versions_are_found(engine: Engine) -> None:
    upheld(engine)
    with writing(engine) as session:
        template_health.store_health(session, template_health.compute_health(session))
    assert names(engine, contested=True) == [SUM]
    assert names(engine, sort="contests")[0] == SUM
    with reading(engine) as session:
        details = browse_bank.load_version(session, SUM, 1)
    assert [(use.study, use.labels) for use in details.uses] == [("six", 3)]
    assert [n for _, n in details.benchmarks] == [1]


def test_fifty_versions_make_a_page(engine: Engine) -> None:
    with writing(engine) as session:
        session.add_all(
            TemplateRow(template_id=f"retrieval.t{number:03}", version=1, status="draft", payload={})
            for number in range(120)
        )
    pages = [found(engine, page=page) for page in (1, 2, 3, 4)]
    assert [(one.found, one.page, len(one.rows)) for one in pages] == [
        (120, 1, 50),
        (120, 2, 50),
        (120, 3, 20),
        (120, 3, 20),
    ]
    assert pages[1].rows[0].template_id == "retrieval.t050"


def test_a_version_shows_what_it_came_from_and_what_became_of_it(engine: Engine) -> None:
    people = closed_study(engine)
    with writing(engine) as session:
        draft = from_failure.begin_next_version(session, actor=people["cur"], template_id=SUM, version=1)
    with reading(engine) as session:
        loaded = drafts.load(session, draft)
        details = browse_bank.load_version(session, SUM, 1)
    assert (loaded.base, loaded.content["version"], loaded.content["id"]) == ((SUM, 1), 2, SUM)
    assert details.template is not None
    assert [line.draft_id for line in details.drafts] == [draft]
    assert [(step.version, step.status) for step in details.versions] == [(1, "unreviewed")]
    assert (details.origins, details.rounds, details.releases) == ((), (), ())


def test_a_version_that_there_is_not_is_said(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    for template, version in (("none", 1), (SUM, 9), (SUM, 0), (SUM, 2**40), ("\x00", 1)):
        with reading(engine) as session, pytest.raises(InputError, match="bank has no"):
            browse_bank.load_version(session, template, version)


def test_retiring_takes_a_reason_and_the_right_and_is_logged(engine: Engine) -> None:
    people = closed_study(engine)
    about = {"template_id": SUM, "version": 1}
    with writing(engine) as session, pytest.raises(InputError, match="say why"):
        browse_bank.retire(session, **about, reason=" ", actor=people["cur"])  # type: ignore[arg-type]
    with writing(engine) as session, pytest.raises(NotAllowed):
        browse_bank.retire(session, **about, reason="old", actor=people["ann"])  # type: ignore[arg-type]
    with writing(engine) as session:
        browse_bank.retire(session, **about, reason=" a better one is there ", actor=people["cur"])  # type: ignore[arg-type]
    with writing(engine) as session, pytest.raises(Conflict, match="nothing else"):
        browse_bank.retire(session, **about, reason="again", actor=people["cur"])  # type: ignore[arg-type]
    with reading(engine) as session:
        logged = session.scalars(select(AuditRow).where(col(AuditRow.action) == "template_status")).all()
    assert [row.after and row.after["reason"] for row in logged] == ["a better one is there"]
    assert names(engine) == [PULSE, SHOCK]


def test_an_adjudicator_may_not_begin_a_version(engine: Engine) -> None:
    with writing(engine) as session:
        template_versions.add_templates(session, of_the_bank())
    ada = add_role(engine, "ada")
    with writing(engine) as session, pytest.raises(NotAllowed):
        from_failure.begin_next_version(session, actor=ada, template_id=SUM, version=1)
