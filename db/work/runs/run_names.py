"""Names of runs: give one a label, and the names under which people see runs."""

from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.run_names import display_names, read_label
from clinicnum.db.rows import RunRow
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.runs.stored_runs import find_runs, model_of


def label_run(session: Session, *, run: str, label: str, actor: str = COMMAND_LINE) -> str | None:
    """Set a run's label, or remove it with an empty one; return the label stored.

    Raises NotAllowed for an account that may not evaluate, InputError for an unknown run and for a label that
    no list can show.
    """
    if actor != COMMAND_LINE:
        evaluator(session, actor)
    (row,) = find_runs(session, [run])
    before, after = row.label, read_label(label)
    if before != after:
        row.label = after
        session.add(row)
        append(
            session,
            study_id=None,
            actor=actor,
            action="label_run",
            before={"run": row.id, "label": before},
            after={"run": row.id, "label": after},
        )
    return after


class _Named(NamedTuple):
    run: str
    run_id: str
    model: str | None
    label: str | None


def run_names(session: Session) -> dict[str, str]:
    """Row id -> display name of every run (`clinicnum.annotations.run_names`)."""
    rows = session.scalars(select(RunRow).order_by(col(RunRow.benchmark_id), col(RunRow.run_id)))
    return display_names(_Named(row.id, row.run_id, model_of(row.meta), row.label) for row in rows)
