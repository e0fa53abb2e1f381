"""The studio: drafts and their sources, rounds of review, releases, and what is known of each template."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Widen `template`, then add the studio's tables."""
    _widen_templates()
    _create_drafts()
    _create_rounds()
    _create_reviews()
    _create_releases()


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _widen_templates() -> None:
    with op.batch_alter_table("template") as batch:
        batch.add_column(sa.Column("operation", sa.String(), nullable=True))
        batch.add_column(sa.Column("words", sa.String(), nullable=False, server_default=""))
        batch.add_column(sa.Column("author", sa.String(), nullable=True))
        batch.add_column(sa.Column("changed_at", TIME, nullable=True))
        batch.create_foreign_key(op.f("fk_template_author"), "user", ["author"], ["id"])
    with op.batch_alter_table("template") as batch:
        batch.alter_column("words", existing_type=sa.String(), server_default=None)
    op.create_index(op.f("ix_template_operation_template_id"), "template", ["operation", "template_id"])
    op.create_index(
        op.f("ix_instance_template_id_template_version"), "instance", ["template_id", "template_version"]
    )


def _create_drafts() -> None:
    op.create_table(
        "draft",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("content", JSON, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("edited_by", JSON, nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("base_id", sa.String(), nullable=True),
        sa.Column("base_version", sa.Integer(), nullable=True),
        sa.Column("note", JSON, nullable=False),
        sa.Column("provokes", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.CheckConstraint("status IN ('open', 'submitted', 'discarded')", name=op.f("ck_draft_status")),
        sa.ForeignKeyConstraint(["author"], ["user.id"], name=op.f("fk_draft_author")),
        sa.ForeignKeyConstraint(["changed_by"], ["user.id"], name=op.f("fk_draft_changed_by")),
        sa.ForeignKeyConstraint(
            ["base_id", "base_version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_draft_base_id_base_version"),
        ),
        sa.ForeignKeyConstraint(
            ["template_id", "version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_draft_template_id_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
    )
    op.create_index(op.f("ix_draft_status_changed_at"), "draft", ["status", "changed_at"])
    op.create_table(
        "draft_source",
        sa.Column("draft", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("contest", sa.String(), nullable=True),
        sa.CheckConstraint("kind IN ('failure', 'contest', 'cluster')", name=op.f("ck_draft_source_kind")),
        sa.ForeignKeyConstraint(["contest"], ["contest.annotation_id"], name=op.f("fk_draft_source_contest")),
        sa.ForeignKeyConstraint(["draft"], ["draft.id"], name=op.f("fk_draft_source_draft")),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_score.study_id", "study_score.generation"],
            name=op.f("fk_draft_source_study_id_generation"),
        ),
        sa.PrimaryKeyConstraint("draft", "study_id", "generation", name=op.f("pk_draft_source")),
    )
    op.create_index(op.f("ix_draft_source_study_id_generation"), "draft_source", ["study_id", "generation"])


def _create_rounds() -> None:
    op.create_table(
        "review_round",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("opened_by", sa.String(), nullable=False),
        sa.Column("opened_at", TIME, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("closed_at", TIME, nullable=True),
        sa.Column("outcome", JSON, nullable=True),
        sa.CheckConstraint("status IN ('open', 'accepted', 'returned')", name=op.f("ck_review_round_status")),
        sa.ForeignKeyConstraint(["closed_by"], ["user.id"], name=op.f("fk_review_round_closed_by")),
        sa.ForeignKeyConstraint(["opened_by"], ["user.id"], name=op.f("fk_review_round_opened_by")),
        sa.ForeignKeyConstraint(
            ["template_id", "version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_review_round_template_id_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_round")),
        sa.UniqueConstraint(
            "template_id", "version", "number", name=op.f("uq_review_round_template_id_version_number")
        ),
    )
    op.create_index(op.f("ix_review_round_status"), "review_round", ["status"])


def _create_reviews() -> None:
    op.create_table(
        "review",
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("cases", JSON, nullable=False),
        sa.Column("draft", JSON, nullable=True),
        sa.Column("payload", JSON, nullable=True),
        sa.Column("submitted_at", TIME, nullable=True),
        sa.CheckConstraint("status IN ('invited', 'submitted', 'withdrawn')", name=op.f("ck_review_status")),
        sa.ForeignKeyConstraint(["round_id"], ["review_round.id"], name=op.f("fk_review_round_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_review_user_id")),
        sa.PrimaryKeyConstraint("round_id", "user_id", name=op.f("pk_review")),
    )
    op.create_index(op.f("ix_review_user_id_status"), "review", ["user_id", "status"])
    op.create_table(
        "review_comment",
        sa.Column("round_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("text", JSON, nullable=False),
        sa.Column("reply", JSON, nullable=True),
        sa.Column("replied_by", sa.String(), nullable=True),
        sa.Column("replied_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["replied_by"], ["user.id"], name=op.f("fk_review_comment_replied_by")),
        sa.ForeignKeyConstraint(
            ["round_id", "user_id"],
            ["review.round_id", "review.user_id"],
            name=op.f("fk_review_comment_round_id_user_id"),
        ),
        sa.PrimaryKeyConstraint("round_id", "user_id", "number", name=op.f("pk_review_comment")),
    )


def _create_releases() -> None:
    op.create_table(
        "release",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("manifest", JSON, nullable=False),
        sa.Column("files", JSON, nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_release")),
    )
    op.create_table(
        "release_template",
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release"], ["release.name"], name=op.f("fk_release_template_release")),
        sa.ForeignKeyConstraint(
            ["template_id", "version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_release_template_template_id_version"),
        ),
        sa.PrimaryKeyConstraint("release", "template_id", name=op.f("pk_release_template")),
    )
    op.create_table(
        "template_health",
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["template_id", "version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_template_health_template_id_version"),
        ),
        sa.PrimaryKeyConstraint("template_id", "version", name=op.f("pk_template_health")),
    )
