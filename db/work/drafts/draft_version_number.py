"""Choose the version number of a draft, so that it never overwrites another curator's version, and retire the
version as which one was submitted.
"""

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.drafts import OvertakenDraft
from clinicnum.db.rows import DraftRow, TemplateRow
from clinicnum.db.work.bank import template_versions
from clinicnum.errors import Conflict, InputError
from clinicnum.translatable_text import Translatable


def draft_version_number(session: Session, row: DraftRow, template_id: str, *, actor: str) -> int:
    """The version that the draft had before it was returned from review, or the next one of its template;
    then the version as which it was submitted is retired, if it still waits for review.

    Raises OvertakenDraft if the template has a newer version than the draft's base, Conflict for a draft
    that was submitted under another id, InputError for a new template whose id is already in the bank.
    """
    if row.template_id not in (None, template_id):
        raise Conflict(
            Translatable(
                "this draft was sent as {template} version {version} and keeps that id, got {got}; put the "
                "id back, or begin a new draft from it",
                template=row.template_id,
                version=row.version,
                got=template_id,
            )
        )
    base = row.base_version if row.base_id == template_id else None
    latest = template_versions.next_version(session, template_id) - 1
    if latest and base is None and row.version is None:
        raise InputError(
            Translatable(
                "id: {template} is in the bank already (version {version}); choose another id, or begin a "
                "new version of it on the page Bank",
                template=template_id,
                version=latest,
            )
        )
    newest = newest_active_version(session, template_id)
    if newest > (base or 0):
        raise OvertakenDraft(template_id, newest)
    if row.version is not None and row.version > (base or 0):
        was = session.get(TemplateRow, (template_id, row.version))
        if was is not None and was.status == "draft":
            return row.version
    retire_submitted(session, row, actor=actor, reason=f"its draft goes on as version {latest + 1}")
    return latest + 1


def newest_active_version(session: Session, template_id: str) -> int:
    """The newest version that is neither a draft nor retired and whose content is known; 0 if there is
    none.
    """
    found = session.scalar(
        select(func.max(TemplateRow.version)).where(
            col(TemplateRow.template_id) == template_id,
            col(TemplateRow.status).not_in(("draft", "retired")),
            col(TemplateRow.operation).is_not(None),
        )
    )
    return found or 0


def retire_submitted(session: Session, row: DraftRow, *, actor: str, reason: str) -> None:
    """Retire the version as which a draft was submitted, if it still waits for review."""
    if row.template_id is None or row.version is None:
        return
    was = session.get(TemplateRow, (row.template_id, row.version), with_for_update=True)
    if was is not None and was.status == "draft":
        template_versions.set_status(
            session, was, "retired", actor=actor, why={"draft": row.id, "reason": reason}
        )
