"""Items store the group of their instance: who saw the reference of one knows that of all."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Copy the group of each item from its instance."""
    op.add_column("study_item", sa.Column("group_id", sa.String()))
    op.execute(
        "UPDATE study_item SET group_id = (SELECT instance.group_id FROM generation "
        "JOIN instance ON instance.id = generation.instance WHERE generation.id = study_item.generation)"
    )
    with op.batch_alter_table("study_item") as batch:
        batch.alter_column("group_id", existing_type=sa.String(), nullable=False)
    op.create_index(op.f("ix_study_item_study_id_group_id"), "study_item", ["study_id", "group_id"])


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
