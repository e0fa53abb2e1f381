"""A release planned and published in one session, for tests of what comes after."""

from sqlmodel import Session

from clinicnum.db.work.release import releases
from clinicnum.db.work.release.releases import Order, Planned, plan_release


def publish(session: Session, order: Order, *, actor: str = "command line") -> Planned:
    """What the page and the command do in two sessions."""
    planned = plan_release(session, order)
    releases.publish(session, planned, actor=actor)
    return planned
