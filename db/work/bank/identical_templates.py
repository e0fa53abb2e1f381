"""A template that says just what another of the bank says: a copy, or a new version without a change."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.bank.template_versions import template_of
from clinicnum.errors import Conflict
from clinicnum.templates.bank import said_alone
from clinicnum.templates.template import Template


def refuse_twins(session: Session, templates: Iterable[Template]) -> None:
    """Raise Conflict if one says just what another of them, or of the bank, says; retired ones apart."""
    seen: dict[str, Template] = {}
    for template in templates:
        if template.status == "retired":
            continue
        twin = seen.setdefault(said_alone(template), template)
        if twin is not template:
            raise _conflict(template, twin.id, twin.version)
        refuse_twin(session, template)


def refuse_twin(session: Session, template: Template) -> None:
    """Raise Conflict if the bank has what a template says, in another version that is not retired."""
    ending = " ".join(template.wording).lower()
    likely = session.scalars(
        select(TemplateRow)
        .where(
            col(TemplateRow.operation) == template.operation,
            col(TemplateRow.status) != "retired",
            col(TemplateRow.words).endswith(ending, autoescape=True),
        )
        .order_by(col(TemplateRow.template_id), col(TemplateRow.version))
    )
    for row in likely:
        another = (row.template_id, row.version) != (template.id, template.version)
        if another and said_alone(template_of(row)) == said_alone(template):
            raise _conflict(template, row.template_id, row.version)


def _conflict(template: Template, twin: str, version: int) -> Conflict:
    if twin == template.id:
        told = "change something, or leave it at that version"
    else:
        told = f"use it instead of {template.id}, or change what is asked"
    return Conflict(f"version {version} of {twin} says just the same; {told}")
