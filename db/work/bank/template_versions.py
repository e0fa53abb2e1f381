"""The bank in the database: every version of every template and of every item draft, and changes of status.

Versions of templates come with the program, from files, from drafts, or with a benchmark, which does not hold
their content.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.template_version_states import WRITTEN, check_step
from clinicnum.db.engine import lock
from clinicnum.db.rows import TemplateRow, utc_now
from clinicnum.db.work.audit.audit_log import append
from clinicnum.errors import Conflict, InputError
from clinicnum.io.jsonl import sha256_json
from clinicnum.templates.packaged_banks import named_bank
from clinicnum.templates.template import Status, Template
from clinicnum.translatable_text import Translatable

LOCK = "bank"
PROGRAM = "program"
"""The actor of changes made by the program itself."""


def add_packaged_templates(session: Session) -> int:
    """Add the packaged banks if they are not in the database; returns how many versions were new.

    Raises Conflict as `add_templates` does.
    """
    return add_templates(session, named_bank("all"))


def add_templates(session: Session, templates: Iterable[Template], *, actor: str = PROGRAM) -> int:
    """Add missing versions with their status, and log them; returns how many were new.

    A version known only from a benchmark gets its content. Raises Conflict for a version that is in the bank
    with other content.
    """
    lock(session, LOCK)
    there = {(row.template_id, row.version): row for row in session.scalars(select(TemplateRow))}
    new: list[TemplateRow] = []
    for template in templates:
        row = there.get((template.id, template.version))
        if row is None:
            row = TemplateRow(**_columns(template), status=template.status)
            session.add(row)
        elif not row.payload:
            for name, value in _columns(template).items():
                setattr(row, name, value)
        elif not same_content(row.payload, template.model_dump(mode="json")):
            raise Conflict(
                Translatable(
                    "{template} version {version} is in the bank with other content; give the changed "
                    "template a new version",
                    template=template.id,
                    version=template.version,
                )
            )
        else:
            continue
        new.append(row)
    session.flush()
    if new:
        _log_states(session, new, actor=actor, action="keep_templates")
    return len(new)


def put_version(session: Session, template: Template, *, author: str) -> TemplateRow:
    """Add a version, or overwrite one that is still a draft. Raises Conflict for a version of any other
    status.
    """
    return put_columns(session, _columns(template), status=template.status, author=author)


def put_columns(
    session: Session, columns: dict[str, Any], *, author: str, status: Status = "draft"
) -> TemplateRow:
    """Add a draft's version of a template or an item, given by its columns, or overwrite one that is still a
    draft. Raises Conflict for a version of any other status.
    """
    key = template_id, version = columns["template_id"], columns["version"]
    row = session.get(TemplateRow, key, with_for_update=True, populate_existing=True)
    if row is None:
        row = TemplateRow(**columns, status=status, author=author, changed_at=utc_now())
    elif row.status not in WRITTEN or not row.payload:
        raise Conflict(
            Translatable(
                "{template} version {version} is {status} and is not rewritten; give the change "
                "version {next}",
                template=template_id,
                version=version,
                status=row.status,
                next=next_version(session, template_id),
            )
        )
    else:
        for name, value in columns.items():
            setattr(row, name, value)
    session.add(row)
    session.flush()
    _log_states(session, [row], actor=author, action="put_template")
    return row


def set_status(
    session: Session, row: TemplateRow, status: Status, *, actor: str, why: dict[str, Any]
) -> None:
    """Change the status of a version and log it. Raises Conflict for a change that is not allowed."""
    name, was = f"{row.template_id} version {row.version}", row.status
    check_step(name, was, status)  # type: ignore[arg-type]  # the database checks the column
    row.status, row.changed_at = status, utc_now()
    session.add(row)
    session.flush()
    told = {"template": [row.template_id, row.version]}
    append(
        session,
        study_id=None,
        actor=actor,
        action="template_status",
        before={**told, "status": was},
        after={**told, "status": status, **why, "template_states": states_of([row])},
    )


def states_of(rows: Iterable[TemplateRow]) -> dict[str, tuple[str, str]]:
    """Status and content hash by name of the version, as written to the audit log."""
    return {
        f"{row.template_id} version {row.version}": (row.status, sha256_json(row.payload)) for row in rows
    }


def _log_states(session: Session, rows: Iterable[TemplateRow], *, actor: str, action: str) -> None:
    append(session, study_id=None, actor=actor, action=action, after={"template_states": states_of(rows)})


def find_version(session: Session, template_id: str, version: int, *, items_too: bool = False) -> TemplateRow:
    """The row of a template version, or with `items_too` of an item. Raises InputError if there is none."""
    # PostgreSQL rejects NUL in text.
    row = None if "\0" in template_id else session.get(TemplateRow, (template_id, version))
    if row is None or (row.kind == "item" and not items_too):
        raise InputError(
            Translatable(
                "the bank has no {template} version {version}; look it up on the page Bank",
                template=template_id,
                version=version,
            )
        )
    return row


def template_of(row: TemplateRow) -> Template:
    """The template stored in the row of a version, with the status that the version has now.

    Raises InputError if the row holds no template, as the version is known only from a benchmark that names
    it.
    """
    if not row.payload:
        raise InputError(
            f"{row.template_id} version {row.version} is known from a benchmark only; "
            "import the bank that it was made from"
        )
    return Template.model_validate({**row.payload, "status": row.status})


def next_version(session: Session, template_id: str) -> int:
    """The number of the next version of a template."""
    latest = session.scalar(
        select(func.max(TemplateRow.version)).where(col(TemplateRow.template_id) == template_id)
    )
    return (latest or 0) + 1


def same_content(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two payloads describe the same template, ignoring defaults that another version of the program
    would add.
    """
    if content_of(one) == content_of(other):
        return True
    try:
        first, second = (Template.model_validate(payload).model_dump(mode="json") for payload in (one, other))
    except ValidationError:
        return False
    return content_of(first) == content_of(second)


def content_of(payload: dict[str, Any]) -> dict[str, Any]:
    """The stored payload of a template version without its status, so that two versions can be compared."""
    return {name: value for name, value in payload.items() if name != "status"}


def _columns(template: Template) -> dict[str, Any]:
    return {
        "template_id": template.id,
        "version": template.version,
        "payload": template.model_dump(mode="json"),
        "operation": template.operation,
        "words": " ".join((template.id, *template.tags, *template.wording)).lower(),
    }
