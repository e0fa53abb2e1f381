"""Start a draft from another draft, or rebase it on a version that was added meanwhile."""

from typing import Any

from sqlmodel import Session

from clinicnum.annotations.curation.drafts import OvertakenDraft
from clinicnum.db.engine import lock
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import draft_version_number, drafts
from clinicnum.db.work.review.review_queries import authors_of
from clinicnum.errors import InputError
from clinicnum.translatable_text import Translatable


def begin_from(session: Session, *, author: str, draft_id: str, content: dict[str, Any]) -> str:
    """Start a draft with this content that takes over base, sources, note and authors of another draft of a
    template; returns its id.

    Raises InputError if there is no such draft, and InputError and NotAllowed as `drafts.begin` does.
    """
    row, old = drafts.find(session, draft_id, kind="template"), drafts.load(session, draft_id)
    return drafts.begin(
        session,
        author=author,
        content=content,
        base=old.summary.version or old.base,
        sources=old.sources,
        note=old.note,
        provokes=old.provokes,
        editors=(row.author, *row.edited_by, *_base_authors(session, row.base_id, row.base_version)),
    )


def rebase(session: Session, *, draft_id: str, revision: int, version: int, actor: str) -> None:
    """Rebase a draft on the newest version of its template, after its curator has compared the two.

    Its content stays as it is. Raises OvertakenDraft if a newer version was added since, InputError if
    `version` is not the newest, and otherwise as `drafts.save` does.
    """
    users.curator(session, actor)
    lock(session, template_versions.LOCK)
    row = drafts.find_open(session, draft_id, kind="template")
    drafts.check_revision(session, row, revision)
    template_id = str(row.content.get("id")).replace("\0", "")
    newest = draft_version_number.newest_active_version(session, template_id)
    if newest > version:
        raise OvertakenDraft(template_id, newest)
    if not newest or newest != version or template_id not in (row.base_id, row.template_id):
        raise InputError(
            Translatable(
                "version {version} is not the newest of this draft's template; send it again",
                version=version,
            )
        )
    before = (row.base_id, row.base_version)
    # The old base's authors still have content in the draft, whatever the new base.
    row.edited_by = list(dict.fromkeys((*row.edited_by, *_base_authors(session, *before))))
    row.base_id, row.base_version = template_id, version
    session.add(row)
    session.flush()
    drafts.log_draft(
        session, row, actor, "rebase_draft", before={"base": before}, after={"base": (template_id, version)}
    )


def _base_authors(session: Session, template_id: str | None, version: int | None) -> list[str]:
    if template_id is None or version is None:
        return []
    return sorted(authors_of(session, template_id, version))
