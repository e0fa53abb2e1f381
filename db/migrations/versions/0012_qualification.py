"""What the lead of a study did about annotators who missed its threshold after training."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; in studies opened before nobody is held back."""
    op.create_table(
        "qualification",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("since", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("reason", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id", "user_id"],
            ["study_annotator.study_id", "study_annotator.user_id"],
            name=op.f("fk_qualification_study_id_user_id"),
        ),
        sa.PrimaryKeyConstraint("study_id", "user_id", name=op.f("pk_qualification")),
    )


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
