"""Password hashing: argon2 with the library's default parameters. Deliberately slow, so call it outside the
event loop.
"""

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from clinicnum.errors import InputError

SHORTEST, LONGEST = 8, 1024
hasher = PasswordHasher()
"""Makes and checks hashes; each hash holds the cost parameters it was made with."""


def hash_password(password: str) -> str:
    """The argon2 hash to store. Raises InputError for a password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(
            f"the password has {len(password)} characters; expected {SHORTEST} to {LONGEST}: choose another"
        )
    return hasher.hash(password)


def verify_password(password_hash: str | None, password: str) -> bool:
    """Whether a password fits a hash. False for the hash None (no account, or no password set), after as long
    a computation, so that the time does not tell whether the account exists.
    """
    if len(password) > LONGEST:
        return False
    try:
        fits = hasher.verify(password_hash or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return fits and password_hash is not None


@cache
def _nobody() -> str:
    return hasher.hash(secrets.token_urlsafe(32))
