"""One study's chain of the audit log, checked while somebody waits for it."""

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import AuditRow
from db.work.audit import GENESIS, ChainCheck, fault_of


def verify_one(session: Session, chain: str) -> ChainCheck:
    """As `verify_chain`, of one chain."""
    rows = session.scalars(
        select(AuditRow)
        .where(col(AuditRow.chain) == chain)
        .order_by(col(AuditRow.seq))
        .execution_options(yield_per=1000, populate_existing=True)
    )
    count, previous = 0, GENESIS
    for count, row in enumerate(rows, start=1):
        reason = fault_of(row, count, previous)
        if reason is not None:
            return ChainCheck(chain=chain, rows=count, last_hash=row.hash, broken_at=count, reason=reason)
        previous = row.hash
    return ChainCheck(chain=chain, rows=count, last_hash=previous, broken_at=None, reason=None)
