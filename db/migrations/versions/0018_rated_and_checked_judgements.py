"""Allow the response judgements `rated` and `checked`, for studies of ratings and of claims."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLE, CHECK = "annotation", "ck_annotation_response_judgement"
VALUES = (
    *("acceptable", "right_answer_unsound_reasoning", "failure", "cannot_judge"),
    *("first_better", "second_better", "both_alike", "both_bad"),
    *("rated", "checked"),
)


def upgrade() -> None:
    """Widen the check; on SQLite the table is copied, and its triggers with it."""
    listed = ", ".join(f"'{value}'" for value in VALUES)
    allowed = f"response_judgement IN ({listed})"
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.drop_constraint(op.f(CHECK), TABLE, type_="check")
        op.create_check_constraint(op.f(CHECK), TABLE, allowed)
        return
    statement = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :of")
    triggers = bind.execute(statement, {"of": TABLE}).scalars().all()
    with op.batch_alter_table(TABLE) as batch:
        batch.drop_constraint(op.f(CHECK), type_="check")
        batch.create_check_constraint(op.f(CHECK), allowed)
    for trigger in triggers:
        op.execute(trigger)


def downgrade() -> None:
    """Not offered: restore a backup instead."""
    raise RuntimeError("there is no way back from a migration: restore a backup instead")
