"""Jobs of a worker, frozen reports, saved views, labels of runs, and the role `researcher`."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ROLES = ("annotator", "adjudicator", "curator", "researcher", "admin")
JOB_STATUSES = ("queued", "running", "done", "failed", "cancelled")


def _one_of(values: tuple[str, ...], column: str) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


def upgrade() -> None:
    """Make the tables, add the column, and widen the check of `user.role`."""
    with op.batch_alter_table("user") as batch:
        batch.drop_constraint(op.f("ck_user_role"), type_="check")
        batch.create_check_constraint(op.f("ck_user_role"), _one_of(ROLES, "role"))
    op.add_column("run", sa.Column("label", sa.JSON(none_as_null=True), nullable=True))
    _make_jobs()
    op.create_table(
        "frozen_report",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("title", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("studies", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_frozen_report_job_id")),
        sa.ForeignKeyConstraint(["created_by"], ["user.id"], name=op.f("fk_frozen_report_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frozen_report")),
    )
    op.create_table(
        "saved_view",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("query", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["user.id"], name=op.f("fk_saved_view_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_view")),
    )


def _make_jobs() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("requested_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("progress", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("log_tail", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(_one_of(JOB_STATUSES, "status"), name=op.f("ck_job_status")),
        sa.ForeignKeyConstraint(["requested_by"], ["user.id"], name=op.f("fk_job_requested_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(op.f("ix_job_status_created_at"), "job", ["status", "created_at"])
    op.create_table(
        "job_file",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_file_job_id")),
        sa.PrimaryKeyConstraint("job_id", "name", name=op.f("pk_job_file")),
    )


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
