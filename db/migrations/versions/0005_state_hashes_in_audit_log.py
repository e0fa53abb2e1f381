"""From here on, the audit log holds a hash of everything stored for each label, invalidation and template.

Its earlier rows record what was judged, but neither the times and circumstances nor the content of a
template. New rows (`record_state`) hold the hash of each as it is at the time of the upgrade.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import sqlalchemy as sa
from alembic import op

from clinicnum.db.migrations.write_audit_row import canonical_sha256, log_upgrade

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
CHUNK = 500
"""Hashes in one row of the log."""
T = TypeVar("T")
STUDY = sa.table("study", sa.column("id"))
ANNOTATION = sa.table("annotation", sa.column("id"), sa.column("study_id"), sa.column("payload", JSON))
INVALIDATION = sa.table(
    "invalidation",
    *map(sa.column, ("study_id", "instance", "rule")),
    sa.column("reason", JSON),
)
INSTANCE = sa.table("instance", sa.column("id"), sa.column("instance_id"))
TEMPLATE = sa.table(
    "template", *map(sa.column, ("template_id", "version", "status")), sa.column("payload", JSON)
)


def upgrade() -> None:
    """Record annotations and invalidations of every study, then the templates."""
    bind = op.get_bind()
    for study_id in bind.scalars(sa.select(STUDY.c.id).order_by(STUDY.c.id)).all():
        _record_annotations(bind, study_id)
        _record_invalidations(bind, study_id)
    _record_templates(bind)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))


def _record_annotations(bind: sa.Connection, study_id: str) -> None:
    own = sa.select(ANNOTATION.c.id).where(ANNOTATION.c.study_id == study_id).order_by(ANNOTATION.c.id)
    for part in _parts(bind.scalars(own).all()):
        read = sa.select(ANNOTATION.c.id, ANNOTATION.c.payload).where(ANNOTATION.c.id.in_(part))
        told = {key: canonical_sha256(payload) for key, payload in bind.execute(read).all()}
        log_upgrade(bind, study_id, "record_state", {"annotations": told})


def _record_invalidations(bind: sa.Connection, study_id: str) -> None:
    out = bind.execute(
        sa.select(INSTANCE.c.instance_id, INVALIDATION.c.rule, INVALIDATION.c.reason)
        .join(INVALIDATION, INSTANCE.c.id == INVALIDATION.c.instance)
        .where(INVALIDATION.c.study_id == study_id)
        .order_by(INSTANCE.c.instance_id)
    ).all()
    for part in _parts(out):
        told = {key: canonical_sha256([rule, reason]) for key, rule, reason in part}
        log_upgrade(bind, study_id, "record_state", {"invalidations": told})


def _record_templates(bind: sa.Connection) -> None:
    order = (TEMPLATE.c.template_id, TEMPLATE.c.version)
    rows = bind.execute(sa.select(*order, TEMPLATE.c.status, TEMPLATE.c.payload).order_by(*order)).all()
    for part in _parts(rows):
        told = {
            f"{template_id} version {version}": [status, canonical_sha256(payload)]
            for template_id, version, status, payload in part
        }
        log_upgrade(bind, "installation", "record_state", {"template_states": told})
