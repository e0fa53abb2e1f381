"""The audit log: one hash chain per study, written in the same commit as the change it records.

A row's hash is SHA-256 over the canonical JSON of its content and the previous hash, so a changed, removed
or inserted row breaks the chain from there on. Rows removed from the end, or a recomputed chain, leave no
trace in the log itself; anchors outside the database reveal them (`clinicnum.db.audit_anchors`).
`clinicnum.db.work.audit.compare_tables_with_log` compares the tables with the log.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlmodel import Session, col

from clinicnum.db.engine import lock
from clinicnum.db.rows import AuditRow, Row, utc_now
from clinicnum.translatable_text import Translatable
from clinicnum.types import Frozen

INSTALLATION = "installation"
"""The chain of changes that belong to no study, such as those of accounts."""
GENESIS = "0" * 64
_AUDIT = Row.metadata.tables["audit"]
_LAST = (
    select(_AUDIT.c.seq, _AUDIT.c.hash)
    .where(_AUDIT.c.chain == bindparam("of"))
    .order_by(_AUDIT.c.seq.desc())
    .limit(1)
)


class ChainCheck(Frozen):
    """The result of checking one chain."""

    chain: str
    rows: int
    last_hash: str
    broken_at: int | None
    """Sequence number of the first wrong row; None if the chain is intact."""
    reason: Translatable | None
    differences: tuple[str, ...] = ()
    """Where the tables differ from the chain, if they were compared."""


def append(
    session: Session,
    *,
    study_id: str | None,
    actor: str,
    action: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Append one row to a study's chain (None: the chain of the installation).

    Call it last in a transaction: it locks the chain against other writers until the commit.
    """
    chain = study_id or INSTALLATION
    lock(session, f"audit:{chain}")
    last = session.execute(_LAST, {"of": chain}).first()
    said = {
        "chain": chain,
        "seq": last.seq + 1 if last else 1,
        "actor": actor,
        "action": action,
        "before": before,
        "after": after,
        "at": utc_now(),
        "previous_hash": last.hash if last else GENESIS,
    }
    session.execute(insert(_AUDIT), {**said, "hash": _hash(said)})


def verify_chain(session: Session, *, since: Sequence[ChainCheck] = ()) -> tuple[ChainCheck, ...]:
    """Recompute the hashes of every chain; one result per chain, ordered by name.

    Chains that an earlier check (`since`) found intact are checked only from its last row on, which must be
    unchanged.
    """
    heads = {head.chain: head for head in since if head.rows and head.broken_at is None}
    chains = session.scalars(select(col(AuditRow.chain)).distinct()).all()
    return tuple(verify_one(session, chain, heads.get(chain)) for chain in sorted({*chains, *heads}))


def verify_one(session: Session, chain: str, head: ChainCheck | None = None) -> ChainCheck:
    """Check one chain as `verify_chain` does, from the last row of an earlier check (`head`) on if given."""
    rows = session.scalars(
        select(AuditRow)
        .where(col(AuditRow.chain) == chain, col(AuditRow.seq) >= (head.rows if head else 0))
        .order_by(col(AuditRow.seq))
        .execution_options(yield_per=1000, populate_existing=True)
    )
    reason: Translatable | None = None
    count, previous = 0, GENESIS
    if head is not None:
        count, previous = head.rows, head.last_hash
        first = next(rows, None)
        if first is None or (first.seq, first.hash) != (count, previous):
            reason = Translatable("row {row} is not there as an earlier check found it", row=count)
    broken_at = count if reason else None
    for row in rows:
        count += 1
        if broken_at is None:
            reason = _fault(row, count, previous)
            broken_at = count if reason else None
        previous = row.hash
    return ChainCheck(chain=chain, rows=count, last_hash=previous, broken_at=broken_at, reason=reason)


def _fault(row: AuditRow, expected_seq: int, previous: str) -> Translatable | None:
    """What is wrong with a row that should follow the hash `previous`; None if it is correct."""
    if row.seq != expected_seq:
        return Translatable("row {row} is missing; the next one is {next}", row=expected_seq, next=row.seq)
    if row.previous_hash != previous:
        return Translatable("row {row} does not follow the row before it", row=row.seq)
    if row.hash != _hash(row.model_dump()):
        return Translatable("row {row} was changed after it was written", row=row.seq)
    return None


def _hash(row: Mapping[str, Any]) -> str:
    who_and_what = [row[name] for name in ("chain", "seq", "actor", "action", "before", "after")]
    said = [*who_and_what, _stamp(row["at"]), row["previous_hash"]]
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
