"""What an account's pages keep on the server: the study that was chosen, and how the tour ended."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; an account without a row has chosen nothing and seen no tour."""
    op.create_table(
        "page_state",
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=True),
        sa.Column("tour", sa.String(), nullable=True),
        sa.CheckConstraint("tour IN ('seen', 'skipped')", name=op.f("ck_page_state_tour")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_page_state_user_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_page_state_study_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_page_state")),
    )


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
