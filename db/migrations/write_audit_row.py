"""Write rows of the audit log in migrations. Never changed: a migration goes on writing what it wrote when it
was new.
"""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

_JSON = sa.JSON(none_as_null=True)
_AUDIT = sa.table(
    "audit",
    *map(sa.column, ("chain", "seq", "actor", "action", "previous_hash", "hash")),
    sa.column("before", _JSON),
    sa.column("after", _JSON),
    sa.column("at", sa.DateTime(timezone=True)),
)


def canonical_sha256(payload: object) -> str:
    """SHA-256 over canonical JSON, in hex, as `clinicnum.io.jsonl.sha256_json` and
    `clinicnum.db.work.audit.audit_log` compute it.
    """
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def log_upgrade(bind: sa.Connection, chain: str, action: str, after: dict[str, Any]) -> None:
    """Append one row, of the actor `upgrade`, to a chain."""
    own = sa.select(_AUDIT.c.seq, _AUDIT.c.hash).where(_AUDIT.c.chain == chain)
    last = bind.execute(own.order_by(_AUDIT.c.seq.desc()).limit(1)).first()
    seq, previous = (last.seq + 1, last.hash) if last else (1, "0" * 64)
    at = datetime.now(UTC)
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    row = {
        "chain": chain,
        "seq": seq,
        "actor": "upgrade",
        "action": action,
        "before": None,
        "after": after,
        "at": at,
        "previous_hash": previous,
        "hash": canonical_sha256([chain, seq, "upgrade", action, None, after, stamp, previous]),
    }
    bind.execute(sa.insert(_AUDIT).values(row))
