"""Password hashes: argon2 at the library's defaults. Slow on purpose, so call it outside the event loop."""

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from clinicnum.errors import InputError

SHORTEST, LONGEST = 8, 1024
hasher = PasswordHasher()
"""Makes and checks hashes; what a hash costs stands in the hash."""


def hash_password(password: str) -> str:
    """The argon2 hash to store. Raises InputError for a password that is too short or absurdly long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(
            f"the password has {len(password)} characters; expected {SHORTEST} to {LONGEST}: choose another"
        )
    return hasher.hash(password)


def verify_password(password_hash: str | None, password: str) -> bool:
    """Whether a password fits a hash; for None (no account, or no password set) it takes as long and
    never fits.
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
