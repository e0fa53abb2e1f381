"""Import templates into the bank, and check the status claimed for them.

A template in plain files enters as `unreviewed`, even if the file calls it validated. An unchanged release
carries its review evidence: a template whose evidence meets the acceptance rule enters as validated, any
other as `unreviewed`, and the release is stored too. A retired template enters as retired, a draft is left
out, and a version that is already in the bank keeps its status.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.review_sheet import is_mechanical
from clinicnum.annotations.curation.template_acceptance import lacking
from clinicnum.db.engine import lock
from clinicnum.db.rows import ReleaseRow, TemplateRow
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.bank.identical_templates import refuse_twins
from clinicnum.db.work.bank.template_versions import LOCK, add_templates
from clinicnum.db.work.release.releases import store_release
from clinicnum.db.work.review.review_rounds import payload_sha256
from clinicnum.errors import Conflict, InputError
from clinicnum.release import Evidence, Release
from clinicnum.templates.template import Status, Template


@dataclass(frozen=True)
class ImportedTemplate:
    """One template of an import: the status that its files claim, and the one that it got in the bank."""

    template_id: str
    version: int
    claimed: Status
    """The status given in the files."""
    status: Status | None
    """Its status in the bank; None for a template that was left out."""
    new: bool
    doubts: tuple[str, ...] = ()
    """What the evidence lacks for the status `claimed`."""

    @property
    def doubted(self) -> bool:
        """Whether it is new and enters with a lower status than the files claim."""
        return self.new and self.status != self.claimed

    @property
    def said(self) -> str:
        """The outcome of the import, in words."""
        if self.status is None:
            return "left out: a draft is not for a bank"
        if not self.new:
            return f"is here already, {self.status}"
        if self.doubted:
            return f"{self.status}: it is called {self.claimed}, but {'; '.join(self.doubts)}"
        return self.status


def import_templates(
    session: Session, templates: Sequence[Template], *, actor: str
) -> tuple[ImportedTemplate, ...]:
    """Import templates from plain files; returns what became of each. Drafts are left out; of the others all
    are imported, or none.

    Raises Conflict for a version that is in the bank with other content and for a template identical to
    another, InputError if `templates` is empty or has only drafts.
    """
    return _bring(session, templates, evidence={}, actor=actor, source={})


def import_release(session: Session, release: Release, *, actor: str) -> tuple[ImportedTemplate, ...]:
    """Import a checked release with its templates, all or none; returns what became of each template.

    Raises Conflict and InputError as `import_templates` does, and Conflict for a release of that name with
    other content.
    """
    row = session.get(ReleaseRow, release.name)
    if row is not None and row.sha256 != release.sha256:
        raise Conflict(
            f"a release {release.name} is here with other content (sha256 {row.sha256[:12]}, the folder's is "
            f"{release.sha256[:12]}); import it into another database"
        )
    source = {"release": release.name, "sha256": release.sha256}
    found = _bring(session, release.templates, evidence=release.evidence, actor=actor, source=source)
    if row is None:
        store_release(session, release.manifest, release.files, actor=actor)
    return found


def _doubts(template: Template, evidence: Evidence | None) -> tuple[str, ...]:
    """Reasons why a template does not get the status that the files claim."""
    if template.status in ("retired", "unreviewed"):
        return ()
    if template.status != "validated" or evidence is None:
        return ("comes without evidence",)
    content = payload_sha256(template.model_dump(mode="json"))
    return lacking(evidence, mechanical=is_mechanical(template), sha256=content)


def _bring(
    session: Session,
    given: Sequence[Template],
    *,
    evidence: Mapping[str, Evidence],
    actor: str,
    source: dict[str, str],
) -> tuple[ImportedTemplate, ...]:
    """Add the templates to the bank and log the import.

    `evidence` is by template id; a template without it enters as unreviewed. Drafts are left out.
    """
    doubts = {(one.id, one.version): _doubts(one, evidence.get(one.id)) for one in given}
    wanted = [
        one.model_copy(update={"status": "unreviewed"}) if doubts[one.id, one.version] else one
        for one in given
        if one.status != "draft"
    ]
    lock(session, LOCK)
    if not wanted:
        raise InputError("nothing to import: the files hold drafts only")
    there = _known(session)
    refuse_twins(session, [one for one in wanted if (one.id, one.version) not in there])
    add_templates(session, wanted, actor=actor)
    after = _known(session)
    brought = tuple(
        ImportedTemplate(
            template_id=one.id,
            version=one.version,
            claimed=one.status,
            status=after.get((one.id, one.version)) if one.status != "draft" else None,
            new=one.status != "draft" and (one.id, one.version) not in there,
            doubts=doubts[one.id, one.version],
        )
        for one in given
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
    """Status by version, for the versions whose content is known."""
    statement = select(col(TemplateRow.template_id), col(TemplateRow.version), col(TemplateRow.status)).where(
        col(TemplateRow.operation).is_not(None)
    )
    return {(template_id, version): status for template_id, version, status in session.execute(statement)}
