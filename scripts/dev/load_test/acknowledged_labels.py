"""Compare the labels that the server acknowledged with those in the database."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.db.engine import reading
from clinicnum.db.rows import AnnotationRow, AssignmentRow, StudyItemRow, StudyRow
from clinicnum.db.work.audit.audit_log import verify_chain
from clinicnum.scripts.dev.load_test.http_annotator import Annotator


@dataclass(frozen=True)
class Ledger:
    """Labels that the server acknowledged, compared with those in the database.

    All counts should be 0, except `acknowledged`, and, if an annotator was interrupted, `unasked` and
    `part_filled`.
    """

    acknowledged: int
    """Labels that the server confirmed as saved."""
    lost: int
    """Acknowledged labels that are not in the database."""
    doubled: int
    """Labels or assignments of an item to an annotator that are in the database twice."""
    unasked: int
    """Labels in the database that were never acknowledged, because the response was lost."""
    part_filled: int
    """Items with some but not all of their places taken."""
    miscounted: int
    """Items whose count of taken places is not the number of assignments that hold one."""
    chains_broken: int
    """Audit chains that do not verify."""


def balance(engine: Engine, annotators: Sequence[Annotator], *, study: str | None = None) -> Ledger:
    """Compare the acknowledged labels with those of one study in the database (None: of all studies)."""
    acknowledged = Counter(label for one in annotators for label in one.acknowledged)
    with reading(engine) as session:
        wanted = col(StudyRow.name) == study if study else col(StudyRow.name) != ""
        ids = select(col(StudyRow.id)).where(wanted)
        labels = select(col(AnnotationRow.assignment_id), col(AnnotationRow.revision))
        kept = Counter(
            (key, revision)
            for key, revision in session.execute(labels.where(col(AnnotationRow.study_id).in_(ids)))
        )
        mine = [col(AssignmentRow.generation), col(AssignmentRow.user_id), col(AssignmentRow.round)]
        twice = select(func.count()).select_from(AssignmentRow).group_by(*mine, col(AssignmentRow.study_id))
        assigned = session.scalars(twice.where(col(AssignmentRow.study_id).in_(ids)).having(func.count() > 1))
        held = (
            select(func.count())
            .select_from(AssignmentRow)
            .where(
                col(AssignmentRow.study_id) == col(StudyItemRow.study_id),
                col(AssignmentRow.generation) == col(StudyItemRow.generation),
                col(AssignmentRow.status).in_(("open", "submitted")),
                col(AssignmentRow.round) != "repeat",
            )
            .scalar_subquery()
        )
        places = list(
            session.execute(
                select(col(StudyItemRow.taken), col(StudyItemRow.places), held).where(
                    col(StudyItemRow.study_id).in_(ids)
                )
            )
        )
        return Ledger(
            acknowledged=acknowledged.total(),
            lost=sum(label not in kept for label in acknowledged),
            doubled=len(assigned.all())
            + sum(many - 1 for many in (kept | acknowledged).values() if many > 1),
            unasked=sum(label not in acknowledged for label in kept),
            part_filled=sum(0 < taken < wanted for taken, wanted, _ in places),
            miscounted=sum(taken != holding for taken, _, holding in places),
            chains_broken=sum(chain.broken_at is not None for chain in verify_chain(session)),
        )
