"""Preconditions for opening a review round on a version, and for making it a draft again."""

from typing import Any

from sqlalchemy import exists, func, select
from sqlmodel import Session, col

from clinicnum.annotations.curation.template_version_states import SAID
from clinicnum.db.rows import (
    IN_FINISHED,
    DraftRow,
    InstanceRow,
    ReleaseTemplateRow,
    ReviewRoundRow,
    TemplateRow,
)
from clinicnum.errors import Conflict
from clinicnum.translatable_text import Translatable

OPENABLE = ("draft", "in_review", "unreviewed")
"""Statuses of a version on which a round may be opened."""


def check_openable(session: Session, row: TemplateRow) -> None:
    """Raise Conflict if the version cannot be reviewed, or not now."""
    name = Translatable("{template} version {version}", template=row.template_id, version=row.version)
    if row.status not in OPENABLE:
        raise Conflict(
            Translatable(
                "{name} is {status}; a change of it is a new version, and that is reviewed",
                name=name,
                status=SAID[row.status],  # type: ignore[index]  # the database checks the column
            )
        )
    newer = select(func.max(col(TemplateRow.version))).where(
        col(TemplateRow.template_id) == row.template_id,
        col(TemplateRow.version) > row.version,
        col(TemplateRow.status) == "validated",
    )
    followed = session.scalar(newer)
    if followed is not None:
        raise Conflict(
            Translatable(
                "version {followed} is validated already; {name} is not reviewed after it; begin a new "
                "version",
                followed=followed,
                name=name,
            )
        )
    if session.execute(select(_round_of(row))).scalar_one():
        raise Conflict(
            Translatable("{name} is in a round of review already; close that one first", name=name)
        )
    drafts = set(session.scalars(select(col(DraftRow.status)).where(*_of(DraftRow, row))))
    if "open" in drafts:
        raise Conflict(
            Translatable("{name} went back to its author; a review begins when they send it again", name=name)
        )
    if drafts == {"discarded"}:
        raise Conflict(
            Translatable("the draft of {name} was discarded; begin a new draft and send that", name=name)
        )


def _round_of(row: TemplateRow) -> Any:
    return exists().where(*_of(ReviewRoundRow, row), col(ReviewRoundRow.status) == "open")


def _of(table: type[DraftRow] | type[ReviewRoundRow], row: TemplateRow) -> tuple[Any, Any]:
    return col(table.template_id) == row.template_id, col(table.version) == row.version


def was_asked(session: Session, version: TemplateRow) -> bool:
    """Whether the version may have been used: it was not drafted here, is in a release, or has instances."""
    of_it = (version.template_id, version.version)
    used = exists().where(
        col(InstanceRow.template_id) == of_it[0], col(InstanceRow.template_version) == of_it[1], IN_FINISHED
    )
    published = exists().where(
        col(ReleaseTemplateRow.template_id) == of_it[0], col(ReleaseTemplateRow.version) == of_it[1]
    )
    return version.author is None or bool(session.execute(select(used | published)).scalar_one())
