"""Invariants that a database must satisfy at any time, however its processes end, checked in one snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from sqlalchemy import text, tuple_
from sqlmodel import Session, col, select

from clinicnum.db.engine import make_engine, reading
from clinicnum.db.rows import AnnotationRow
from clinicnum.db.work.audit.audit_log import ChainCheck, verify_chain

Label = tuple[str, int]
"""(assignment, revision)."""
AT_ONCE = 500
COUNTS = {
    "doubled": """
        SELECT coalesce(sum(n - 1), 0) FROM (
            SELECT count(*) AS n FROM annotation GROUP BY assignment_id, revision
            UNION ALL SELECT count(*) FROM assignment GROUP BY study_id, generation, user_id, round
        ) AS many""",
    "gaps": """
        SELECT count(*) FROM assignment AS a LEFT JOIN (
            SELECT assignment_id, count(*) AS n, min(revision) AS low, max(revision) AS high
            FROM annotation GROUP BY assignment_id
        ) AS r ON r.assignment_id = a.id
        WHERE a.revision <> coalesce(r.n, 0) OR a.revision <> coalesce(r.high, 0)
            OR coalesce(r.low, 1) <> 1""",
    "misfiled": """
        SELECT count(*) FROM assignment AS a LEFT JOIN annotation AS r
            ON r.assignment_id = a.id AND r.revision = a.revision
        WHERE (a.status = 'submitted') <> coalesce(r.submitted, false)""",
    "miscounted": """
        SELECT count(*) FROM study_item AS i LEFT JOIN (
            SELECT study_id, generation, count(*) AS n FROM assignment
            WHERE status IN ('open', 'submitted') AND round <> 'repeat' GROUP BY study_id, generation
        ) AS h ON h.study_id = i.study_id AND h.generation = i.generation
        WHERE i.taken <> coalesce(h.n, 0)""",
    "overfull": "SELECT count(*) FROM study_item WHERE taken > places",
    "misled": """
        SELECT count(*) FROM study_annotator AS p LEFT JOIN (
            SELECT study_id, user_id, count(*) AS n,
                sum(CASE WHEN status = 'submitted' THEN 1 ELSE 0 END) AS done
            FROM assignment GROUP BY study_id, user_id
        ) AS m ON m.study_id = p.study_id AND m.user_id = p.user_id
        WHERE p.claimed <> coalesce(m.n, 0) OR p.done <> coalesce(m.done, 0)""",
    "orphans": """
        SELECT (SELECT count(*) FROM annotation AS r WHERE NOT EXISTS (
            SELECT 1 FROM assignment AS a WHERE a.id = r.assignment_id AND a.study_id = r.study_id
        )) + (SELECT count(*) FROM assignment AS a WHERE NOT EXISTS (
            SELECT 1 FROM study_item AS i WHERE i.study_id = a.study_id AND i.generation = a.generation
        )) + (SELECT count(*) FROM assignment AS a WHERE NOT EXISTS (
            SELECT 1 FROM study_annotator AS p WHERE p.study_id = a.study_id AND p.user_id = a.user_id
        ))""",
    "unlogged": """
        SELECT abs((SELECT count(*) FROM annotation)
            - (SELECT count(*) FROM audit WHERE action IN ('save_judgement', 'submit')))""",
}
"""SQL counts by name; each must be 0."""


@dataclass(frozen=True)
class Faults:
    """Counts of violations; all should be 0."""

    lost: int
    """Acknowledged labels missing in the database."""
    doubled: int
    """Labels or assignments of an item to an annotator that are in the database twice."""
    gaps: int
    """Assignments whose revisions are not numbered 1, 2, 3 and so on up to their current revision."""
    misfiled: int
    """Assignments with the status submitted but no submitted judgement, or the other way round."""
    miscounted: int
    """Items whose count of taken places is not the number of assignments that hold one."""
    overfull: int
    """Items with more annotators than places."""
    misled: int
    """Annotators whose stored counts differ from those of their assignments."""
    orphans: int
    """Rows that refer to a missing row."""
    unlogged: int
    """Labels without a row in the audit log, or the other way round."""
    vanished: int
    """Decrease in the number of labels since the previous check."""
    broken: int
    """Audit chains that do not verify."""

    def __bool__(self) -> bool:
        return any(getattr(self, one.name) for one in fields(self))


@dataclass(frozen=True)
class Checked:
    """Result of one check of the database's invariants, and how far it read the audit log: the next check
    continues there.
    """

    faults: Faults
    labels: int
    """Number of labels in the database, acknowledged or not."""
    chains: tuple[ChainCheck, ...] = ()


def check(url: str, acknowledged: Sequence[Label], before: Checked | None) -> Checked:
    """Check a database in use.

    `acknowledged` holds labels acknowledged before this call. Of the audit log, only rows added since the
    check `before` are verified; everything else is checked completely.
    """
    engine = make_engine(url)
    try:
        with reading(engine) as session:
            counted = {name: int(session.execute(text(sql)).scalar_one()) for name, sql in COUNTS.items()}
            labels = int(session.execute(text("SELECT count(*) FROM annotation")).scalar_one())
            chains = verify_chain(session, since=before.chains if before else ())
            faults = Faults(
                lost=sum(
                    _missing(session, acknowledged[start : start + AT_ONCE])
                    for start in range(0, len(acknowledged), AT_ONCE)
                ),
                vanished=max(0, before.labels - labels) if before else 0,
                broken=sum(chain.broken_at is not None for chain in chains),
                **counted,
            )
    finally:
        engine.dispose()
    return Checked(faults, labels, chains)


def _missing(session: Session, labels: Sequence[Label]) -> int:
    key = tuple_(col(AnnotationRow.assignment_id), col(AnnotationRow.revision))
    found = session.execute(
        select(col(AnnotationRow.assignment_id), col(AnnotationRow.revision)).where(key.in_(labels))
    )
    return len(set(labels) - {(assignment, revision) for assignment, revision in found})
