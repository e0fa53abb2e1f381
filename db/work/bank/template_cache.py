"""A cache of the bank's templates: a draft is compared with thousands of them at every pause in typing."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import TemplateRow
from clinicnum.templates.template import Template

COMPARED = ("unreviewed", "in_review", "validated")
Key = tuple[str, int, datetime | None]
"""Id, version, and when the status last changed, as a version returned from review may have new content."""


class KnownTemplates:
    """The bank's templates, cached, with which a new one is compared."""

    def __init__(self) -> None:
        self._read: dict[Key, Template] = {}

    def all(self, session: Session) -> tuple[Template, ...]:
        """The templates in use or in review, by id. Versions known only from a benchmark are left out."""
        there = (col(TemplateRow.status).in_(COMPARED), col(TemplateRow.operation).is_not(None))
        columns = (col(TemplateRow.template_id), col(TemplateRow.version), col(TemplateRow.changed_at))
        keys: list[Key] = [tuple(row) for row in session.execute(select(*columns).where(*there))]
        if any(key not in self._read for key in keys):
            rows = session.scalars(select(TemplateRow).where(*there))
            for row in rows:
                key = (row.template_id, row.version, row.changed_at)
                if key not in self._read:
                    self._read[key] = Template.model_validate(row.payload)
        return tuple(self._read[key] for key in sorted(keys, key=lambda key: key[:2]) if key in self._read)
