"""A number that grows with what is stored of a run, so that tables kept in memory are known to be current."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; runs that are there begin at 0."""
    with op.batch_alter_table("run") as batch:
        batch.add_column(sa.Column("revision", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("run") as batch:
        batch.alter_column("revision", existing_type=sa.Integer(), server_default=None)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
