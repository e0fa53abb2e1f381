"""The last frozen report of each study, for the home page."""

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.types import UtcTime
from clinicnum.db.rows import FrozenReportRow
from clinicnum.db.work.reports.readable_studies import readable_studies
from clinicnum.types import Frozen


class LatestReport(Frozen):
    """A frozen report, and the studies it is the latest of."""

    report_id: str
    title: str
    studies: tuple[str, ...]
    """Their names."""
    created_at: UtcTime


def latest_reports(session: Session, *, user_id: str) -> tuple[LatestReport, ...]:
    """The last report of each study that the account may read, newest first.

    Raises NotAllowed for an account without the right to read reports.
    """
    left = {one.study_id: one.name for one in readable_studies(session, user_id=user_id)}
    readable, found = frozenset(left), []
    columns = (col(FrozenReportRow.id), col(FrozenReportRow.title), col(FrozenReportRow.studies))
    newest_first = select(*columns, col(FrozenReportRow.created_at)).order_by(
        col(FrozenReportRow.created_at).desc()
    )
    for key, title, covered, created_at in session.execute(newest_first):
        names = tuple(left.pop(one) for one in covered if one in left) if readable >= set(covered) else ()
        if names:
            found.append(LatestReport(report_id=key, title=title, studies=names, created_at=created_at))
        if not left:
            break
    return tuple(found)
