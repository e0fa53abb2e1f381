"""Who is logged in: by a cookie, signed, http-only, same-site strict, or by a trusted proxy's word."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

from clinicnum.annotations.types import User
from clinicnum.ui.app.sign_on import SignOn

COOKIE = "clinicnum"
MAX_AGE_S = 12 * 3600
INVITATION_DAYS = 7


@dataclass(frozen=True)
class Sessions:
    """Who is logged in. Built with what it needs from the database."""

    secret: str
    """Signing key, kept in the database so that a restart logs nobody out."""
    authenticate: Callable[[str, str, str | None], User | None]
    """(name, password, address) -> user, or None; raises ClinicnumError when throttled."""
    find_user: Callable[[str], User | None]
    """user_id -> user."""
    end: Callable[[str], None]
    """End every session of a user_id: logging out logs out everywhere."""
    sign_on: SignOn | None = None
    """With it the proxy says who asks, and cookie and password count for nothing."""

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
        """The user of a request; None without a valid cookie of an active user, or a proxy's word for one."""
        if self.sign_on is not None:
            return self.sign_on.user_of(request.scope)
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
