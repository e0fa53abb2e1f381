"""Let annotations be without an item judgement: one locked before the reference is shown has none yet."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TABLE = "annotation"


def upgrade() -> None:
    """Let `annotation.item_judgement` be empty; on SQLite the table is copied, and its triggers with it."""
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.alter_column(TABLE, "item_judgement", existing_type=sa.String(), nullable=True)
        return
    statement = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
    triggers = bind.exec_driver_sql(statement, (TABLE,)).scalars().all()
    with op.batch_alter_table(TABLE) as batch:
        batch.alter_column("item_judgement", existing_type=sa.String(), nullable=True)
    for trigger in triggers:
        op.execute(trigger)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
