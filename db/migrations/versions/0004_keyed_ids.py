"""Ids that pages show are keyed: hashes of published ids told which model and round stand behind an item.

Every study gets a secret, and every item of one an id for pages. In a study that is not closed, assignments,
annotations and adjudications get new ids; the audit log stays as it is, and says in its next rows
(`replace_ids`) which id became which. A closed study keeps the ids that its bundles and exports name.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import op

from clinicnum.db.migrations.write_audit_row import log_upgrade

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
CHUNK = 1000
"""Ids in one row of the audit log, and rows changed by one statement."""
FOREIGN_KEYS = (
    ("annotation", "assignment_id", "assignment", "id"),
    ("contest", "assignment_id", "assignment", "id"),
    ("contest", "annotation_id", "annotation", "id"),
    ("citation", "annotation_id", "annotation", "id"),
    ("citation", "adjudication_id", "adjudication", "id"),
    ("invalidation", "contest", "contest", "annotation_id"),
    ("draft_source", "contest", "contest", "annotation_id"),
)
"""(table, column, the table it refers to, its column) of what follows an id."""
T = TypeVar("T")
Ids = dict[str, str]
"""Old id -> new id."""


def _table(name: str, *columns: str, **typed: Any) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns), *(sa.column(key, kind) for key, kind in typed.items()))


STUDY = _table("study", "id", "status", "secret")
ITEM = _table("study_item", "study_id", "generation", "item_id")
ASSIGNMENT = _table("assignment", "id", "study_id", "generation", "user_id", "round", "former_id")
ANNOTATOR = _table("study_annotator", "study_id", "user_id", "pseudonym")
ANNOTATION = _table("annotation", "id", "study_id", "assignment_id", "revision", payload=JSON)
ADJUDICATION = _table("adjudication", "id", "study_id", "generation", created_at=TIME)
CITATION = _table("citation", "adjudication_id", "annotation_id")
CONTEST = _table("contest", "annotation_id", "assignment_id", "study_id")
INVALIDATION = _table("invalidation", "study_id", "contest")
DRAFT_SOURCE = _table("draft_source", "study_id", "contest")


def upgrade() -> None:
    """Widen the tables, draw secrets, name items, then replace the ids of studies that are not closed."""
    _widen()
    bind = op.get_bind()
    studies = bind.execute(sa.select(STUDY.c.id, STUDY.c.status)).all()
    drawn = {study_id: secrets.token_hex(32) for study_id, _ in studies}
    for study_id, secret in drawn.items():
        bind.execute(sa.update(STUDY).where(STUDY.c.id == study_id).values(secret=secret))
        _name_items(bind, study_id, secret)
    unclosed = [study_id for study_id, status in studies if status != "closed"]
    if unclosed:
        with _unguarded(bind):
            for study_id in unclosed:
                _replace_ids(bind, study_id, drawn[study_id])
    _demand()


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _widen() -> None:
    op.add_column("study", sa.Column("secret", sa.String()))
    op.add_column("study_item", sa.Column("item_id", sa.String()))
    op.add_column("assignment", sa.Column("former_id", sa.String()))


def _demand() -> None:
    with op.batch_alter_table("study") as batch:
        batch.alter_column(
            "seed", existing_type=sa.Integer(), type_=sa.String(), postgresql_using="seed::varchar"
        )
        batch.alter_column("secret", existing_type=sa.String(), nullable=False)
    with op.batch_alter_table("study_item") as batch:
        batch.alter_column("item_id", existing_type=sa.String(), nullable=False)
        batch.create_unique_constraint(op.f("uq_study_item_study_id_item_id"), ["study_id", "item_id"])
    op.create_index(op.f("ix_assignment_study_id_former_id"), "assignment", ["study_id", "former_id"])


def _keyed(secret: str, payload: object) -> str:
    """As `clinicnum.io.jsonl.keyed_id` was when ids were first keyed."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()[:16]


