"""Runs as the runs page shows them: the list with each run's accuracy, and all about one of them."""

from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.study_summary import RunSummary
from clinicnum.db.rows import GenerationRow, InstanceRow, RunRow, ScoreRow
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.runs.stored_runs import list_runs
from clinicnum.errors import InputError
from clinicnum.stats.headline_accuracy import Headline, headline
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

Counted = dict[str, tuple[str, str]]
"""Row id of an instance -> (subject, template), for those that count towards accuracy."""


class RunDetails(Frozen):
    """A run with the meta data of its file."""

    summary: RunSummary
    meta: dict[str, Any]


class RunOverview:
    """The list of runs; caches which instances count towards accuracy, as they never change."""

    def __init__(self) -> None:
        self._counted: dict[str, tuple[int, Counted]] = {}
        """By benchmark: how many instances it had, and those that count."""

    def runs(self, session: Session, *, user_id: str) -> tuple[tuple[RunSummary, Headline], ...]:
        """Every run with its accuracy by its current scores, the newest first.

        Raises NotAllowed for an account that may not evaluate.
        """
        evaluator(session, user_id)
        found = sorted(list_runs(session), key=lambda one: one.begun_at or "", reverse=True)
        return tuple((one, self._headline(session, one)) for one in found)

    def _headline(self, session: Session, run: RunSummary) -> Headline:
        counted = self._counting(session, run.benchmark_id)
        statement = (
            select(col(GenerationRow.instance), col(ScoreRow.status))
            .join(ScoreRow, col(ScoreRow.generation) == col(GenerationRow.id))
            .where(col(GenerationRow.run) == run.run, col(ScoreRow.current))
        )
        return headline(
            (*counted[instance], status == "correct")
            for instance, status in session.execute(statement)
            if status != "error" and instance in counted
        )

    def _counting(self, session: Session, benchmark_id: str) -> Counted:
        ids = col(InstanceRow.id)
        of_benchmark = col(InstanceRow.benchmark_id) == benchmark_id
        there = len(session.scalars(select(ids).where(of_benchmark)).all())
        known = self._counted.get(benchmark_id)
        if known is not None and known[0] == there:
            return known[1]
        rows = session.execute(
            select(ids, col(InstanceRow.payload)).where(of_benchmark).execution_options(yield_per=1000)
        )
        counted = {
            key: (payload["subject_id"], payload["template_id"])
            for key, payload in rows
            if payload["variant"] is None and not payload["flags"]
        }
        self._counted[benchmark_id] = (there, counted)
        return counted


def run_details(session: Session, *, user_id: str, run: str) -> RunDetails:
    """The run with the row id `run`: its summary and the meta data of its file.

    Raises NotAllowed for an account that may not evaluate, InputError for an unknown run.
    """
    evaluator(session, user_id)
    summary = next((one for one in list_runs(session) if one.run == run), None)
    if summary is None:
        raise InputError(Translatable("There is no such run any more; reload the page."))
    return RunDetails(summary=summary, meta=session.get_one(RunRow, run).meta)
