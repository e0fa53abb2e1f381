"""The login cookie: signed, http-only, same-site strict; outlives restarts, ends at logout."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

from annotations.types import User

COOKIE = "clinicnum"
MAX_AGE_S = 12 * 3600
INVITATION_DAYS = 7


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

    def _serializer(self, purpose: str = "login") -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self.secret, salt=f"clinicnum-{purpose}")

    def invitation(self, user: User) -> str:
        """A token with which an account chooses its password: once, within INVITATION_DAYS."""
        return str(self._serializer("invitation").dumps([user.user_id, user.session_version]))

    def invited(self, token: str) -> User | None:
        """The account that an invitation is for; None once its password was set, or when it is over."""
        return self._account(token, "invitation", INVITATION_DAYS * 24 * 3600)

    def remember(self, response: Response, user: User, *, secure: bool) -> None:
        """Set the cookie on a response."""
        token = self._serializer().dumps([user.user_id, user.session_version])
        response.set_cookie(
            COOKIE, str(token), max_age=MAX_AGE_S, httponly=True, samesite="strict", secure=secure, path="/"
        )

    def user_of(self, request: Request) -> User | None:
        """The user of a request; None without a valid cookie of an active user."""
        token = request.cookies.get(COOKIE)
        return self._account(token, "login", MAX_AGE_S) if token else None

    def _account(self, token: str, purpose: str, max_age_s: int) -> User | None:
        try:
            user_id, version = self._serializer(purpose).loads(token, max_age=max_age_s)
        except (BadSignature, ValueError, TypeError):
            return None
        user = self.find_user(str(user_id))
        if user is None or not user.active or user.session_version != version:
            return None
        return user