def _hashed(payload: object) -> str:
    """As `clinicnum.io.jsonl.content_id` was then."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _name_items(bind: sa.Connection, study_id: str, secret: str) -> None:
    generations = bind.scalars(sa.select(ITEM.c.generation).where(ITEM.c.study_id == study_id)).all()
    statement = (
        sa.update(ITEM)
        .where(ITEM.c.study_id == study_id, ITEM.c.generation == sa.bindparam("of"))
        .values(item_id=sa.bindparam("named"))
    )
    _many(bind, statement, [{"of": one, "named": _keyed(secret, ["item", one])} for one in generations])


def _many(bind: sa.Connection, statement: sa.Update, rows: Sequence[Mapping[str, Any]]) -> None:
    for part in _parts(rows, CHUNK):
        bind.execute(statement, list(part))


def _parts(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


@contextmanager
def _unguarded(bind: sa.Connection) -> Iterator[None]:
    """Let annotations be changed and ids be replaced in the block; on SQLite `clinicnum.db.migrate` has
    switched foreign keys off.
    """
    if bind.dialect.name == "sqlite":
        trigger = "annotation_no_update"
        made = bind.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)).scalar_one()
        op.execute(f"DROP TRIGGER {trigger}")
        yield
        op.execute(made)
        return
    op.execute("ALTER TABLE annotation DISABLE TRIGGER annotation_no_change")
    for table, column, _, _ in FOREIGN_KEYS:
        op.drop_constraint(op.f(f"fk_{table}_{column}"), table, type_="foreignkey")
    yield
    for table, column, refers_to, key in FOREIGN_KEYS:
        op.create_foreign_key(op.f(f"fk_{table}_{column}"), table, refers_to, [column], [key])
    op.execute("ALTER TABLE annotation ENABLE TRIGGER annotation_no_change")


def _replace_ids(bind: sa.Connection, study_id: str, secret: str) -> None:
    assignments = _replace_assignments(bind, study_id, secret)
    annotations = _replace_annotations(bind, study_id, assignments)
    adjudications = _replace_adjudications(bind, study_id, secret)
    _replace_citations(bind, study_id, annotations, adjudications)
    _replace_contests(bind, study_id, assignments, annotations)
    for kind, ids in (
        ("assignments", assignments),
        ("annotations", annotations),
        ("adjudications", adjudications),
    ):
        for part in _parts(sorted(ids.items()), CHUNK):
            log_upgrade(bind, study_id, "replace_ids", {kind: dict(part)})


def _renamed(ids: Ids) -> list[dict[str, str]]:
    return [{"old": old, "new": new} for old, new in ids.items()]


def _replace_assignments(bind: sa.Connection, study_id: str, secret: str) -> Ids:
    rows = bind.execute(
        sa.select(ASSIGNMENT.c.id, ASSIGNMENT.c.generation, ANNOTATOR.c.pseudonym, ASSIGNMENT.c.round)
        .join(
            ANNOTATOR,
            (ANNOTATOR.c.study_id == ASSIGNMENT.c.study_id) & (ANNOTATOR.c.user_id == ASSIGNMENT.c.user_id),
        )
        .where(ASSIGNMENT.c.study_id == study_id)
    ).all()
    ids = {old: _keyed(secret, ["assignment", *about]) for old, *about in rows}
    statement = (
        sa.update(ASSIGNMENT)
        .where(ASSIGNMENT.c.id == sa.bindparam("old"))
        .values(id=sa.bindparam("new"), former_id=sa.bindparam("old"))
    )
    _many(bind, statement, _renamed(ids))
    return ids


def _replace_annotations(bind: sa.Connection, study_id: str, assignments: Ids) -> Ids:
    """Give annotations new ids, which follow from those of their assignments; returns new id by old id.

    The payloads name the ids too, and are read in parts: a study may have a hundred thousand.
    """
    rows = bind.execute(
        sa.select(ANNOTATION.c.id, ANNOTATION.c.assignment_id, ANNOTATION.c.revision).where(
            ANNOTATION.c.study_id == study_id
        )
    ).all()
    ids = {
        old: _hashed(["annotation", assignments[assignment], revision]) for old, assignment, revision in rows
    }
    belongs = {old: assignments[assignment] for old, assignment, _ in rows}
    statement = (
        sa.update(ANNOTATION)
        .where(ANNOTATION.c.id == sa.bindparam("old"))
        .values(
            id=sa.bindparam("new"),
            assignment_id=sa.bindparam("whose"),
            payload=sa.bindparam("said", type_=JSON),
        )
    )
    for part in _parts(list(ids), 500):
        read = sa.select(ANNOTATION.c.id, ANNOTATION.c.payload).where(ANNOTATION.c.id.in_(part))
        changed = [
            {"old": old, "new": ids[old], "whose": belongs[old], "said": said | {"annotation_id": ids[old]}}
            for old, said in bind.execute(read).all()
        ]
        bind.execute(statement, changed)
    return ids


def _replace_adjudications(bind: sa.Connection, study_id: str, secret: str) -> Ids:
    rows = bind.execute(
        sa.select(ADJUDICATION.c.id, ADJUDICATION.c.generation)
        .where(ADJUDICATION.c.study_id == study_id)
        .order_by(ADJUDICATION.c.created_at, ADJUDICATION.c.id)
    ).all()
    ids: Ids = {}
    made: dict[str, int] = {}
    for old, generation in rows:
        made[generation] = made.get(generation, 0) + 1
        ids[old] = _keyed(secret, ["adjudication", generation, made[generation]])
    statement = sa.update(ADJUDICATION).where(ADJUDICATION.c.id == sa.bindparam("old"))
    _many(bind, statement.values(id=sa.bindparam("new")), _renamed(ids))
    return ids


def _replace_citations(bind: sa.Connection, study_id: str, annotations: Ids, adjudications: Ids) -> None:
    cited: list[dict[str, str]] = []
    for part in _parts(list(adjudications), 500):
        read = sa.select(CITATION.c.adjudication_id, CITATION.c.annotation_id).where(
            CITATION.c.adjudication_id.in_(part)
        )
        cited += [{"by": by, "what": what} for by, what in bind.execute(read).all()]
    statement = (
        sa.update(CITATION)
        .where(
            CITATION.c.adjudication_id == sa.bindparam("by"),
            CITATION.c.annotation_id == sa.bindparam("what"),
        )
        .values(adjudication_id=sa.bindparam("new_by"), annotation_id=sa.bindparam("new_what"))
    )
    renamed = [
        {**one, "new_by": adjudications[one["by"]], "new_what": annotations[one["what"]]} for one in cited
    ]
    _many(bind, statement, renamed)


def _replace_contests(bind: sa.Connection, study_id: str, assignments: Ids, annotations: Ids) -> None:
    rows = bind.execute(
        sa.select(CONTEST.c.annotation_id, CONTEST.c.assignment_id).where(CONTEST.c.study_id == study_id)
    ).all()
    renamed = [
        {"old": old, "new": annotations[old], "whose": assignments[assignment]} for old, assignment in rows
    ]
    statement = sa.update(CONTEST).where(CONTEST.c.annotation_id == sa.bindparam("old"))
    _many(
        bind,
        statement.values(annotation_id=sa.bindparam("new"), assignment_id=sa.bindparam("whose")),
        renamed,
    )
    for table in (INVALIDATION, DRAFT_SOURCE):
        named = bind.scalars(
            sa.select(table.c.contest).where(table.c.study_id == study_id, table.c.contest.is_not(None))
        ).all()
        follow = sa.update(table).where(table.c.study_id == study_id, table.c.contest == sa.bindparam("old"))
        ids = {old: annotations[old] for old in named}
        _many(bind, follow.values(contest=sa.bindparam("new")), _renamed(ids))
