"""Names of runs: give one a label, and the names under which people see runs."""

from sqlmodel import Session

from clinicnum.annotations.run_names import display_names, read_label
from clinicnum.db.work.accounts.users import COMMAND_LINE
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.runs.stored_runs import find_runs, list_runs


def label_run(session: Session, *, run: str, label: str, actor: str = COMMAND_LINE) -> str | None:
    """Give a run a label, or take it away with an empty one; return what it is called now.

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


def run_names(session: Session) -> dict[str, str]:
    """Row id -> display name of every run (`clinicnum.annotations.run_names`)."""
    return display_names(list_runs(session))
