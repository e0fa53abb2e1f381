"""Models compared over studies, or over all stored runs."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.report.leaderboard import RankedRun, build_leaderboard
from clinicnum.annotations.report.report_content import Report
from clinicnum.annotations.role_rights import require
from clinicnum.annotations.run_names import display_names
from clinicnum.db.rows import GenerationRow, RunRow, StudyScoreRow
from clinicnum.db.work.reports.readable_studies import check_readable, report_reader
from clinicnum.db.work.runs.stored_runs import list_runs, run_accuracy
from clinicnum.db.work.studies.load_whole_study import load_study_tables
from clinicnum.errors import InputError

MOST_ANSWERS = 20_000
"""Most answers that a page compares at once."""


def load_leaderboard(session: Session, studies: Sequence[str], *, generated_by: str) -> Report:
    """Report on models over the named studies, or without any on the accuracy of all scored runs.

    Raises InputError for an unknown study, one named twice, and if there is no scored run.
    """
    tables = [load_study_tables(session, name) for name in studies]
    stored = () if studies else _stored(session)
    return build_leaderboard(tables, generated_by=generated_by, stored=stored)


def open_leaderboard(session: Session, studies: Sequence[str], *, user_id: str, generated_by: str) -> Report:
    """As `load_leaderboard`, for an account on a page; limited in size.

    Raises NotAllowed for a study whose report it may not read, and without any study for an account that does
    not manage studies; InputError as `load_leaderboard` does, and for more than MOST_ANSWERS answers.
    """
    if studies:
        ids = [one.study_id for one in check_readable(session, studies, user_id=user_id)]
        answers = select(func.count()).where(col(StudyScoreRow.study_id).in_(ids))
    else:
        require(report_reader(session, user_id).role, "manage_studies")
        answers = (
            select(func.count())
            .select_from(GenerationRow)
            .join(RunRow, col(RunRow.id) == col(GenerationRow.run))
        )
    n = session.scalar(answers) or 0
    if n > MOST_ANSWERS:
        raise InputError(
            "These are {n} answers; at most {most} are compared here. Build a report of these studies, which "
            "begins with the same tables.",
            on_command_line="clinicnum leaderboard",
            n=n,
            most=MOST_ANSWERS,
        )
    return load_leaderboard(session, studies, generated_by=generated_by)


def _stored(session: Session) -> list[RankedRun]:
    runs = [one for one in list_runs(session) if one.scored]
    names = display_names(runs)
    found = []
    for one in runs:
        overall = run_accuracy(session, run=one.run).overall
        if overall is not None:
            found.append(RankedRun(one.benchmark_id, one.run_id, names[one.run], overall))
    return found
