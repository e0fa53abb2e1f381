"""Models compared over studies, or over all stored runs."""

from collections.abc import Sequence

from sqlmodel import Session

from clinicnum.annotations.report.leaderboard import RankedRun, build_leaderboard
from clinicnum.annotations.report.model_run import run_names
from clinicnum.annotations.report.report_content import Report
from clinicnum.db.work.runs.stored_runs import list_runs, run_accuracy
from clinicnum.db.work.studies.study_report import load_study_tables


def load_leaderboard(session: Session, studies: Sequence[str], *, generated_by: str) -> Report:
    """Models over the named studies; without any, the accuracy of all stored runs that are scored.

    Raises InputError for an unknown study, one named twice, and if there is no scored run.
    """
    tables = [load_study_tables(session, name) for name in studies]
    stored = () if studies else _stored(session)
    return build_leaderboard(tables, generated_by=generated_by, stored=stored)


def _stored(session: Session) -> list[RankedRun]:
    runs = [one for one in list_runs(session) if one.scored]
    names = run_names({one.run: one.model or one.run_id for one in runs})
    found = []
    for one in runs:
        overall = run_accuracy(session, run=one.run).overall
        if overall is not None:
            found.append(RankedRun(one.benchmark_id, one.run_id, names[one.run], overall))
    return found
