"""A release planned and published in one session, for tests of what comes after."""

from sqlmodel import Session

from clinicnum.db.work.release import releases
from clinicnum.db.work.release.releases import PlannedRelease, ReleaseOptions, plan_release


def publish(session: Session, order: ReleaseOptions, *, actor: str = "command line") -> PlannedRelease:
    """What the page and the command do in two sessions."""
    planned = plan_release(session, order)
    releases.publish(session, planned, actor=actor)
    return planned
