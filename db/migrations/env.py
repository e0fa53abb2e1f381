"""Alembic's entry: runs on the connection and inside the transaction that `clinicnum.db.migrate` hands
over."""

from alembic import context

from clinicnum.db.rows import Row

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
)
context.run_migrations()
