"""A model stays masked until the study is closed and the last decision is made; what came later is marked."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from clinicnum.annotations.exports.decision_tables import adjudications_table, invalidations_table
from clinicnum.annotations.report.sections.grras_checklist import grras_section
from clinicnum.annotations.report.study_tables import StudyTables
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, StudyRow
from clinicnum.db.work.adjudication import contest_resolution
from clinicnum.db.work.changes.change_visibility import visibility_of
from clinicnum.db.work.common import curator_model_names
from clinicnum.db.work.studies import load_study_for_bundle, load_whole_study, study_changes, study_lifecycle
from clinicnum.db.work.studies.study_progress import study_details
from tests.db.adjudicating import OMISSION, decide_all, differing, next_of, own, take_over
from tests.db.examples import MODEL
from tests.db.faults import set_clock
from tests.db.tampering import by_force
from tests.db.test_adjudicate import revise
from tests.db.test_annotate import FINE
from tests.db.test_contests import about, contest, look


def close(engine: Engine) -> None:
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="six")


def tables(engine: Engine) -> StudyTables:
    with reading(engine) as session:
        return load_whole_study.load_study_tables(session, "six")


def blind(engine: Engine) -> list[bool | None]:
    return [one.blind for one in tables(engine).adjudications]


def names_models(session: Session) -> bool:
    return any(one.name == MODEL for one in curator_model_names.models_of_runs(session).values())


def test_a_closed_study_masks_its_model_until_the_last_decision(engine: Engine) -> None:
    people = differing(engine, wrong=2)
    close(engine)
    for _ in range(2):
        item = next_of(engine, people["ada"])
        assert item.answers[0].model is None
        assert MODEL not in item.text
        with reading(engine) as session:
            assert not names_models(session)
            assert study_details(session, "six").seed is None
            assert load_study_for_bundle.load_study_material(session, "six").opened.seed is None
            assert visibility_of(session, people["ada"], item.study_id)[1].annotators == {}
        take_over(engine, people["ada"], item)
    with reading(engine) as session:
        assert names_models(session)
        assert study_details(session, "six").seed == 0
        assert load_study_for_bundle.load_study_material(session, "six").opened.seed == 0
        assert visibility_of(session, people["ada"], item.study_id)[1].annotators
    assert blind(engine) == [True, True]


def test_a_study_with_nothing_to_decide_names_its_model_at_once(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    decide_all(engine, people["ada"])
    close(engine)
    with reading(engine) as session:
        assert names_models(session)


def test_a_decision_after_the_model_was_shown_is_marked_also_when_the_study_was_reopened(
    engine: Engine,
) -> None:
    people = differing(engine, wrong=1)
    decide_all(engine, people["ada"])
    close(engine)
    with writing(engine) as session:
        study_changes.reopen_study(session, name="six")
    revise(engine, people["eve"], "s0", FINE.model_copy(update={"rationale": "still fine"}))
    close(engine)
    item = next_of(engine, people["ada"])
    assert item.answers[0].model is None, "a decision is due again"
    own(engine, people["ada"], item, OMISSION)
    assert blind(engine) == [True, False]
    made = tables(engine)
    at = [one.name for one in adjudications_table(made.adjudications).fields].index("blind")
    assert [row[at] for row in adjudications_table(made.adjudications).rows] == [True, False]
    (row,) = [one for one in grras_section(StudyView(made)).tables[0].rows if one[0] == "8"]
    assert "made 2 decisions on labels and settled 0 contests; 1 of all these after the model" in str(row[4])


def test_a_clock_set_back_marks_no_decision_wrongly(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    people = differing(engine, wrong=1)
    decide_all(engine, people["ada"])
    set_clock(monkeypatch, timedelta(days=-2))
    close(engine)
    with writing(engine) as session:
        study_changes.reopen_study(session, name="six")
    revise(engine, people["eve"], "s0", FINE.model_copy(update={"rationale": "still fine"}))
    decide_all(engine, people["ada"])
    assert blind(engine) == [True, False]


def test_a_study_closed_by_an_earlier_version_showed_its_model_at_closing(engine: Engine) -> None:
    people = differing(engine, wrong=1)
    close(engine)
    by_force(engine, """UPDATE audit SET after = '{"status": "closed"}' WHERE action = 'close_study'""")
    decide_all(engine, people["ada"])
    assert blind(engine) == [False]


def test_an_open_contest_keeps_the_model_masked_and_says_so_once_it_is_decided(engine: Engine) -> None:
    people = contest(engine)
    close(engine)
    item = next_of(engine, people["ada"])
    found = look(engine, people["ada"], item)
    assert item.answers[0].model is None
    assert [one.model for one in found.effects] == ["Model 1"]
    with writing(engine) as session:
        contest_resolution.uphold(
            session, **about(people["ada"], item), scope="group", mark=found.mark, comment="by rule"
        )
    made = tables(engine)
    assert [one.blind for one in made.contests] == [True]
    names = [one.name for one in invalidations_table(made.invalidations).fields]
    assert [row[names.index("blind")] for row in invalidations_table(made.invalidations).rows] == [True]


def test_the_last_contest_shows_the_model_where_nothing_else_is_due(engine: Engine) -> None:
    people = contest(engine)
    decide_all(engine, people["ada"])
    close(engine)
    item = next_of(engine, people["ada"])
    assert (bool(item.claims), item.answers[0].model) == (True, None)
    with writing(engine) as session:
        contest_resolution.reject(session, **about(people["ada"], item), comment="the question is plain")
        shown = session.scalars(select(AuditRow).where(col(AuditRow.action) == "show_models")).one()
        assert shown.actor == people["ada"]
        assert session.scalars(select(StudyRow)).one().status == "closed"
        assert names_models(session)


def test_closing_names_what_is_due_contested_and_not_yet_judged_by_all(engine: Engine) -> None:
    contest(engine)
    with reading(engine) as session:
        note = study_details(session, "six").progress.closing_note()
    assert note == (
        "Not settled: 1 decision due, 1 open contest. "
        "Adjudicators can still decide; models stay masked until the last decision."
    )
