"""Drafts: started empty, from a version or from a failure; saved as typed; sent to review.

Every save names the revision it is based on. A save on an older revision writes nothing and reports who
saved in between, so that two curators never overwrite each other's work. Drafts are never deleted.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.draft_sources import Source
from clinicnum.annotations.curation.drafts import (
    Draft,
    DraftKind,
    DraftSummary,
    StaleDraft,
    changed_fields,
    check_content,
)
from clinicnum.annotations.curation.review_readiness import sound_template, trial_of
from clinicnum.db.engine import lock
from clinicnum.db.rows import (
    DraftRow,
    DraftSourceRow,
    StudyItemRow,
    TemplateRow,
    UserRow,
    utc_now,
)
from clinicnum.db.work.accounts import users
from clinicnum.db.work.audit.audit_log import append
from clinicnum.db.work.bank import template_health, template_versions
from clinicnum.db.work.bank.identical_templates import refuse_twin
from clinicnum.db.work.common.monotonic_clock import after_all
from clinicnum.db.work.drafts import draft_version_number
from clinicnum.db.work.drafts.draft_sources import draft_source_row
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import text_id
from clinicnum.translatable_text import Translatable

LISTED = 500
"""Number of drafts that the list shows at most."""


def begin(
    session: Session,
    *,
    author: str,
    content: dict[str, Any],
    base: tuple[str, int] | None = None,
    sources: Sequence[Source] = (),
    note: str = "",
    provokes: str | None = None,
    editors: Sequence[str] = (),
    kind: DraftKind = "template",
) -> str:
    """Start a draft; returns its id. `editors` are user ids of the authors of the content it starts from.

    Raises NotAllowed for an account that may not curate, InputError for content that cannot be stored, a
    base that is not in the bank, or a source that is not in its study.
    """
    users.curator(session, author)
    check_content(content)
    if base is not None:
        template_versions.find_version(session, *base)
    lock(session, f"drafts of {author}")
    number = session.scalar(select(func.count()).select_from(DraftRow).where(col(DraftRow.author) == author))
    row = DraftRow(
        id=text_id("draft", author, str(number)),
        kind=kind,
        author=author,
        content=content,
        edited_by=list(dict.fromkeys((author, *editors))),
        changed_by=author,
        base_id=base[0] if base else None,
        base_version=base[1] if base else None,
        note=note,
        provokes=provokes,
        created_at=(now := after_all(session, col(DraftRow.created_at), col(DraftRow.author) == author)),
        changed_at=now,
    )
    session.add(row)
    session.flush()
    session.add_all(draft_source_row(session, row.id, one) for one in dict.fromkeys(sources))
    session.flush()
    told = {"base": base, "sources": [one.model_dump() for one in sources], "content": content}
    log_draft(session, row, author, "begin_draft", after=told)
    return row.id


def save(
    session: Session,
    *,
    draft_id: str,
    revision: int,
    content: dict[str, Any],
    actor: str,
    kind: DraftKind = "template",
) -> int:
    """Save the content; returns the new revision. Saving the same content twice is harmless.

    Raises StaleDraft for an older revision, Conflict for a draft that is not open, InputError for content
    that cannot be stored and for an unknown draft, NotAllowed for an account that may not curate.
    """
    users.curator(session, actor)
    check_content(content)
    row = find_open(session, draft_id, kind=kind)
    if row.content == content:
        return row.revision
    check_revision(session, row, revision)
    fields = changed_fields(row.content, content)
    before = {name: row.content.get(name) for name in fields}
    row.content, row.revision, row.changed_by, row.changed_at = content, revision + 1, actor, utc_now()
    if actor not in row.edited_by:
        row.edited_by = [*row.edited_by, actor]
    session.add(row)
    session.flush()
    after = {name: content.get(name) for name in fields}
    log_draft(session, row, actor, "save_draft", before=before, after=after)
    return row.revision


def submit(session: Session, *, draft_id: str, revision: int, actor: str) -> tuple[str, int]:
    """Add the draft to the bank as a version with the status `draft`; returns template id and version.

    A draft that was returned from review overwrites the version it was submitted as. Raises as `save` and
    `draft_version_number.draft_version_number` do, Conflict for a template identical to one in the bank, and
    InputError, with the first fault, for an invalid template or rules that do not hold on sample patients.
    """
    users.curator(session, actor)
    lock(session, template_versions.LOCK)
    row = find_open(session, draft_id, kind="template")
    check_revision(session, row, revision)
    template = sound_template({**row.content, "version": 1, "status": "draft"})
    number = draft_version_number.draft_version_number(session, row, template.id, actor=actor)
    template = template.model_copy(update={"version": number})
    refuse_twin(session, template)
    template_versions.put_version(session, template, author=row.author)
    template_health.store_trial(session, (template.id, template.version), trial_of(template))
    row.content = {**row.content, "version": template.version, "status": "draft"}
    mark_submitted(session, row, (template.id, template.version), actor=actor)
    return template.id, template.version


def mark_submitted(session: Session, row: DraftRow, version: tuple[str, int], *, actor: str) -> None:
    """Note that a draft was sent to review as this version."""
    row.status, (row.template_id, row.version) = "submitted", version
    row.changed_by, row.changed_at = actor, utc_now()
    session.add(row)
    session.flush()
    log_draft(session, row, actor, "submit_draft", after={"template": list(version), "content": row.content})


def take_back(session: Session, *, draft_id: str, actor: str) -> None:
    """Reopen a submitted draft that is not in review yet.

    Raises Conflict for any other draft, InputError for an unknown one, NotAllowed as `users.curator` does.
    """
    users.curator(session, actor)
    lock(session, template_versions.LOCK)
    row = find(session, draft_id, locked=True)
    sent = None if row.template_id is None else session.get(TemplateRow, (row.template_id, row.version))
    if row.status != "submitted" or sent is None or sent.status != "draft":
        raise Conflict(Translatable("this draft is not waiting for its review; begin a new draft from it"))
    row.status, row.changed_by, row.changed_at = "open", actor, utc_now()
    session.add(row)
    session.flush()
    log_draft(
        session, row, actor, "take_back_draft", before={"status": "submitted"}, after={"status": "open"}
    )


def discard(session: Session, *, draft_id: str, actor: str) -> None:
    """Discard the draft, which stays in the database.

    The version as which it was submitted is retired if it still waits for review. Raises as `find_open` and
    `users.curator` do.
    """
    users.curator(session, actor)
    lock(session, template_versions.LOCK)
    row = find_open(session, draft_id)
    draft_version_number.retire_submitted(session, row, actor=actor, reason="its draft was discarded")
    row.status, row.changed_by, row.changed_at = "discarded", actor, utc_now()
    session.add(row)
    session.flush()
    log_draft(session, row, actor, "discard_draft", before={"status": "open"}, after={"status": "discarded"})


def list_drafts(session: Session, kind: DraftKind = "template") -> tuple[DraftSummary, ...]:
    """Open drafts of one kind, then submitted ones, each the last changed first; at most LISTED. Discarded
    ones are left out.
    """
    rows = session.scalars(
        select(DraftRow)
        .where(col(DraftRow.status) != "discarded", col(DraftRow.kind) == kind)
        .order_by(col(DraftRow.status), col(DraftRow.changed_at).desc(), col(DraftRow.id))
        .limit(LISTED)
    ).all()
    names = _names(session, rows)
    return tuple(_summary(row, names) for row in rows)


def load(session: Session, draft_id: str, kind: DraftKind = "template") -> Draft:
    """A draft with its sources. Raises InputError if there is none of this kind."""
    row = find(session, draft_id, kind=kind)
    names = _names(session, [row])
    sources = session.execute(
        select(DraftSourceRow, col(StudyItemRow.item_id))
        .outerjoin(
            StudyItemRow,
            (col(StudyItemRow.study_id) == col(DraftSourceRow.study_id))
            & (col(StudyItemRow.generation) == col(DraftSourceRow.generation)),
        )
        .where(col(DraftSourceRow.draft) == draft_id)
        .order_by(col(DraftSourceRow.study_id), col(StudyItemRow.item_id))
    ).all()
    return Draft(
        summary=_summary(row, names),
        content=row.content,
        edited_by=tuple(names[one] for one in row.edited_by),
        base=_version(row.base_id, row.base_version),
        note=row.note,
        provokes=row.provokes,
        sources=tuple(Source.model_validate(one.model_dump(exclude={"draft"})) for one, _ in sources),
        source_items=tuple(item for _, item in sources),
    )


def find(session: Session, draft_id: str, *, locked: bool = False, kind: DraftKind | None = None) -> DraftRow:
    """A draft's row. Raises InputError if there is none, or none of the kind."""
    # PostgreSQL rejects NUL in text.
    row = None if "\0" in draft_id else session.get(DraftRow, draft_id, with_for_update=locked)
    if row is None or kind not in (None, row.kind):
        lost = Translatable("there is no draft {draft!r}; choose one from the list", draft=draft_id)
        raise InputError(lost)
    return row


