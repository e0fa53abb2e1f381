"""The login cookie: signed, http-only, same-site strict; outlives restarts, ends at logout."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

from annotations.types import User

COOKIE = "clinicnum"
MAX_AGE_S = 12 * 3600


@dataclass(frozen=True)
class Sessions:
    """Who is logged in. Built with what it needs from the database."""

    secret: str
    """Signing key, kept in the database so that a restart logs nobody out."""
    authenticate: Callable[[str, str], User | None]
    """(name, password) -> user, or None; raises ClinicnumError when throttled."""
    find_user: Callable[[str], User | None]
    """user_id -> user."""
    end: Callable[[str], None]
    """End every session of a user_id: logging out logs out everywhere."""

    def _serializer(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self.secret, salt="clinicnum-login")

    def remember(self, response: Response, user: User, *, secure: bool) -> None:
        """Set the cookie on a response."""
        token = self._serializer().dumps([user.user_id, user.session_version])
        response.set_cookie(
            COOKIE, str(token), max_age=MAX_AGE_S, httponly=True, samesite="strict", secure=secure, path="/"
        )

    def user_of(self, request: Request) -> User | None:
        """The user of a request; None without a valid cookie of an active user."""
        token = request.cookies.get(COOKIE)
        if not token:
            return None
        try:
            user_id, version = self._serializer().loads(token, max_age=MAX_AGE_S)
        except (BadSignature, ValueError, TypeError):
            return None
        user = self.find_user(str(user_id))
        if user is None or not user.active or user.session_version != version:
            return None
        return user
