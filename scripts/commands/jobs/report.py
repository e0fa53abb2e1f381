"""The job `report`: the report of one or several studies, as `clinicnum report` writes it, frozen."""

from typing import Any

from clinicnum.annotations.worker_jobs import ReportArguments
from clinicnum.db.engine import reading
from clinicnum.scripts.commands.jobs.job_context import JobContext


def report(context: JobContext, arguments: ReportArguments) -> dict[str, Any]:
    """Build the report and store it with its files, in one transaction."""
    from clinicnum.annotations.exports.report_folder import reports_folder
    from clinicnum.db.work.reports.frozen_reports import freeze
    from clinicnum.db.work.reports.readable_studies import check_readable
    from clinicnum.db.work.reports.request_report import change_marks
    from clinicnum.db.work.studies.load_whole_study import load_study_tables
    from clinicnum.scripts.commands.report import this_program

    tables, total = [], len(arguments.studies)
    with reading(context.engine) as session:
        studies = check_readable(session, arguments.studies, user_id=context.user_id)
        marks = change_marks(session, studies)
        for done, name in enumerate(arguments.studies):
            context.report(done=done, total=total, unit="studies", step="reading")
            tables.append(load_study_tables(session, name))
    context.report(done=total, total=total, unit="studies", step="building")
    _, files = reports_folder(tables, arguments, generated_by=this_program())
    return context.end_with(
        lambda session: freeze(
            session,
            job_id=context.job_id,
            user_id=context.user_id,
            asked=arguments,
            studies=studies,
            marks=marks,
            files=files,
        )
    )
