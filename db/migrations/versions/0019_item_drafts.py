"""Drafts and versions of items for imported benchmarks, beside those of templates."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ALLOWED = "kind IN ('template', 'item')"


def upgrade() -> None:
    """Add the columns; all that is there is of templates. On SQLite the tables are copied."""
    for table in ("template", "draft"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("kind", sa.String(), nullable=False, server_default="template"))
        with op.batch_alter_table(table) as batch:
            batch.alter_column("kind", existing_type=sa.String(), server_default=None)
            batch.create_check_constraint(op.f(f"ck_{table}_kind"), ALLOWED)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
