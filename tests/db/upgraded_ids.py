"""What migration 0004 made of a database, told by the audit log: to hold the rows against those before it."""

import json
from typing import Any

from sqlalchemy import Engine, select
from sqlmodel import col

from clinicnum.db.engine import reading
from clinicnum.db.rows import AuditRow

Rows = dict[str, list[dict[str, Any]]]


def replaced_ids(engine: Engine) -> dict[str, str]:
    """Old id -> new id, of all studies."""
    statement = select(AuditRow).where(col(AuditRow.action) == "replace_ids").order_by(col(AuditRow.seq))
    with reading(engine) as session:
        told = [row.after or {} for row in session.scalars(statement)]
    return {old: new for one in told for ids in one.values() for old, new in ids.items()}


def as_upgraded(before: Rows, ids: dict[str, str]) -> Rows:
    """The rows with the new ids in place of the old ones, and seeds as text; the log is left as it was."""
    made = {}
    for table, rows in before.items():
        if table == "audit":
            made[table] = rows
            continue
        found = [{key: _renamed(value, ids) for key, value in row.items()} for row in rows]
        if table == "study":
            found = [{**row, "seed": str(row["seed"])} for row in found]
        made[table] = sorted(found, key=lambda row: str(list(row.values())))
    return made


def _renamed(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, dict):
        text = json.dumps(value)
        for old in value.values():
            if isinstance(old, str) and old in ids:
                text = text.replace(json.dumps(old), json.dumps(ids[old]))
        return json.loads(text)
    return value


def without_replacing(rows: Rows) -> Rows:
    """The rows without what the migrations added to the log."""
    return {**rows, "audit": [row for row in rows["audit"] if row["actor"] != "upgrade"]}
