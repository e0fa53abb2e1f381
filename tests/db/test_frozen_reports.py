"""Reports are built by jobs and frozen, read by those who may, and compared after adjudication."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session

from clinicnum.annotations.bundle.archive import unpack
from clinicnum.annotations.bundle.verify import verify_bundle
from clinicnum.annotations.report.compare_reports import compare_reports
from clinicnum.annotations.report.study_view import StudyView
from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.api.sample_project import sample_material
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import FrozenReportRow, JobFileRow, JobRow
from clinicnum.db.work.accounts import users
from clinicnum.db.work.home import sample_project
from clinicnum.db.work.jobs import job_store
from clinicnum.db.work.jobs.job_claims import Attempt, JobLost, own_job
from clinicnum.db.work.reports import (
    frozen_reports,
    leaderboard,
    readable_studies,
    request_report,
    stored_bundles,
)
from clinicnum.db.work.runs.run_names import label_run, run_names
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.db.work.studies.study_lifecycle import close_study
from clinicnum.errors import InputError, NotAllowed
from clinicnum.scripts.commands.report import this_program
from tests.db.adjudicating import add_role, decide_all, differing
from tests.db.examples import material, open_study
from tests.db.reporting import build, work_off

SIX = ReportArguments(studies=("six",))


@pytest.fixture
def people(engine: Engine) -> dict[str, str]:
    """A study on which its annotators differ; a researcher and a curator besides."""
    found = differing(engine, wrong=3)
    roles = (("lead", "researcher"), ("cur", "curator"))
    return found | {name: add_role(engine, name, role) for name, role in roles}  # type: ignore[arg-type]


def listed(engine: Engine, user_id: str) -> list[tuple[str, int]]:
    with reading(engine) as session:
        return [(one.title, one.changes) for one in frozen_reports.list_frozen(session, user_id=user_id)]


def test_a_report_calls_a_run_what_people_call_it(engine: Engine, people: dict[str, str]) -> None:
    with writing(engine) as session:
        (run,) = run_names(session)
        label_run(session, run=run, label="The one we use")
    with reading(engine) as session:
        (shown,) = StudyView(load_study_tables(session, "six")).runs
    assert shown.name == "The one we use"


def test_a_report_is_frozen_and_shows_what_adjudication_changed(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    lead = people["lead"]
    before = build(engine, lead, tmp_path, "six", title="Before", sections=["taxonomy", "agreement"])
    same = build(engine, lead, tmp_path, "six", sections=["taxonomy", "agreement"])
    assert listed(engine, lead) == [("six", 0), ("Before", 0)]
    decide_all(engine, people["ada"])
    assert [changes for _, changes in listed(engine, lead)] == [3, 3]
    after = build(engine, lead, tmp_path, "six", title="After", sections=["taxonomy", "agreement"])
    with reading(engine) as session:
        of = {
            key: frozen_reports.frozen_report(session, user_id=lead, report_id=key)
            for key in (before, same, after)
        }
        reports = [
            frozen_reports.read_frozen(session, user_id=lead, report_id=key) for key in (before, after)
        ]
        names = frozen_reports.file_names(session, user_id=lead, report_id=before)
        assert [one.report_id for one in frozen_reports.every_report(session)] == [after, same, before]
        stored = frozen_reports.report_files(session, before)
        with pytest.raises(InputError, match="no report 'none'"):
            frozen_reports.report_files(session, "none")
    assert set(stored) == {one for one in names if not one.endswith(".zip")}
    assert of[before].sha256 == of[same].sha256 != of[after].sha256
    assert (of[after].changes, of[after].studies, of[after].created_by) == (0, ("six",), "lead")
    assert of[after].options["sections"] == ["taxonomy", "agreement"]
    changed = {one.table for one in compare_reports(*reports).tables}
    assert "failure_shares" in changed
    assert {"report.html", "report.xlsx", "severity.csv", "tables.zip", "latex.zip"} <= set(names)
    assert "accuracy_main.csv" not in names


def test_a_report_of_an_open_study_is_read_by_those_who_manage_studies_alone(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    report = build(engine, people["lead"], tmp_path, "six")

    def reads(name: str) -> bool:
        try:
            with reading(engine) as session:
                about = {"user_id": people[name], "report_id": report}
                assert frozen_reports.read_file(session, **about, name="report.html")
        except InputError:
            assert listed(engine, people[name]) == []
            return False
        return len(listed(engine, people[name])) == 1

    assert [name for name in ("lead", "ada", "cur") if reads(name)] == ["lead"]
    with reading(engine) as session, pytest.raises(NotAllowed):
        frozen_reports.read_file(session, user_id=people["ann"], report_id=report, name="report.html")
    with writing(engine) as session:  # an annotator of the open study in another role
        users.set_role(session, name="eve", role="researcher")
    assert not reads("eve")
    with writing(engine) as session, pytest.raises(NotAllowed, match="'six' is not open to you"):
        request_report.request_report(session, user_id=people["eve"], asked=SIX)
    with writing(engine) as session:
        close_study(session, name="six")
    assert [name for name in ("lead", "ada", "cur", "eve") if reads(name)] == ["lead", "eve"], "not decided"
    decide_all(engine, people["ada"])
    assert all(reads(name) for name in ("lead", "ada", "cur", "eve"))
    open_study(engine, material(run_id="other"), name="open", annotators=("ann",), overlap=1)
    build(engine, people["lead"], tmp_path, "six", "open", title="Both")
    assert len(listed(engine, people["ada"])) == 1
    assert len(listed(engine, people["lead"])) == 2


def test_what_cannot_be_built_is_refused_before_there_is_a_job(
    engine: Engine, people: dict[str, str]
) -> None:
    for user, arguments, error in (
        ("ada", {"studies": ["six"]}, NotAllowed),
        ("cur", {"studies": ["six"]}, NotAllowed),
        ("ann", {"studies": ["six"]}, NotAllowed),
        ("lead", {"studies": []}, InputError),
        ("lead", {"studies": ["none"]}, InputError),
        ("lead", {"studies": ["six", "six"]}, InputError),
        ("lead", {"studies": ["six"], "sections": ["x"]}, InputError),
        ("lead", {"studies": ["six"], "consensus": "x"}, InputError),
    ):
        with pytest.raises(error), writing(engine) as session:
            request_report.request_report(
                session, user_id=people[user], asked=ReportArguments.model_validate(arguments)
            )
    with reading(engine) as session:
        assert session.scalars(select(JobRow)).all() == []
        assert readable_studies.readable_studies(session, user_id=people["ada"]) == ()


def test_small_counts_leave_no_rows_and_two_studies_have_a_folder_each(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    lead = people["lead"]
    open_study(engine, material(run_id="other"), name="open", annotators=("ann",), overlap=1)
    both = build(engine, lead, tmp_path, "six", "open", suppress_below=5)
    with reading(engine) as session:
        names = frozen_reports.file_names(session, user_id=lead, report_id=both)
        packed = frozen_reports.read_file(session, user_id=lead, report_id=both, name="tables.zip")
        own = frozen_reports.read_frozen(session, user_id=lead, report_id=both, folder="2-open")
        for name in ("", "report.htm", "../report.html", "1-six", "none.zip", "figures.zip/x"):
            with pytest.raises(InputError, match="has no such file"):
                frozen_reports.read_file(session, user_id=lead, report_id=both, name=name)
    assert own.study == "open"
    assert not [one for one in names if one.endswith(("scores.csv", "annotations.csv", ".jsonl"))]
    (tmp_path / "tables.zip").write_bytes(packed)
    assert set(unpack(tmp_path / "tables.zip").files) == {one for one in names if one.endswith(".csv")}


def test_a_bundle_is_packed_verified_and_given_to_those_who_manage_studies(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    lead = people["lead"]
    for name in ("ada", "cur", "ann"):
        with writing(engine) as session, pytest.raises(NotAllowed):
            request_report.request_bundle(session, user_id=people[name], study="six")
    with writing(engine) as session:
        job = request_report.request_bundle(session, user_id=lead, study="six")
    told = work_off(engine, tmp_path)
    with reading(engine) as session:
        (one,) = stored_bundles.list_bundles(session, user_id=lead)
        study, content = stored_bundles.read_bundle(session, user_id=lead, job_id=job)
        assert (one.job_id, one.study, one.sha256) == (job, "six", told["sha256"])
        for name in ("ada", "cur"):
            assert stored_bundles.list_bundles(session, user_id=people[name]) == ()
            with pytest.raises(NotAllowed):
                stored_bundles.read_bundle(session, user_id=people[name], job_id=job)
        with pytest.raises(InputError, match="no such bundle"):
            stored_bundles.read_bundle(session, user_id=lead, job_id="none")
        with pytest.raises(InputError, match="on the page Reports"):
            job_store.job_file(session, user_id=lead, job_id=job, name="bundle.zip")
    assert study == "six"
    (tmp_path / "b.zip").write_bytes(content)
    assert verify_bundle(unpack(tmp_path / "b.zip"), generated_by=this_program()).whole


def test_models_are_compared_by_those_who_may_read_the_studies_and_not_too_many_answers_at_once(
    engine: Engine, people: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def tables(name: str, *studies: str) -> list[str]:
        with reading(engine) as session:
            report = leaderboard.open_leaderboard(session, studies, user_id=people[name], generated_by="test")
        return [table.id for section in report.sections for table in section.tables]

    assert tables("lead", "six") == ["leaderboard_1", "failure_rates", "classes_by_model", "studies"]
    assert tables("lead") == ["leaderboard_1"]
    for studies in ((), ("six",)):
        with pytest.raises(NotAllowed):
            tables("ada", *studies)
    monkeypatch.setattr(leaderboard, "MOST_ANSWERS", 2)
    for studies in ((), ("six",)):
        with pytest.raises(InputError, match="These are 3 answers; at most 2"):
            tables("lead", *studies)


def test_a_report_that_is_being_built_is_known_to_the_account_that_asked(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    lead = people["lead"]
    with writing(engine) as session:
        job = request_report.request_report(session, user_id=lead, asked=SIX)
        assert request_report.unfinished_request(session, user_id=lead) == job
        assert request_report.unfinished_request(session, user_id=people["ada"]) is None
    work_off(engine, tmp_path)
    with reading(engine) as session:
        assert request_report.unfinished_request(session, user_id=lead) is None


def test_reports_and_bundles_of_the_sample_project_are_removed_with_it_and_no_others(
    engine: Engine, people: dict[str, str], tmp_path: Path
) -> None:
    lead = people["lead"]
    stays = build(engine, lead, tmp_path, "six")
    with writing(engine) as session:
        material = sample_material()
        sample_project.make_sample(session, material, user_id=lead, annotators=("ann",), labelled=2)
        names = {one.name for one in readable_studies.every_study(session)} - {"six"}
    assert names == {sample_project.STUDY, sample_project.LABELLED}
    build(engine, lead, tmp_path, "six", sample_project.STUDY)
    with writing(engine) as session:
        request_report.request_bundle(session, user_id=lead, study=sample_project.STUDY)
    work_off(engine, tmp_path)
    with writing(engine) as session:
        sample_project.remove_sample(session, user_id=lead)
    with reading(engine) as session:
        assert session.scalars(select(FrozenReportRow.id)).all() == [stays]
        assert set(session.scalars(select(JobFileRow.job_id))) == {stays}
        assert stored_bundles.list_bundles(session, user_id=lead) == ()


def test_a_job_that_was_taken_over_freezes_nothing(
    engine: Engine, people: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing(engine) as session:
        request_report.request_report(session, user_id=people["lead"], asked=SIX)

    def lost(session: Session, attempt: Attempt) -> JobRow:
        return own_job(session, attempt._replace(number=attempt.number + 1))

    monkeypatch.setattr("clinicnum.db.work.jobs.job_claims.own_job", lost)
    with pytest.raises(JobLost):
        work_off(engine, tmp_path)
    with reading(engine) as session:
        assert session.scalars(select(FrozenReportRow)).all() == []
        assert session.scalars(select(JobFileRow)).all() == []
        (audited,) = session.scalars(select(JobRow))
    assert json.dumps(audited.result) == "null"
