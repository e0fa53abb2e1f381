"""Log in, in short transactions: the slow check of the password holds no lock."""

from sqlalchemy import Engine

from annotations.types import User
from db.engine import writing
from db.passwords import verify_password
from db.work import users


def log_in(engine: Engine, *, name: str, password: str) -> User | None:
    """The account, if name and password fit and it is active; None otherwise, after the same time.

    Blocks for tens of milliseconds: call it in a worker thread. Raises NotAllowed, with how long to wait,
    after 5 failures of a name within 5 minutes.
    """
    with writing(engine) as session:
        stored = users.reserve_attempt(session, name=name)
    fits = verify_password(stored, password)
    if not fits:
        return None
    with writing(engine) as session:
        return users.settle_attempt(session, name=name, fits=fits)
