"""Login sessions: a signed, http-only, same-site cookie, or a header set by a trusted proxy."""

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

from clinicnum.annotations.types import User
from clinicnum.ui.app.proxy_sign_on import ProxySignOn

COOKIE = "clinicnum"
MAX_AGE_S = 12 * 3600
INVITATION_DAYS = 7


@dataclass(frozen=True)
class Sessions:
    """Identifies the user of a request; the database is reached through the callables given here."""

    secret: str
    """Signing key, kept in the database so that a restart logs nobody out."""
    authenticate: Callable[[str, str, str | None], User | None]
    """(name, password, address) -> user, or None; raises ClinicnumError when throttled."""
    find_user: Callable[[str], User | None]
    """user_id -> user; None if there is no such user."""
    end: Callable[[str], None]
    """Ends all sessions of a user_id, as logging out logs a user out everywhere."""
    sign_on: ProxySignOn | None = None
    """If set, the proxy's header identifies the user; cookies and passwords are ignored."""

    def _serializer(self, purpose: str = "login") -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self.secret, salt=f"clinicnum-{purpose}")

    def invitation(self, user: User) -> str:
        """A single-use token with which an account sets its password, valid for INVITATION_DAYS."""
        return str(self._serializer("invitation").dumps([user.user_id, user.session_version]))

    def invited_user(self, token: str) -> User | None:
        """The account of an invitation; None if the token is invalid, expired or already used."""
        return self._account(token, "invitation", INVITATION_DAYS * 24 * 3600)

    def first_admin_token(self) -> str:
        """A token for creating the first admin; useless once there is one."""
        return str(self._serializer("first-admin").dumps("first-admin"))

    def is_first_admin_token(self, token: str) -> bool:
        """Whether `first_admin_token` made the token within the last INVITATION_DAYS."""
        try:
            self._serializer("first-admin").loads(token, max_age=INVITATION_DAYS * 24 * 3600)
        except BadSignature:
            return False
        return True

    def set_login_cookie(self, response: Response, user: User, *, secure: bool) -> None:
        """Set the login cookie on a response."""
        token = self._serializer().dumps([user.user_id, user.session_version])
        response.set_cookie(
            COOKIE, str(token), max_age=MAX_AGE_S, httponly=True, samesite="strict", secure=secure, path="/"
        )

    def user_of(self, request: Request) -> User | None:
        """The active user whom the cookie or the proxy's header identifies; None if there is none."""
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
