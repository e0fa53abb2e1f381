"""Bank releases: what is ready for one, one made, published for good, and written out again byte for byte."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from annotations.curation.states import SAID
from clinicnum.errors import Conflict, InputError
from clinicnum.templates.release import Included, Manifest, Release, Wanted, make_release
from clinicnum.templates.release.facts import CHANGELOG, MANIFEST
from clinicnum.templates.release.making import LICENCE
from clinicnum.templates.template import Status, Template
from db.engine import lock
from db.rows import ReleaseRow, ReleaseTemplateRow, TemplateRow, utc_now
from db.work.audit import append
from db.work.bank import LOCK, template_of
from db.work.release_parts import Key, contested, load_evidence, load_origins, load_reasons


@dataclass(frozen=True)
class Order:
    """What is to be published."""

    name: str
    notes: str = ""
    date: str | None = None
    include_unreviewed: bool = False
    leave_out: tuple[str, ...] = ()
    """Template ids."""
    licence: str = LICENCE
    authors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """One template, and whether a release may hold it."""

    template_id: str
    version: int
    """The one that would go in; where none would, the newest."""
    status: Status
    ready: bool
    blocks: bool
    """Whether nothing can be published with it: it is left out, or its contest decided first."""
    why: str
    """Empty where there is nothing to say."""


@dataclass(frozen=True)
class Planned:
    """A release as it would be."""

    manifest: Manifest
    files: dict[str, str]
    known: bool
    """Whether it is published already, just so."""

    @property
    def changelog(self) -> str:
        return self.files[CHANGELOG]


@dataclass(frozen=True)
class Listed:
    """A published release in one line."""

    name: str
    sha256: str
    bank_sha256: str
    templates: int
    validated: int
    date: str | None
    before: str | None
    created_at: datetime


def standings(session: Session, *, include_unreviewed: bool) -> tuple[Standing, ...]:
    """Every template of the bank, by id."""
    columns = (TemplateRow.template_id, TemplateRow.version, TemplateRow.status, TemplateRow.operation)
    versions: dict[str, list[_Version]] = defaultdict(list)
    for template_id, version, status, operation in session.execute(select(*map(col, columns))):
        versions[template_id].append(_Version(version, status, operation is not None))
    doubts = contested(session, "open")
    wanted = {"validated", "unreviewed"} if include_unreviewed else {"validated"}
    return tuple(_standing(name, versions[name], wanted, doubts) for name in sorted(versions))


@dataclass(frozen=True)
class _Version:
    number: int
    status: Status
    known: bool
    """Whether what it says is known."""


def _standing(
    template_id: str, versions: Sequence[_Version], wanted: set[str], doubts: Mapping[Key, Sequence[str]]
) -> Standing:
    ordered = sorted(versions, key=lambda one: one.number)
    fit = [one for one in ordered if one.known and one.status in wanted]
    chosen, newest = (fit or ordered)[-1], ordered[-1]
    doubt = doubts.get((template_id, chosen.number)) if fit else None
    said = []
    if doubt:
        said.append(f"an open contest in {', '.join(doubt)}: decide it, or leave the template out")
    if not fit:
        said.append(_unfit(chosen))
    elif newest.number > chosen.number:
        said.append(f"version {newest.number} is {SAID[newest.status]} and stays out")
    return Standing(
        template_id=template_id,
        version=chosen.number,
        status=chosen.status,
        ready=bool(fit) and not doubt,
        blocks=bool(doubt),
        why="; ".join(said),
    )


def _unfit(version: _Version) -> str:
    if not version.known:
        return "known from a benchmark only: import the bank that it was made from"
    if version.status == "unreviewed":
        return "unreviewed: review it, or include unreviewed templates"
    return SAID[version.status]


def plan_release(session: Session, order: Order) -> Planned:
    """The release that `publish` would make; nothing is written.

    Raises Conflict for a template with an open contest and for a name that is taken by other content,
    InputError for an order that cannot be filled.
    """
    row = session.get(ReleaseRow, order.name)
    before = _before(session, row)
    included = _included(session, order)
    wanted = Wanted(
        name=order.name,
        notes=order.notes,
        date=order.date,
        licence=order.licence,
        authors=order.authors,
        reasons=load_reasons(session),
    )
    files = make_release(included, wanted, before=before)
    manifest = Manifest.model_validate_json(files[MANIFEST])
    if row is not None and row.sha256 != manifest.sha256:
        raise Conflict(
            f"the release {order.name} was published with other content (sha256 {row.sha256[:12]}, now "
            f"{manifest.sha256[:12]}: {_differing(row.files, files)}); a release does not "
            "change: take another name"
        )
    return Planned(manifest, files, known=row is not None)


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    return ", ".join(
        name for name in sorted({*old, *new} - {MANIFEST}) if old.get(name) != new.get(name)
    ) or ("what the manifest says")


def publish(session: Session, order: Order, *, actor: str) -> Planned:
    """Publish, for good; the same again is left as it is. Raises as `plan_release` does."""
    lock(session, LOCK)
    planned = plan_release(session, order)
    if not planned.known:
        keep_release(session, planned.manifest, planned.files, actor=actor)
        told = {"release": order.name, "sha256": planned.manifest.sha256}
        counted = {"templates": len(planned.manifest.templates), "left_out": list(order.leave_out)}
        append(session, study_id=None, actor=actor, action="publish_release", after={**told, **counted})
    return planned


def keep_release(session: Session, manifest: Manifest, files: Mapping[str, str], *, actor: str) -> None:
    """Store a release whose versions are all in the bank."""
    session.add(
        ReleaseRow(
            name=manifest.name,
            sha256=manifest.sha256,
            manifest=manifest.model_dump(mode="json"),
            files=dict(files),
            created_by=actor,
            created_at=utc_now(),
        )
    )
    session.flush()
    session.add_all(
        ReleaseTemplateRow(release=manifest.name, template_id=one.id, version=one.version)
        for one in manifest.templates
    )
    session.flush()


def ready_templates(session: Session, order: Order) -> list[Template]:
    """The bank that an order would publish. Raises as `plan_release` does for templates."""
    return [one.template for one in _included(session, order)]


def _included(session: Session, order: Order) -> list[Included]:
    found = standings(session, include_unreviewed=order.include_unreviewed)
    unknown = sorted(set(order.leave_out) - {one.template_id for one in found})
    if unknown:
        raise InputError(f"cannot leave out {', '.join(unknown)}: the bank has no such template")
    kept = [one for one in found if one.template_id not in order.leave_out]
    blocked = [f"{one.template_id} version {one.version} has {one.why}" for one in kept if one.blocks]
    if blocked:
        raise Conflict(f"nothing was published: {'; '.join(blocked)}")
    ready = [one for one in kept if one.ready]
    if not ready:
        raise InputError(
            "no template is ready to be published: validate some, or include unreviewed ones "
            "(--include-unreviewed)"
        )
    evidence, origins = load_evidence(session), load_origins(session)
    keys = [(one.template_id, one.version) for one in ready]
    # Evidence of a version that is no longer validated says nothing of it now.
    return [
        Included(
            template=template,
            evidence=evidence.get(key) if template.status == "validated" else None,
            origins=origins.get(key, ()),
        )
        for key, template in zip(keys, load_templates(session, keys), strict=True)
    ]


def askable_templates(session: Session) -> list[Template]:
    """The newest version of each template that may be asked. Raises InputError if there is none."""
    found = standings(session, include_unreviewed=True)
    keys = [(one.template_id, one.version) for one in found if one.ready or one.blocks]
    if not keys:
        raise InputError("the bank has no template that may be asked; import some, or start the server once")
    return load_templates(session, keys)


def load_templates(session: Session, keys: Sequence[Key]) -> list[Template]:
    """The versions of these keys, in their order; all must be there."""
    wanted = set(keys)
    found = {
        (row.template_id, row.version): template_of(row)
        for row in session.scalars(select(TemplateRow).where(col(TemplateRow.operation).is_not(None)))
        if (row.template_id, row.version) in wanted
    }
    return [found[key] for key in keys]


def _before(session: Session, row: ReleaseRow | None) -> Release | None:
    """The release to compare with: the last one, or that which `row` was compared with."""
    if row is not None:
        before = Manifest.model_validate(row.manifest).before
        return load_release(session, before.name) if before else None
    last = session.scalar(
        select(col(ReleaseRow.name)).order_by(col(ReleaseRow.created_at).desc(), col(ReleaseRow.name).desc())
    )
    return load_release(session, last) if last is not None else None


def load_release(session: Session, name: str) -> Release:
    """A published release with its files as they were. Raises InputError for an unknown one."""
    row = session.get(ReleaseRow, name)
    if row is None:
        known = ", ".join(one.name for one in list_releases(session)) or "none yet"
        raise InputError(f"no release {name!r}; there are: {known}")
    manifest = Manifest.model_validate(row.manifest)
    keys = [(one.id, one.version) for one in manifest.templates]
    statuses = {one.id: one.status for one in manifest.templates}
    templates = [one.model_copy(update={"status": statuses[one.id]}) for one in load_templates(session, keys)]
    return Release(manifest=manifest, templates=tuple(templates), evidence={}, files=row.files)


def list_releases(session: Session) -> tuple[Listed, ...]:
    """The newest first, without their files."""
    statement = select(col(ReleaseRow.manifest), col(ReleaseRow.created_at))
    newest = (col(ReleaseRow.created_at).desc(), col(ReleaseRow.name).desc())
    return tuple(
        _listed(Manifest.model_validate(manifest), created_at)
        for manifest, created_at in session.execute(statement.order_by(*newest))
    )


def _listed(manifest: Manifest, created_at: datetime) -> Listed:
    return Listed(
        name=manifest.name,
        sha256=manifest.sha256,
        bank_sha256=manifest.bank_sha256,
        templates=len(manifest.templates),
        validated=sum(one.status == "validated" for one in manifest.templates),
        date=manifest.date,
        before=manifest.before.name if manifest.before else None,
        created_at=created_at,
    )
