"""Messages between annotators and adjudicators, what was read of them, rulings in guideline versions."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)
TIME = sa.DateTime(timezone=True)
APPEND_ONLY = ("message", "message_read", "guideline_ruling")


def upgrade() -> None:
    """Add the tables, then the triggers that refuse to change or delete what is in them."""
    _create_message()
    op.create_table(
        "message_read",
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("read_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_message_read_user_id")),
        sa.ForeignKeyConstraint(["message_id"], ["message.id"], name=op.f("fk_message_read_message_id")),
        sa.PrimaryKeyConstraint("user_id", "message_id", name=op.f("pk_message_read")),
    )
    op.create_table(
        "guideline_ruling",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "version"],
            ["guideline.study_id", "guideline.version"],
            name=op.f("fk_guideline_ruling_study_id_version"),
        ),
        sa.ForeignKeyConstraint(["message_id"], ["message.id"], name=op.f("fk_guideline_ruling_message_id")),
        sa.PrimaryKeyConstraint("study_id", "version", "message_id", name=op.f("pk_guideline_ruling")),
    )
    for table in APPEND_ONLY:
        _refuse_changes(table)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _create_message() -> None:
    op.create_table(
        "message",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("ruling", sa.Boolean(), nullable=False),
        sa.Column("question", JSON, nullable=False),
        sa.Column("contest", sa.String(), nullable=True),
        sa.Column("text", JSON, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.CheckConstraint("kind IN ('answer', 'reply', 'settled')", name=op.f("ck_message_kind")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_message_assignment_id")),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_item.study_id", "study_item.generation"],
            name=op.f("fk_message_study_id_generation"),
        ),
        sa.ForeignKeyConstraint(["annotator"], ["user.id"], name=op.f("fk_message_annotator")),
        sa.ForeignKeyConstraint(["author"], ["user.id"], name=op.f("fk_message_author")),
        sa.ForeignKeyConstraint(["contest"], ["contest.annotation_id"], name=op.f("fk_message_contest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
        sa.UniqueConstraint("assignment_id", "number", name=op.f("uq_message_assignment_id_number")),
    )
    op.create_index(op.f("ix_message_annotator_kind"), "message", ["annotator", "kind"])
    op.create_index(op.f("ix_message_study_id_generation"), "message", ["study_id", "generation"])


def _refuse_changes(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} rows are append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} rows are append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()"
    )
