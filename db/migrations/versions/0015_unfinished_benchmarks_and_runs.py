"""Until when a benchmark or run that is stored in many short transactions counts as being stored."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; all that is there is complete."""
    for table in ("benchmark", "run"):
        op.add_column(table, sa.Column("storing_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
