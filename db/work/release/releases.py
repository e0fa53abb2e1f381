"""Releases of the bank: plan one, publish it for good, write it out again byte for byte."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.engine import lock
from clinicnum.db.rows import ReleaseRow, ReleaseTemplateRow
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.bank.template_versions import LOCK
from clinicnum.db.work.common.monotonic_clock import after_all
from clinicnum.db.work.release.release_evidence_and_origins import (
    Key,
    load_evidence,
    load_origins,
    load_reasons,
)
from clinicnum.db.work.release.template_readiness import load_templates, template_readiness
from clinicnum.errors import Conflict, InputError
from clinicnum.release import (
    Evidence,
    IncludedTemplate,
    Manifest,
    Origin,
    Release,
    ReleaseDescription,
    make_release,
)
from clinicnum.release.make import LICENCE, differing_texts
from clinicnum.release.manifest import CHANGELOG, MANIFEST
from clinicnum.templates.bank import bank_sha256
from clinicnum.templates.template import Status, Template
from clinicnum.translatable_text import Translatable, joined


@dataclass(frozen=True)
class ReleaseOptions:
    """The options of a release to be published."""

    name: str
    notes: str = ""
    date: str | None = None
    include_unreviewed: bool = False
    leave_out: tuple[str, ...] = ()
    """Template ids."""
    licence: str = LICENCE
    authors: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Basis:
    """Everything in the database on which the content of a release depends."""

    named_so: str | None
    """SHA-256 of an existing release of this name; None if there is none."""
    before: str | None
    """Name of the previous release, to compare with; None if there is none."""
    statuses: dict[Key, Status]
    """Status by version included."""
    evidence: dict[Key, Evidence | None]
    origins: dict[Key, tuple[Origin, ...]]
    reasons: dict[str, str]


@dataclass(frozen=True)
class PlannedRelease:
    """A release as `publish` would store it: manifest and files, and what they were made from."""

    order: ReleaseOptions
    basis: _Basis = field(repr=False)
    manifest: Manifest
    files: dict[str, str]
    known: bool
    """Whether exactly this release is already published."""

    @property
    def changelog(self) -> str:
        """The text of the release's changelog."""
        return self.files[CHANGELOG]


@dataclass(frozen=True)
class ReleaseSummary:
    """A published release in one line."""

    name: str
    sha256: str
    bank_sha256: str
    templates: int
    validated: int
    date: str | None
    before: str | None
    created_at: datetime


def plan_release(session: Session, order: ReleaseOptions) -> PlannedRelease:
    """The release that `publish` would make; writes nothing. Comparing golds may take seconds.

    Raises Conflict for a template with an open contest and for a name already used for other content,
    InputError if no template is ready or one to be left out does not exist, and for an invalid name or date.
    """
    basis = _basis(session, order)
    templates = load_templates(session, list(basis.statuses))
    wanted = ReleaseDescription(
        name=order.name,
        notes=order.notes,
        date=order.date,
        licence=order.licence,
        authors=order.authors,
        reasons=basis.reasons,
    )
    row = session.get(ReleaseRow, order.name)
    if row is not None:
        return PlannedRelease(order, basis, _published(row, wanted, templates), row.files, known=True)
    included = [
        IncludedTemplate(template=one, evidence=basis.evidence[key], origins=basis.origins[key])
        for one in templates
        for key in [(one.id, one.version)]
    ]
    before = load_release(session, basis.before) if basis.before is not None else None
    files = make_release(included, wanted, before=before)
    return PlannedRelease(order, basis, Manifest.model_validate_json(files[MANIFEST]), files, known=False)


def _published(row: ReleaseRow, wanted: ReleaseDescription, templates: Sequence[Template]) -> Manifest:
    """The manifest of a published release with the same templates and texts. Raises Conflict if it differs.

    The reasons for changes are not recomputed, as a later contest may change their wording.
    """
    manifest = Manifest.model_validate(row.manifest)
    other: list[str] = (
        [] if manifest.bank_sha256 == bank_sha256(templates) else [Translatable("the templates")]
    )
    other += differing_texts(row.files, wanted, templates=len(manifest.templates))
    if other:
        raise Conflict(
            Translatable(
                "the release {name} was published with other content (sha256 {sha256}; other are {parts}); a "
                "release does not change: take another name",
                name=row.name,
                sha256=row.sha256[:12],
                parts=joined(", ", other),
            )
        )
    return manifest


def _basis(session: Session, order: ReleaseOptions) -> _Basis:
    statuses = _ready(session, order)
    evidence, origins = load_evidence(session), load_origins(session)
    row = session.get(ReleaseRow, order.name)
    return _Basis(
        named_so=row.sha256 if row is not None else None,
        before=_last(session) if row is None else None,
        statuses=statuses,
        # Evidence does not count for a version that is no longer validated.
        evidence={key: evidence.get(key) if now == "validated" else None for key, now in statuses.items()},
        origins={key: origins.get(key, ()) for key in statuses},
        reasons=load_reasons(session, statuses),
    )


