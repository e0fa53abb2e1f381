"""The workbench: items that are claimed one by one, guidelines, references, adjudication's marks.

Studies of the first schema keep their assignments as they were handed out: every annotator's search stands at
the end, no lease runs out, and nothing is left to claim.
"""

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Add columns and tables, fill the new columns of existing rows, then make them required."""
    _add_columns()
    _fill()
    _demand()
    _create_tables()
    op.create_index(op.f("ix_study_item_study_id_position"), "study_item", ["study_id", "position"])
    op.create_index(op.f("ix_study_item_study_id_hardness"), "study_item", ["study_id", "hardness"])
    op.create_index(
        op.f("ix_assignment_study_id_generation_status"), "assignment", ["study_id", "generation", "status"]
    )
    op.create_index(
        op.f("ix_assignment_study_id_status_leased_until"),
        "assignment",
        ["study_id", "status", "leased_until"],
    )


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _add_columns() -> None:
    time = sa.DateTime(timezone=True)
    for table, columns in {
        "run": (sa.Column("meta", JSON),),
        "score": (sa.Column("current", sa.Boolean()),),
        "study": (sa.Column("design", JSON),),
        "study_item": (
            sa.Column("round", sa.String()),
            sa.Column("position", sa.Integer()),
            sa.Column("places", sa.Integer()),
            sa.Column("taken", sa.Integer()),
            sa.Column("due", JSON),
            sa.Column("hardness", sa.Float()),
        ),
        "study_annotator": (sa.Column("cursor", sa.Integer()), sa.Column("claimed", sa.Integer())),
        "assignment": (sa.Column("flag", JSON), sa.Column("leased_until", time)),
        "contest": (sa.Column("decided_by", sa.String()), sa.Column("decision", JSON)),
    }.items():
        for column in columns:
            op.add_column(table, column)


def _fill() -> None:
    op.execute("UPDATE study SET design = '{}'")
    op.execute(
        "UPDATE run SET meta = COALESCE((SELECT study_run.meta FROM study_run "
        "JOIN study ON study.id = study_run.study_id WHERE study_run.run = run.id "
        "ORDER BY study.created_at DESC, study.id DESC LIMIT 1), '{}')"
    )
    op.execute(
        "UPDATE score SET current = COALESCE(id = (SELECT study_score.score FROM study_score "
        "JOIN study ON study.id = study_score.study_id WHERE study_score.generation = score.generation "
        "ORDER BY study.created_at DESC, study.id DESC LIMIT 1), TRUE)"
    )
    op.execute(
        "UPDATE study_item SET round = 'main', "
        "position = (SELECT count(*) FROM study_item AS other WHERE other.study_id = study_item.study_id "
        "AND other.generation < study_item.generation), "
        "places = (SELECT overlap FROM study WHERE study.id = study_item.study_id), "
        "taken = (SELECT count(*) FROM assignment WHERE assignment.study_id = study_item.study_id "
        "AND assignment.generation = study_item.generation AND assignment.status IN ('open', 'submitted'))"
    )
    op.execute(
        "UPDATE study_annotator SET claimed = total, cursor = (SELECT count(*) FROM study_item "
        "WHERE study_item.study_id = study_annotator.study_id)"
    )


def _demand() -> None:
    with op.batch_alter_table("run") as batch:
        batch.alter_column("meta", existing_type=JSON, nullable=False)
    with op.batch_alter_table("score") as batch:
        batch.alter_column("current", existing_type=sa.Boolean(), nullable=False)
    with op.batch_alter_table("study") as batch:
        batch.alter_column("design", existing_type=JSON, nullable=False)
        _recheck(batch, "study", "status", "status IN ('open', 'paused', 'closed')")
    with op.batch_alter_table("study_item") as batch:
        batch.alter_column("round", existing_type=sa.String(), nullable=False)
        for name in ("position", "places", "taken"):
            batch.alter_column(name, existing_type=sa.Integer(), nullable=False)
        batch.create_check_constraint(op.f("ck_study_item_round"), "round IN ('main', 'training', 'control')")
    with op.batch_alter_table("study_annotator") as batch:
        for name in ("cursor", "claimed"):
            batch.alter_column(name, existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("assignment") as batch:
        _recheck(batch, "assignment", "status", "status IN ('open', 'submitted', 'skipped', 'released')")
        _recheck(batch, "assignment", "round", "round IN ('main', 'training', 'repeat', 'control')")
    with op.batch_alter_table("contest") as batch:
        batch.create_foreign_key(op.f("fk_contest_decided_by"), "user", ["decided_by"], ["id"])


def _recheck(batch: BatchOperations, table: str, name: str, condition: str) -> None:
    batch.drop_constraint(op.f(f"ck_{table}_{name}"), type_="check")
    batch.create_check_constraint(op.f(f"ck_{table}_{name}"), condition)


def _create_tables() -> None:
    op.create_table(
        "guideline",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_guideline_study_id")),
        sa.PrimaryKeyConstraint("study_id", "version", name=op.f("pk_guideline")),
    )
    op.create_table(
        "reference",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_item.study_id", "study_item.generation"],
            name=op.f("fk_reference_study_id_generation"),
        ),
        sa.PrimaryKeyConstraint("study_id", "generation", name=op.f("pk_reference")),
    )
    op.create_table(
        "invalidation",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("instance", sa.String(), nullable=False),
        sa.Column("contest", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("reason", JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_invalidation_study_id")),
        sa.ForeignKeyConstraint(["instance"], ["instance.id"], name=op.f("fk_invalidation_instance")),
        sa.ForeignKeyConstraint(["contest"], ["contest.annotation_id"], name=op.f("fk_invalidation_contest")),
        sa.PrimaryKeyConstraint("study_id", "instance", name=op.f("pk_invalidation")),
    )
