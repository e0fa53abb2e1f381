"""Templates from elsewhere brought into the bank, and what is claimed of them weighed.

A file may call a template validated; nobody here has seen why, so it enters as `unreviewed`. A release that
is as it was published carries the evidence: its validated templates enter as validated, and the release is
kept beside them. A version that is here already keeps the status it has here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.errors import Conflict, InputError
from clinicnum.templates.release import Release
from clinicnum.templates.template import Status, Template
from db.engine import lock
from db.rows import ReleaseRow, TemplateRow
from db.work.audit import append
from db.work.bank import LOCK, keep_templates
from db.work.releases import keep_release


@dataclass(frozen=True)
class Brought:
    """One template that was in the files."""

    template_id: str
    version: int
    claimed: Status
    """What the files call it."""
    status: Status | None
    """What it is here; None for one that was left out."""
    new: bool

    @property
    def said(self) -> str:
        """What became of it, in words."""
        if self.status is None:
            return "left out: a draft is not for a bank"
        if not self.new:
            return f"is here already, {self.status}"
        if self.status != self.claimed:
            return f"{self.status}: it is called {self.claimed}, but comes without evidence"
        return self.status


def import_templates(session: Session, templates: Sequence[Template], *, actor: str) -> tuple[Brought, ...]:
    """Bring in templates of plain files, all or none.

    Raises Conflict for a version that is here with other content, InputError if there is nothing to bring in.
    """
    return _bring(session, [(one, _trusted(one.status)) for one in templates], actor=actor, source={})


def import_release(session: Session, release: Release, *, actor: str) -> tuple[Brought, ...]:
    """Bring in a checked release and what is in it, all or none.

    Raises Conflict for a version or a release of that name that is here with other content.
    """
    row = session.get(ReleaseRow, release.name)
    if row is not None and row.sha256 != release.sha256:
        raise Conflict(
            f"a release {release.name} is here with other content (sha256 {row.sha256[:12]}, the folder's is "
            f"{release.sha256[:12]}); import it into another database"
        )
    source = {"release": release.name, "sha256": release.sha256}
    found = _bring(session, [(one, one.status) for one in release.templates], actor=actor, source=source)
    if row is None:
        keep_release(session, release.manifest, release.files, actor=actor)
    return found


def _trusted(claimed: Status) -> Status | None:
    """The status that a claim of a file without evidence earns."""
    if claimed == "draft":
        return None
    return "retired" if claimed == "retired" else "unreviewed"


def _bring(
    session: Session,
    given: Sequence[tuple[Template, Status | None]],
    *,
    actor: str,
    source: dict[str, str],
) -> tuple[Brought, ...]:
    """`given`: each template with the status that it enters with, None for one that is left out."""
    lock(session, LOCK)
    wanted = [one.model_copy(update={"status": status}) for one, status in given if status is not None]
    if not wanted:
        raise InputError("nothing to import: the files hold drafts only")
    there = _known(session)
    keep_templates(session, wanted)
    after = _known(session)
    brought = tuple(
        Brought(
            template_id=one.id,
            version=one.version,
            claimed=one.status,
            status=after.get((one.id, one.version)) if status else None,
            new=status is not None and (one.id, one.version) not in there,
        )
        for one, status in given
    )
    added = [[one.template_id, one.version, one.status] for one in brought if one.new]
    if added:
        append(
            session,
            study_id=None,
            actor=actor,
            action="import_templates",
            after={**source, "templates": added},
        )
    return brought


def _known(session: Session) -> dict[tuple[str, int], Status]:
    """The versions whose content is known, with their status."""
    statement = select(col(TemplateRow.template_id), col(TemplateRow.version), col(TemplateRow.status)).where(
        col(TemplateRow.operation).is_not(None)
    )
    return {(template_id, version): status for template_id, version, status in session.execute(statement)}
