"""Which version of each template may enter a release or a benchmark, and why the others may not."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.annotations.curation.template_version_states import SAID
from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.bank.template_versions import template_of
from clinicnum.db.work.release.release_evidence_and_origins import Key, contested
from clinicnum.errors import InputError
from clinicnum.templates.template import Status, Template
from clinicnum.translatable_text import Translatable, joined


@dataclass(frozen=True)
class TemplateReadiness:
    """One template, and whether it may enter a release."""

    template_id: str
    version: int
    """The version that would be released; if none would, the newest."""
    status: Status
    ready: bool
    blocks: bool
    """Whether it blocks the release until it is left out or its contest is decided."""
    why: str
    """The reason in words; empty if there is none."""


def template_readiness(session: Session, *, include_unreviewed: bool) -> tuple[TemplateReadiness, ...]:
    """Whether each template of the bank may enter a release, and in which version; by template id. With
    `include_unreviewed`, versions that no expert reviewed may enter too.
    """
    columns = (TemplateRow.template_id, TemplateRow.version, TemplateRow.status, TemplateRow.operation)
    versions: dict[str, list[_Version]] = defaultdict(list)
    for template_id, version, status, operation in session.execute(
        select(*map(col, columns)).where(col(TemplateRow.kind) == "template")
    ):
        versions[template_id].append(_Version(version, status, operation is not None))
    doubts = contested(session, "open")
    wanted = {"validated", "unreviewed"} if include_unreviewed else {"validated"}
    return tuple(_standing(name, versions[name], wanted, doubts) for name in sorted(versions))


@dataclass(frozen=True)
class _Version:
    number: int
    status: Status
    known: bool
    """Whether its content is known."""


def _standing(
    template_id: str, versions: Sequence[_Version], wanted: set[str], doubts: Mapping[Key, Sequence[str]]
) -> TemplateReadiness:
    ordered = sorted(versions, key=lambda one: one.number)
    fit = [one for one in ordered if one.known and one.status in wanted]
    chosen, newest = (fit or ordered)[-1], ordered[-1]
    doubt = doubts.get((template_id, chosen.number)) if fit else None
    said: list[str] = []
    if doubt:
        said.append(
            Translatable(
                "an open contest in {studies}: decide it, or leave the template out",
                studies=", ".join(doubt),
            )
        )
    if not fit:
        said.append(_unfit(chosen))
    elif newest.number > chosen.number:
        said.append(
            Translatable(
                "version {version} is {status} and stays out",
                version=newest.number,
                status=SAID[newest.status],
            )
        )
    return TemplateReadiness(
        template_id=template_id,
        version=chosen.number,
        status=chosen.status,
        ready=bool(fit) and not doubt,
        blocks=bool(doubt),
        why=joined("; ", said),
    )


def _unfit(version: _Version) -> str:
    if not version.known:
        return Translatable("known from a benchmark only: import the bank that it was made from")
    if version.status == "unreviewed":
        return Translatable("unreviewed: review it, or include unreviewed templates")
    return SAID[version.status]


def askable_templates(session: Session) -> list[Template]:
    """The newest version of each template that a benchmark may use. Raises InputError if there is none."""
    found = template_readiness(session, include_unreviewed=True)
    keys = [(one.template_id, one.version) for one in found if one.ready or one.blocks]
    if not keys:
        raise InputError(
            Translatable("the bank has no template that may be asked; import some, or start the server once")
        )
    return load_templates(session, keys)


def load_templates(session: Session, keys: Sequence[Key]) -> list[Template]:
    """The templates of these versions, in the given order. Raises KeyError if one does not exist."""
    wanted = set(keys)
    found = {
        (row.template_id, row.version): template_of(row)
        for row in session.scalars(select(TemplateRow).where(col(TemplateRow.operation).is_not(None)))
        if (row.template_id, row.version) in wanted
    }
    return [found[key] for key in keys]
