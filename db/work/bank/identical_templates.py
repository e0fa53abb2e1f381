"""Refuse a template that is identical to another in the bank: a copy, or a new version without any change."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import TemplateRow
from clinicnum.db.work.bank.template_versions import template_of
from clinicnum.errors import Conflict
from clinicnum.templates.bank import bare_content
from clinicnum.templates.template import Template
from clinicnum.translatable_text import Translatable


def refuse_twins(session: Session, templates: Iterable[Template]) -> None:
    """Raise Conflict if one of these templates is identical to another of them or in the bank; retired ones
    are ignored.
    """
    seen: dict[str, Template] = {}
    for template in templates:
        if template.status == "retired":
            continue
        twin = seen.setdefault(bare_content(template), template)
        if twin is not template:
            raise _conflict(template, twin.id, twin.version)
        refuse_twin(session, template)


def refuse_twin(session: Session, template: Template) -> None:
    """Raise Conflict if the bank has an identical template in another version that is not retired."""
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
        if another and bare_content(template_of(row)) == bare_content(template):
            raise _conflict(template, row.template_id, row.version)


def _conflict(template: Template, twin: str, version: int) -> Conflict:
    if twin == template.id:
        told = Translatable("change something, or leave it at that version")
    else:
        told = Translatable("use it instead of {template}, or change what is asked", template=template.id)
    return Conflict(
        Translatable(
            "version {version} of {twin} says just the same; {told}", version=version, twin=twin, told=told
        )
    )