def publish(session: Session, planned: PlannedRelease, *, actor: str) -> None:
    """Publish the planned release for good; one that is already published is left unchanged.

    Only compares the database with the basis of the plan, so it is locked just briefly. Raises Conflict if
    the basis has changed, and as `plan_release` does.
    """
    if planned.known:
        return
    lock(session, LOCK)
    manifest, order = planned.manifest, planned.order
    if _basis(session, order) != planned.basis:
        raise Conflict(
            Translatable(
                "the bank has changed since the release {name} was planned; nothing was published: publish "
                "it anew",
                name=order.name,
            )
        )
    store_release(session, manifest, planned.files, actor=actor)
    told = {"release": order.name, "sha256": manifest.sha256}
    counted = {"templates": len(manifest.templates), "left_out": list(order.leave_out)}
    append(session, study_id=None, actor=actor, action="publish_release", after={**told, **counted})


def store_release(session: Session, manifest: Manifest, files: Mapping[str, str], *, actor: str) -> None:
    """Store a release whose versions are all in the bank."""
    session.add(
        ReleaseRow(
            name=manifest.name,
            sha256=manifest.sha256,
            manifest=manifest.model_dump(mode="json"),
            files=dict(files),
            created_by=actor,
            created_at=after_all(session, col(ReleaseRow.created_at)),
        )
    )
    session.flush()
    session.add_all(
        ReleaseTemplateRow(release=manifest.name, template_id=one.id, version=one.version)
        for one in manifest.templates
    )
    session.flush()


def ready_templates(session: Session, order: ReleaseOptions) -> list[Template]:
    """The templates that a release with these options would have. Raises Conflict for a template with an open
    contest, InputError if none is ready or one to be left out does not exist.
    """
    return load_templates(session, list(_ready(session, order)))


def _ready(session: Session, order: ReleaseOptions) -> dict[Key, Status]:
    """Status by version, for the versions that would be published."""
    found = template_readiness(session, include_unreviewed=order.include_unreviewed)
    unknown = sorted(set(order.leave_out) - {one.template_id for one in found})
    if unknown:
        raise InputError(
            Translatable(
                "cannot leave out {templates}: the bank has no such template", templates=", ".join(unknown)
            )
        )
    kept = [one for one in found if one.template_id not in order.leave_out]
    blocked = [
        Translatable(
            "{template} version {version} has {why}",
            template=one.template_id,
            version=one.version,
            why=one.why,
        )
        for one in kept
        if one.blocks
    ]
    if blocked:
        raise Conflict(Translatable("nothing was published: {blocked}", blocked=joined("; ", blocked)))
    ready = {(one.template_id, one.version): one.status for one in kept if one.ready}
    if not ready:
        raise InputError(
            "no template is ready to be published: validate some, or include unreviewed ones",
            on_command_line="--include-unreviewed",
        )
    return ready


def _last(session: Session) -> str | None:
    """The name of the latest release; None if there is none."""
    return session.scalar(
        select(col(ReleaseRow.name)).order_by(col(ReleaseRow.created_at).desc(), col(ReleaseRow.name).desc())
    )


def load_release(session: Session, name: str) -> Release:
    """A published release with its original files; its evidence is in these files only. Raises InputError for
    an unknown one.
    """
    row = session.get(ReleaseRow, name)
    if row is None:
        known = ", ".join(one.name for one in list_releases(session)) or Translatable("none yet")
        raise InputError(Translatable("no release {name!r}; there are: {known}", name=name, known=known))
    manifest = Manifest.model_validate(row.manifest)
    keys = [(one.id, one.version) for one in manifest.templates]
    statuses = {one.id: one.status for one in manifest.templates}
    templates = [one.model_copy(update={"status": statuses[one.id]}) for one in load_templates(session, keys)]
    return Release(manifest=manifest, templates=tuple(templates), evidence={}, files=row.files)


def list_releases(session: Session) -> tuple[ReleaseSummary, ...]:
    """All releases, the newest first, without their files."""
    statement = select(col(ReleaseRow.manifest), col(ReleaseRow.created_at))
    newest = (col(ReleaseRow.created_at).desc(), col(ReleaseRow.name).desc())
    return tuple(
        _listed(Manifest.model_validate(manifest), created_at)
        for manifest, created_at in session.execute(statement.order_by(*newest))
    )


def _listed(manifest: Manifest, created_at: datetime) -> ReleaseSummary:
    return ReleaseSummary(
        name=manifest.name,
        sha256=manifest.sha256,
        bank_sha256=manifest.bank_sha256,
        templates=len(manifest.templates),
        validated=sum(one.status == "validated" for one in manifest.templates),
        date=manifest.date,
        before=manifest.before.name if manifest.before else None,
        created_at=created_at,
    )
