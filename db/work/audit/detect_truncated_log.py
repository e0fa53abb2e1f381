"""Compare an earlier check of the audit log with the present log, which reveals rows removed from its end."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlmodel import Session, col

from clinicnum.db.rows import AuditRow
from clinicnum.db.work.audit.audit_log import ChainCheck
from clinicnum.errors import InputError

_HEADS = TypeAdapter(tuple[ChainCheck, ...])


def read_heads(file: Path) -> tuple[ChainCheck, ...]:
    """The last row of each chain at an earlier check, from the output of `clinicnum audit verify --json`.
    Raises InputError for any other file.
    """
    try:
        return _HEADS.validate_json(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; check the path") from error
    except ValidationError as error:
        raise InputError(f"{file}: expected what `clinicnum audit verify --json` prints") from error


def verify_since(session: Session, heads: Sequence[ChainCheck]) -> tuple[str, ...]:
    """One line for each chain whose last row at the earlier check is now missing or different."""
    return tuple(said for head in heads if head.rows and (said := _lost(session, head)))


def _lost(session: Session, head: ChainCheck) -> str | None:
    statement = select(col(AuditRow.hash)).where(
        col(AuditRow.chain) == head.chain, col(AuditRow.seq) == head.rows
    )
    found = session.scalars(statement).first()
    if found is None:
        return f"{head.chain}: had {head.rows} rows, and its row {head.rows} is not there any more"
    if found != head.last_hash:
        return f"{head.chain}: row {head.rows} had the hash {head.last_hash}, and now has {found}"
    return None
