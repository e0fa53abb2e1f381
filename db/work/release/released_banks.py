"""The published releases of the bank, whose templates a benchmark can be generated from."""

from sqlmodel import Session

from clinicnum.db.work.jobs.job_store import evaluator
from clinicnum.db.work.release.releases import ReleaseSummary, list_releases, load_release
from clinicnum.release import Release


def released_banks(session: Session, *, user_id: str) -> tuple[ReleaseSummary, ...]:
    """All releases, the newest first. Raises NotAllowed for an account that may not evaluate."""
    evaluator(session, user_id)
    return list_releases(session)


def released_bank(session: Session, *, user_id: str, name: str) -> Release:
    """One release with its templates.

    Raises InputError for an unknown one, NotAllowed for an account that may not evaluate.
    """
    evaluator(session, user_id)
    return load_release(session, name)
