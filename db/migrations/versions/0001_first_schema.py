"""The first schema: benchmark to audit, with annotations and audit rows append-only.

Plain column types only, so that this file stays true when the rows' own types change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("annotation", "audit")


def upgrade() -> None:
    """Create every table, then the triggers that refuse to change or delete what is append-only."""
    _create_tables()
    for table in APPEND_ONLY:
        if op.get_bind().dialect.name == "sqlite":
            _refuse_on_sqlite(table)
        else:
            _refuse_on_postgresql(table)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")


def _refuse_on_sqlite(table: str) -> None:
    for change in ("update", "delete"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} rows are append-only'); END"
        )


def _refuse_on_postgresql(table: str) -> None:
    op.execute(
        f"CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} rows are append-only'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only()"
    )


def _create_tables() -> None:
    op.create_table(
        "audit",
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("chain", "seq", name=op.f("pk_audit")),
    )
    op.create_table(
        "benchmark",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("meta", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_benchmark")),
    )
    op.create_table(
        "login_failure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failure")),
    )
    op.create_index(op.f("ix_login_failure_name_at"), "login_failure", ["name", "at"], unique=False)
    op.create_table(
        "setting",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_setting")),
    )
    op.create_table(
        "taxonomy",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", "version", name=op.f("pk_taxonomy")),
    )
    op.create_table(
        "template",
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('draft', 'in_review', 'validated', 'retired', 'unreviewed')",
            name=op.f("ck_template_status"),
        ),
        sa.PrimaryKeyConstraint("template_id", "version", name=op.f("pk_template")),
    )
    op.create_table(
        "user",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("annotator_kind", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("session_version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("annotator_kind IN ('human', 'simulated')", name=op.f("ck_user_annotator_kind")),
        sa.CheckConstraint(
            "role IN ('annotator', 'adjudicator', 'curator', 'admin')", name=op.f("ck_user_role")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("name", name=op.f("uq_user_name")),
    )
    op.create_table(
        "instance",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("benchmark_id", sa.String(), nullable=False),
        sa.Column("instance_id", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("template_version", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_instance_benchmark_id")),
        sa.ForeignKeyConstraint(
            ["template_id", "template_version"],
            ["template.template_id", "template.version"],
            name=op.f("fk_instance_template_id_template_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instance")),
        sa.UniqueConstraint("benchmark_id", "instance_id", name=op.f("uq_instance_benchmark_id_instance_id")),
    )
    op.create_index(op.f("ix_instance_group_id"), "instance", ["group_id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("benchmark_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_run_benchmark_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("benchmark_id", "run_id", name=op.f("uq_run_benchmark_id_run_id")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("benchmark_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("taxonomy_id", sa.String(), nullable=False),
        sa.Column("taxonomy_version", sa.String(), nullable=False),
        sa.Column("guideline_version", sa.String(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("include", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("suggestion_policy", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status IN ('open', 'closed')", name=op.f("ck_study_status")),
        sa.CheckConstraint(
            "suggestion_policy IN ('hidden', 'after_judgement', 'shown', 'randomised')",
            name=op.f("ck_study_suggestion_policy"),
        ),
        sa.ForeignKeyConstraint(["benchmark_id"], ["benchmark.id"], name=op.f("fk_study_benchmark_id")),
        sa.ForeignKeyConstraint(
            ["taxonomy_id", "taxonomy_version"],
            ["taxonomy.id", "taxonomy.version"],
            name=op.f("fk_study_taxonomy_id_taxonomy_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("name", name=op.f("uq_study_name")),
    )
    op.create_table(
        "generation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("instance", sa.String(), nullable=False),
        sa.Column("generation_id", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["instance"], ["instance.id"], name=op.f("fk_generation_instance")),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name=op.f("fk_generation_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_generation")),
        sa.UniqueConstraint("run", "generation_id", name=op.f("uq_generation_run_generation_id")),
    )
    op.create_index(op.f("ix_generation_instance"), "generation", ["instance"], unique=False)
    op.create_table(
        "study_annotator",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("pseudonym", sa.String(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_annotator_study_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_study_annotator_user_id")),
        sa.PrimaryKeyConstraint("study_id", "user_id", name=op.f("pk_study_annotator")),
        sa.UniqueConstraint("study_id", "pseudonym", name=op.f("uq_study_annotator_study_id_pseudonym")),
    )
    op.create_table(
        "study_run",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("meta", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name=op.f("fk_study_run_run")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_run_study_id")),
        sa.PrimaryKeyConstraint("study_id", "run", name=op.f("pk_study_run")),
    )
    op.create_table(
        "adjudication",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["generation"], ["generation.id"], name=op.f("fk_adjudication_generation")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_adjudication_study_id")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_adjudication_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
    )
    op.create_index(
        op.f("ix_adjudication_study_id_generation"), "adjudication", ["study_id", "generation"], unique=False
    )
    op.create_table(
        "score",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('correct', 'incorrect', 'unparsable', 'abstained', 'empty', 'truncated')",
            name=op.f("ck_score_status"),
        ),
        sa.ForeignKeyConstraint(["generation"], ["generation.id"], name=op.f("fk_score_generation")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score")),
    )
    op.create_index(op.f("ix_score_generation"), "score", ["generation"], unique=False)
    op.create_table(
        "study_score",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("score", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["generation"], ["generation.id"], name=op.f("fk_study_score_generation")),
        sa.ForeignKeyConstraint(["score"], ["score.id"], name=op.f("fk_study_score_score")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_score_study_id")),
        sa.PrimaryKeyConstraint("study_id", "generation", name=op.f("pk_study_score")),
    )
    op.create_table(
        "study_item",
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("stratum", sa.String(), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_score.study_id", "study_score.generation"],
            name=op.f("fk_study_item_study_id_generation"),
        ),
        sa.PrimaryKeyConstraint("study_id", "generation", name=op.f("pk_study_item")),
    )
    op.create_table(
        "suggestion",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_score.study_id", "study_score.generation"],
            name=op.f("fk_suggestion_study_id_generation"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suggestion")),
    )
    op.create_index(
        op.f("ix_suggestion_study_id_generation"), "suggestion", ["study_id", "generation"], unique=False
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("user_id", sa.String(), nullable=False),
        sa.Column("round", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("revealed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("draft", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("skip_reason", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("active_ms", sa.Integer(), nullable=False),
        sa.CheckConstraint("round IN ('main', 'training', 'repeat')", name=op.f("ck_assignment_round")),
        sa.CheckConstraint("status IN ('open', 'submitted', 'skipped')", name=op.f("ck_assignment_status")),
        sa.ForeignKeyConstraint(
            ["study_id", "generation"],
            ["study_item.study_id", "study_item.generation"],
            name=op.f("fk_assignment_study_id_generation"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "user_id"],
            ["study_annotator.study_id", "study_annotator.user_id"],
            name=op.f("fk_assignment_study_id_user_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint(
            "study_id",
            "generation",
            "user_id",
            "round",
            name=op.f("uq_assignment_study_id_generation_user_id_round"),
        ),
    )
    op.create_index(
        op.f("ix_assignment_user_id_status_study_id_position"),
        "assignment",
        ["user_id", "status", "study_id", "position"],
        unique=False,
    )
    op.create_index(
        op.f("ix_assignment_user_id_study_id_position"),
        "assignment",
        ["user_id", "study_id", "position"],
        unique=False,
    )
    op.create_table(
        "annotation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("submitted", sa.Boolean(), nullable=False),
        sa.Column("item_judgement", sa.String(), nullable=False),
        sa.Column("response_judgement", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "item_judgement IN ('valid', 'gold_wrong', 'ambiguous')",
            name=op.f("ck_annotation_item_judgement"),
        ),
        sa.CheckConstraint(
            "response_judgement IN ("
            "'acceptable', 'right_answer_unsound_reasoning', 'failure', 'cannot_judge')",
            name=op.f("ck_annotation_response_judgement"),
        ),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_annotation_assignment_id")
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_annotation_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation")),
        sa.UniqueConstraint("assignment_id", "revision", name=op.f("uq_annotation_assignment_id_revision")),
    )
    op.create_index(op.f("ix_annotation_study_id"), "annotation", ["study_id"], unique=False)
    op.create_table(
        "citation",
        sa.Column("adjudication_id", sa.String(), nullable=False),
        sa.Column("annotation_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["adjudication_id"], ["adjudication.id"], name=op.f("fk_citation_adjudication_id")
        ),
        sa.ForeignKeyConstraint(["annotation_id"], ["annotation.id"], name=op.f("fk_citation_annotation_id")),
        sa.PrimaryKeyConstraint("adjudication_id", "annotation_id", name=op.f("pk_citation")),
    )
    op.create_table(
        "contest",
        sa.Column("annotation_id", sa.String(), nullable=False),
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("study_id", sa.String(), nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("proposed_gold", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('gold_wrong', 'ambiguous')", name=op.f("ck_contest_kind")),
        sa.CheckConstraint(
            "status IN ('open', 'withdrawn', 'upheld', 'rejected')", name=op.f("ck_contest_status")
        ),
        sa.ForeignKeyConstraint(["annotation_id"], ["annotation.id"], name=op.f("fk_contest_annotation_id")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_contest_assignment_id")),
        sa.ForeignKeyConstraint(["generation"], ["generation.id"], name=op.f("fk_contest_generation")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_contest_study_id")),
        sa.PrimaryKeyConstraint("annotation_id", name=op.f("pk_contest")),
    )
    op.create_index(
        op.f("ix_contest_assignment_id_status"), "contest", ["assignment_id", "status"], unique=False
    )
    op.create_index(op.f("ix_contest_study_id"), "contest", ["study_id"], unique=False)
