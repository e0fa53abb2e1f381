"""A study may have a day by which its work is wanted."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; studies opened before have no deadline."""
    op.add_column("study", sa.Column("deadline", sa.Date(), nullable=True))


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
