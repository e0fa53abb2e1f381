"""A release planned and published in one session, for tests of what comes after."""

from sqlalchemy import Engine
from sqlmodel import Session

from clinicnum.db.engine import writing
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.release import releases
from clinicnum.db.work.release.releases import PlannedRelease, ReleaseOptions, plan_release
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Template
from tests.clinicnum.releasing import PULSE

ME = "command line"


def publish(session: Session, order: ReleaseOptions, *, actor: str = ME) -> PlannedRelease:
    """What the page and the command do in two sessions."""
    planned = plan_release(session, order)
    releases.publish(session, planned, actor=actor)
    return planned


def stock(engine: Engine) -> Engine:
    """Add the banks that come with the program."""
    with writing(engine) as session:
        template_versions.add_packaged_templates(session)
    return engine


def version_two(status: str = "validated", wording: str = "How far apart are they at {time}?") -> Template:
    found = next(one for one in named_bank("base") if one.id == PULSE)
    changed = {"version": 2, "status": status, "wording": (wording,)}
    return Template.model_validate(found.model_dump(mode="json") | changed)
