"""Log in through short transactions; no lock is held during the slow password check."""

from sqlalchemy import Engine

from clinicnum.annotations.types import User
from clinicnum.db.engine import writing
from clinicnum.db.passwords import verify_password
from clinicnum.db.work.accounts import login_throttle, users
from clinicnum.errors import InputError


def log_in(engine: Engine, *, name: str, password: str, address: str | None = None) -> User | None:
    """The account if name and password fit and it is active, otherwise None; the time taken does not tell
    which.

    Blocks for tens of milliseconds: call it in a worker thread. Raises NotAllowed, with how long to wait,
    after 5 failures of a name within 5 minutes, or if an address with many failures tries again too soon.
    """
    with writing(engine) as session:
        stored = login_throttle.reserve_attempt(session, name=name, address=address)
    fits = verify_password(stored, password)
    if not fits:
        return None
    with writing(engine) as session:
        return login_throttle.settle_attempt(session, name=name, address=address, fits=fits)


def change_password(engine: Engine, *, user: User, old: str, new: str) -> User:
    """Change an account's password, given the old one; all its sessions end.

    Blocks the calling thread. Raises InputError for a wrong old password or an unacceptable new one, and
    NotAllowed as `log_in` does.
    """
    if log_in(engine, name=user.name, password=old) is None:
        raise InputError("The password until now does not match; nothing was changed.")
    return choose_password(engine, user=user, new=new)


def choose_password(engine: Engine, *, user: User, new: str) -> User:
    """Set an account's password, whose change the caller has allowed; all its sessions end, and an invitation
    is used up.

    Raises InputError for a password that is too short or too long.
    """
    with writing(engine) as session:
        return users.reset_password(session, name=user.name, password=new, actor=user.user_id)
