"""The bank as curators browse it: list versions page by page, show one with all its details, retire one."""

from typing import Any

from sqlalchemy import ColumnElement, Select, case, exists, func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.bank_page_types import (
    PAGE,
    DraftLine,
    Origin,
    RoundLine,
    StudyUse,
    VersionDetails,
    VersionPage,
    VersionSearch,
    VersionStep,
    VersionSummary,
)
from clinicnum.annotations.curation.template_health import HARD, Health
from clinicnum.db.rows import (
    IN_FINISHED,
    DraftRow,
    DraftSourceRow,
    InstanceRow,
    ReleaseTemplateRow,
    ReviewRoundRow,
    StudyItemRow,
    StudyRow,
    TemplateHealthRow,
    TemplateRow,
    UserRow,
)
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.common.curator_model_names import models_of_runs
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable

LONGEST_REASON = 2000
_FIGURES = col(TemplateHealthRow.payload)


def list_versions(session: Session, search: VersionSearch) -> VersionPage:
    """One page of the versions found by a search, in the search's order."""
    wanted = _wanted(search)
    found = session.scalar(_joined(select(func.count())).where(*wanted)) or 0
    page = min(search.page, max(1, -(-found // PAGE)))
    statement = (
        _joined(
            select(
                col(TemplateRow.template_id),
                col(TemplateRow.version),
                col(TemplateRow.status),
                col(TemplateRow.payload),
                _FIGURES.label("figures"),
            )
        )
        .where(*wanted)
        .order_by(*_order(search), col(TemplateRow.template_id), col(TemplateRow.version).desc())
        .limit(PAGE)
        .offset((page - 1) * PAGE)
    )
    rows = tuple(
        _listed(template_id, version, status, payload, figures)
        for template_id, version, status, payload, figures in session.execute(statement)
    )
    return VersionPage(found=found, page=page, rows=rows)


def _joined(statement: Select[Any]) -> Select[Any]:
    return statement.select_from(TemplateRow).outerjoin(
        TemplateHealthRow,
        (col(TemplateHealthRow.template_id) == col(TemplateRow.template_id))
        & (col(TemplateHealthRow.version) == col(TemplateRow.version)),
    )


def _wanted(search: VersionSearch) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = [
        col(TemplateRow.words).contains(word, autoescape=True)
        | (col(TemplateRow.template_id).contains(word, autoescape=True))
        for word in search.text.lower().split()
    ]
    of_it = (col(InstanceRow.template_id) == col(TemplateRow.template_id)) & (
        col(InstanceRow.template_version) == col(TemplateRow.version)
    )
    only_unfinished = exists().where(of_it) & ~exists().where(of_it, IN_FINISHED)
    wanted.append(col(TemplateRow.operation).is_not(None) | ~only_unfinished)
    wanted.append(col(TemplateRow.kind) == "template")
    if search.operation:
        wanted.append(col(TemplateRow.operation) == search.operation)
    if search.status == "standing":
        wanted.append(col(TemplateRow.status) != "retired")
    else:
        wanted.append(col(TemplateRow.status) == search.status)
    if search.tag:
        # The list of tags is searched as text, in which each tag is one word in quotation marks.
        tags = col(TemplateRow.payload)["tags"].as_string()
        wanted.append(tags.contains(f'"{search.tag}"', autoescape=True))
    if search.contested:
        wanted.append(_FIGURES["contested"].as_integer() > 0)
    if search.hard:
        wanted.append(_FIGURES["accuracy"].as_float() < HARD)
    return wanted


def _order(search: VersionSearch) -> list[Any]:
    """Sort order: versions that need attention first, versions without figures last."""
    if search.sort == "accuracy":
        return _nulls_last(_FIGURES["accuracy"].as_float(), rising=True)
    if search.sort == "contests":
        return _nulls_last(_FIGURES["contest_rate"].as_float(), rising=False)
    if search.sort == "discrimination":
        return _nulls_last(_FIGURES["discrimination"]["slope"].as_float(), rising=True)
    if search.sort == "instances":
        return _nulls_last(_FIGURES["instances"].as_integer(), rising=False)
    if search.sort == "changed":
        return _nulls_last(col(TemplateRow.changed_at), rising=False)
    return []


def _nulls_last(value: Any, *, rising: bool) -> list[Any]:
    return [case((value.is_(None), 1), else_=0), value.asc() if rising else value.desc()]


def _listed(
    template_id: str, version: int, status: str, payload: dict[str, Any], figures: dict[str, Any] | None
) -> VersionSummary:
    return VersionSummary(
        template_id=template_id,
        version=version,
        status=status,
        operation=payload.get("operation"),
        tags=tuple(payload.get("tags", ())),
        wording=payload.get("wording", ("",))[0],
        health=None if figures is None else Health.model_validate(figures),
    )


def load_version(session: Session, template_id: str, version: int) -> VersionDetails:
    """One version with all its details. Raises InputError if there is none."""
    row = _find(session, template_id, version)
    health = session.get(TemplateHealthRow, (template_id, version))
    listed = _listed(
        template_id, version, row.status, row.payload, None if health is None else health.payload
    )
    models = models_of_runs(session)
    author = None if row.author is None else session.get_one(UserRow, row.author).name
    runs = () if listed.health is None else listed.health.runs
    return VersionDetails(
        listed=listed,
        template=template_versions.template_of(row) if row.payload else None,
        author=author,
        changed_at=row.changed_at,
        versions=_versions(session, template_id),
        rounds=_rounds(session, template_id, version),
        drafts=_drafts(session, template_id, version),
        origins=_origins(session, template_id, version),
        releases=_releases(session, template_id, version),
        benchmarks=_benchmarks(session, template_id, version),
        uses=_uses(session, listed.health),
        runs=tuple((models[one.run].name, one.asked, one.right) for one in runs if one.run in models),
    )


def _find(session: Session, template_id: str, version: int) -> TemplateRow:
    if "\0" in template_id or not 0 < version < 2**31:
        raise InputError(Translatable("the bank has no such version; look it up on the page Bank"))
    return template_versions.find_version(session, template_id, version)


def _versions(session: Session, template_id: str) -> tuple[VersionStep, ...]:
    rows = session.scalars(
        select(TemplateRow)
        .where(col(TemplateRow.template_id) == template_id)
        .order_by(col(TemplateRow.version).desc())
    ).all()
    return tuple(
        VersionStep(
            version=row.version,
            status=row.status,
            changed_at=row.changed_at,
        )
        for row in rows
    )


def _rounds(session: Session, template_id: str, version: int) -> tuple[RoundLine, ...]:
    rows = session.scalars(
        select(ReviewRoundRow)
        .where(col(ReviewRoundRow.template_id) == template_id, col(ReviewRoundRow.version) == version)
        .order_by(col(ReviewRoundRow.number))
    )
    return tuple(
        RoundLine(round_id=row.id, number=row.number, status=row.status, opened_at=row.opened_at)
        for row in rows
    )


def _drafts(session: Session, template_id: str, version: int) -> tuple[DraftLine, ...]:
    """The drafts based on this version, and the draft it was made from."""
    based = (col(DraftRow.base_id) == template_id) & (col(DraftRow.base_version) == version)
    became = (col(DraftRow.template_id) == template_id) & (col(DraftRow.version) == version)
    rows = session.scalars(
        select(DraftRow)
        .where(based | became, col(DraftRow.status) != "discarded")
        .order_by(col(DraftRow.changed_at).desc(), col(DraftRow.id))
    )
    return tuple(DraftLine(draft_id=row.id, status=row.status, changed_at=row.changed_at) for row in rows)


def _origins(session: Session, template_id: str, version: int) -> tuple[Origin, ...]:
    statement = (
        select(
            col(StudyRow.name),
            col(StudyItemRow.item_id),
            col(DraftSourceRow.kind),
            col(DraftRow.provokes),
        )
        .join(DraftRow, col(DraftRow.id) == col(DraftSourceRow.draft))
        .join(StudyRow, col(StudyRow.id) == col(DraftSourceRow.study_id))
        .join(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(DraftSourceRow.study_id))
            & (col(StudyItemRow.generation) == col(DraftSourceRow.generation)),
        )
        .where(col(DraftRow.template_id) == template_id, col(DraftRow.version) == version)
        .order_by(col(StudyRow.name), col(StudyItemRow.item_id))
    )
    return tuple(
        Origin(study=study, item=item, kind=kind, code=code)
        for study, item, kind, code in session.execute(statement)
    )


def _releases(session: Session, template_id: str, version: int) -> tuple[str, ...]:
    return tuple(
        session.scalars(
            select(col(ReleaseTemplateRow.release))
            .where(
                col(ReleaseTemplateRow.template_id) == template_id,
                col(ReleaseTemplateRow.version) == version,
            )
            .order_by(col(ReleaseTemplateRow.release))
        )
    )


def _benchmarks(session: Session, template_id: str, version: int) -> tuple[tuple[str, int], ...]:
    found = session.execute(
        select(col(InstanceRow.benchmark_id), func.count())
        .where(
            col(InstanceRow.template_id) == template_id,
            col(InstanceRow.template_version) == version,
            IN_FINISHED,
        )
        .group_by(col(InstanceRow.benchmark_id))
        .order_by(col(InstanceRow.benchmark_id))
    )
    return tuple((benchmark, n) for benchmark, n in found)


def _uses(session: Session, health: Health | None) -> tuple[StudyUse, ...]:
    if health is None or not health.labels:
        return ()
    names = session.execute(
        select(col(StudyRow.id), col(StudyRow.name))
        .where(col(StudyRow.id).in_(list(health.labels)))
        .order_by(col(StudyRow.name))
    )
    return tuple(StudyUse(study=name, labels=health.labels[key]) for key, name in names)


def retire(session: Session, *, template_id: str, version: int, reason: str, actor: str) -> None:
    """Retire a version for good.

    Raises InputError for a missing or too long reason and for an unknown version, NotAllowed for an account
    that may not curate, Conflict if a review round is open or the version's status cannot become `retired`.
    """
    users.curator(session, actor)
    said = reason.strip()
    if not 1 <= len(said) <= LONGEST_REASON:
        raise InputError(
            Translatable(
                "say why it is retired, in at most {most} characters; it is kept on record",
                most=LONGEST_REASON,
            )
        )
    row = _find(session, template_id, version)
    session.refresh(row, with_for_update=True)
    if any(one.status == "open" for one in _rounds(session, template_id, version)):
        raise Conflict(
            Translatable(
                "{template} version {version} is being reviewed; close its round first",
                template=template_id,
                version=version,
            )
        )
    template_versions.set_status(session, row, "retired", actor=actor, why={"reason": said})
