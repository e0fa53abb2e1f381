"""The throttle on password attempts, by account name and by network address.

Failures are counted in the database, so the count is shared by all processes and survives restarts. A name
waits until its failures are older than the window. A whole hospital may share one address, so an address is
not locked: it gets one attempt per `TURN`, which slows its other users down but does not keep them out.
"""

from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from clinicnum.annotations.types import User
from clinicnum.db.engine import lock
from clinicnum.db.rows import LoginFailureRow, utc_now
from clinicnum.db.work.accounts.users import as_user, find_row
from clinicnum.errors import NotAllowed

FAILURES = 5
FAILURES_OF_ADDRESS = 30
WINDOW = timedelta(minutes=5)
TURN = timedelta(seconds=5)


def reserve_attempt(session: Session, *, name: str, address: str | None = None) -> str | None:
    """Count an attempt before its password is checked, so that a burst cannot outrun the throttle.

    Returns the hash to verify, None for an unknown name. Raises NotAllowed, with how long to wait, after 5
    failures of a name within 5 minutes, even for the right password, and for an address with 30 failures
    within 5 minutes whose last attempt was less than 5 seconds ago. Refused attempts are not counted.
    Without an `address`, only the name is throttled.
    """
    name, now = _as_typed(name), utc_now()
    keys = [name] if address is None else [name, _key(address)]
    for key in keys:
        lock(session, f"login:{key}")
    _forget(session, now)
    count, first, _ = _failures(session, name)
    if count >= FAILURES:
        raise NotAllowed(
            "Too many failed logins for this name; try again in {n} min. If the password is forgotten, an "
            "admin can set a new one.",
            n=ceil((min(first, now) + WINDOW - now) / timedelta(minutes=1)),
        )
    if address is not None:
        count, _, last = _failures(session, _key(address))
        # An attempt dated in the future, from before the clock was set back, makes nobody wait.
        if count >= FAILURES_OF_ADDRESS and last <= now < last + TURN:
            wait = _seconds(last + TURN - now)
            raise NotAllowed(
                "Too many failed logins from your network, of whatever name; wait {wait} s and try again.",
                wait=wait,
            )
    session.add_all(LoginFailureRow(name=key, at=now) for key in keys)
    row = find_row(session, name)
    return row.password_hash if row else None


def settle_attempt(session: Session, *, name: str, fits: bool, address: str | None = None) -> User | None:
    """The account if the password fits and it is active, otherwise None; on success the failed attempts of
    its name are deleted.

    Only this one attempt of its address is deleted, as otherwise an attacker with an account of their own
    could reset the count of the address.
    """
    name = _as_typed(name)
    row = find_row(session, name)
    if not fits or row is None or not row.active:
        return None
    session.exec(delete(LoginFailureRow).where(col(LoginFailureRow.name) == name))
    if address is not None:
        last = select(func.max(LoginFailureRow.id)).where(col(LoginFailureRow.name) == _key(address))
        session.exec(delete(LoginFailureRow).where(col(LoginFailureRow.id) == last.scalar_subquery()))
    return as_user(row)


def _as_typed(name: str) -> str:
    """An account name as typed into the login form, without NUL, which PostgreSQL rejects."""
    return name.strip().lower().replace("\0", "")[:64]


def _key(address: str) -> str:
    """The key for failed attempts of an address; upper case, so that it equals no account name."""
    return f"ADDRESS {address}"


def _forget(session: Session, now: datetime) -> None:
    """Delete expired attempts, and attempts dated in the future by a clock that was set back."""
    over, to_come = col(LoginFailureRow.at) < now - WINDOW, col(LoginFailureRow.at) > now + WINDOW
    session.exec(delete(LoginFailureRow).where(over | to_come))


def _failures(session: Session, key: str) -> tuple[int, datetime, datetime]:
    statement = select(func.count(), func.min(LoginFailureRow.at), func.max(LoginFailureRow.at)).where(
        LoginFailureRow.name == key
    )
    return session.exec(statement).one()


def _seconds(left: timedelta) -> int:
    return max(1, int(left.total_seconds()) + 1)
