"""Preconditions for opening a review round on a version."""

from typing import Any

from sqlalchemy import exists, func, select
from sqlmodel import Session, col

from clinicnum.db.rows import DraftRow, ReviewRoundRow, TemplateRow
from clinicnum.errors import Conflict

OPENABLE = ("draft", "in_review", "unreviewed")
"""Statuses of a version on which a round may be opened."""


def check_openable(session: Session, row: TemplateRow) -> None:
    """Raise Conflict if the version cannot be reviewed, or not now."""
    name = f"{row.template_id} version {row.version}"
    if row.status not in OPENABLE:
        raise Conflict(f"{name} is {row.status}; a change of it is a new version, and that is reviewed")
    newer = select(func.max(col(TemplateRow.version))).where(
        col(TemplateRow.template_id) == row.template_id,
        col(TemplateRow.version) > row.version,
        col(TemplateRow.status) == "validated",
    )
    followed = session.scalar(newer)
    if followed is not None:
        raise Conflict(
            f"version {followed} is validated already; {name} is not reviewed after it; begin a new version"
        )
    if session.execute(select(_round_of(row))).scalar_one():
        raise Conflict(f"{name} is in a round of review already; close that one first")
    drafts = set(session.scalars(select(col(DraftRow.status)).where(*_of(DraftRow, row))))
    if "open" in drafts:
        raise Conflict(f"{name} went back to its author; a review begins when they send it again")
    if drafts == {"discarded"}:
        raise Conflict(f"the draft of {name} was discarded; begin a new draft and send that")


def _round_of(row: TemplateRow) -> Any:
    return exists().where(*_of(ReviewRoundRow, row), col(ReviewRoundRow.status) == "open")


def _of(table: type[DraftRow] | type[ReviewRoundRow], row: TemplateRow) -> tuple[Any, Any]:
    return col(table.template_id) == row.template_id, col(table.version) == row.version