def find_open(session: Session, draft_id: str, *, kind: DraftKind | None = None) -> DraftRow:
    """The row of an open draft, locked.

    Raises Conflict if it was submitted or discarded, InputError if there is none, or none of the kind.
    """
    row = find(session, draft_id, locked=True, kind=kind)
    if row.status != "open":
        sent = Translatable("this draft was sent to review; what you typed can be kept as a new draft")
        gone = Translatable("this draft was discarded; what you typed can be kept as a new draft")
        raise Conflict(sent if row.status == "submitted" else gone)
    return row


def check_revision(session: Session, row: DraftRow, revision: int) -> None:
    """Raise StaleDraft unless the draft is at this revision."""
    if row.revision != revision:
        by = users.get_user(session, row.changed_by)
        raise StaleDraft(by.name if by else None, row.changed_at)


def log_draft(
    session: Session,
    row: DraftRow,
    actor: str,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any],
) -> None:
    """Append a change of a draft to the audit log, with the draft's id and revision."""
    about = {"draft": row.id, "revision": row.revision}
    told = None if before is None else {**about, **before}
    append(session, study_id=None, actor=actor, action=action, before=told, after={**about, **after})


def _names(session: Session, rows: Sequence[DraftRow]) -> dict[str, str]:
    ids = {one for row in rows for one in (row.author, row.changed_by, *row.edited_by)}
    found = session.execute(select(col(UserRow.id), col(UserRow.name)).where(col(UserRow.id).in_(ids)))
    return {user_id: name for user_id, name in found}


def _summary(row: DraftRow, names: dict[str, str]) -> DraftSummary:
    template_id = row.content.get("id")
    wording = row.content.get("question" if row.kind == "item" else "wording")
    first = wording[0] if isinstance(wording, list) and wording else wording
    return DraftSummary(
        draft_id=row.id,
        template_id=template_id if isinstance(template_id, str) else "",
        wording=first if isinstance(first, str) else "",
        status=row.status,
        author=names[row.author],
        changed_by=names[row.changed_by],
        changed_at=row.changed_at,
        revision=row.revision,
        version=_version(row.template_id, row.version),
    )


def _version(template_id: str | None, version: int | None) -> tuple[str, int] | None:
    return None if template_id is None or version is None else (template_id, version)
