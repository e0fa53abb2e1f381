"""Accounts: add, find, invite, activate, change password or role, end sessions; and the secret that signs
cookies.
"""

import re
import secrets
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func
from sqlalchemy import select as columns
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clinicnum.annotations.role_rights import require
from clinicnum.annotations.types import ROLES, AnnotatorKind, Role, User
from clinicnum.db.engine import lock
from clinicnum.db.passwords import hash_password
from clinicnum.db.rows import AuditRow, LoginFailureRow, Row, SettingRow, UserRow, utc_now
from clinicnum.db.work.audit.audit_log import append
from clinicnum.errors import Conflict, InputError, NotAllowed
from clinicnum.io.jsonl import content_id
from clinicnum.translatable_text import Translatable

COMMAND_LINE = "command line"
"""The actor of changes that were made without an account."""
LONGEST_NAME = 64
NAME_RULE = Translatable(
    "At most {most} characters: letters from a to z without accents, digits and . _ @ -, with a letter or "
    "digit first, as in dr.mueller.",
    most=LONGEST_NAME,
)
"""What names of accounts look like, for the forms that ask for one."""
_ACCOUNT = Row.metadata.tables["user"].c
_BARE = columns(
    _ACCOUNT.id.label("user_id"),
    _ACCOUNT.name,
    _ACCOUNT.role,
    _ACCOUNT.annotator_kind.label("kind"),
    _ACCOUNT.active,
    _ACCOUNT.session_version,
)
_USER, _NAMED = (_BARE.where(key == bindparam("of")) for key in (_ACCOUNT.id, _ACCOUNT.name))
"""Built once, and selecting plain columns, because every request of every page looks up its user."""


def add_user(
    session: Session,
    *,
    name: str,
    role: Role,
    password: str | None,
    kind: AnnotatorKind = "human",
    actor: str = COMMAND_LINE,
) -> User:
    """Add an account, with a row in the audit log; names are kept in lower case.

    Without a password nobody can log in until one is set. Raises InputError for an unknown role, a bad or
    taken name, and a password that is too short or too long.
    """
    name = _clean_name(name)
    if role not in ROLES:
        raise InputError(
            "role {role!r} does not exist; expected one of {roles}", role=role, roles=", ".join(ROLES)
        )
    if find_row(session, name) is not None:
        raise _taken(name)
    row = UserRow(
        id=content_id({"user": name}),
        name=name,
        role=role,
        annotator_kind=kind,
        password_hash=None if password is None else hash_password(password),
        active=True,
        session_version=1,
        created_at=utc_now(),
    )
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise _taken(name) from error
    user = as_user(row)
    append(session, study_id=None, actor=actor, action="add_user", after=user.model_dump(mode="json"))
    return user


def _clean_name(name: str) -> str:
    cleaned = name.strip().lower()
    if not cleaned:
        raise InputError("the account has no name; write one")
    if len(cleaned) > LONGEST_NAME:
        raise InputError(
            "the name has {n} characters; expected at most {most}; choose a shorter one",
            n=len(cleaned),
            most=LONGEST_NAME,
        )
    if not re.fullmatch(r"[a-z0-9._@-]+", cleaned):
        raise InputError(
            "name {name!r} cannot be an account; use only letters from a to z without accents, digits, and "
            ". _ @ -, as in dr.mueller",
            name=name,
        )
    if not cleaned[0].isalnum():
        raise InputError(
            "name {name!r} cannot be an account; begin it with a letter or a digit, not with {first!r}",
            name=name,
            first=cleaned[0],
        )
    return cleaned


def _taken(name: str) -> InputError:
    return InputError("user {name!r} exists already; choose another name, or reset the password", name=name)


def find_row(session: Session, name: str) -> UserRow | None:
    """The row of the account with exactly this name, active or not; None if there is none."""
    return session.exec(select(UserRow).where(UserRow.name == name)).first()


def as_user(row: UserRow) -> User:
    """The account of a row, without its password hash."""
    return User.model_validate(
        {
            "user_id": row.id,
            "name": row.name,
            "role": row.role,
            "kind": row.annotator_kind,
            "active": row.active,
            "session_version": row.session_version,
        }
    )


def get_user(session: Session | Connection, user_id: str) -> User | None:
    """The account with this id, active or not; None if there is none. Takes a session or a connection, which
    is cheaper.
    """
    found = session.execute(_USER, {"of": user_id}).first()
    return None if found is None else User.model_validate(found._asdict())


def get_named(session: Session | Connection, name: str) -> User | None:
    """The account with exactly this name, active or not; None if there is none."""
    found = None if "\0" in name else session.execute(_NAMED, {"of": name}).first()  # PostgreSQL rejects NUL
    return None if found is None else User.model_validate(found._asdict())


def list_users(session: Session) -> tuple[User, ...]:
    """All accounts, in the order of their names."""
    return tuple(as_user(row) for row in session.exec(select(UserRow).order_by(UserRow.name)))


def reset_password(session: Session, *, name: str, password: str, actor: str = COMMAND_LINE) -> User:
    """Set a new password; all sessions of the account end. Raises InputError for an unknown name, and for a
    password that is too short or too long.
    """
    row = _existing(session, name)
    row.password_hash = hash_password(password)
    return _changed(session, row, actor, "change_password" if row.id == actor else "reset_password")


def invite(session: Session, *, name: str, actor: str) -> User:
    """Log that an account is invited to choose its password; returns the account. Raises InputError if it is
    unknown or deactivated.
    """
    row = _existing(session, name)
    if not row.active:
        raise InputError("user {name!r} is switched off; switch the account on first", name=row.name)
    user = as_user(row)
    append(session, study_id=None, actor=actor, action="invite", after=user.model_dump(mode="json"))
    return user


def set_role(session: Session, *, name: str, role: Role, actor: str = COMMAND_LINE) -> User:
    """Give an account another role; all its sessions end, and studies it annotates stay barred to it.

    See `clinicnum.db.work.common.barred_studies`. Raises InputError for an unknown name or role, NotAllowed
    for the actor's own account, and Conflict for the last admin who can log in.
    """
    if role not in ROLES:
        raise InputError(
            "role {role!r} does not exist; expected one of {roles}", role=role, roles=", ".join(ROLES)
        )
    lock(session, "switch_off")
    row = _existing(session, name)
    if row.id == actor:
        raise NotAllowed("Nobody changes their own role; another admin can.")
    if role != "admin" and active_admins(session) == {row.id}:
        raise Conflict(
            "{name!r} is the last active admin; make or switch on another one first", name=row.name
        )
    row.role = role
    return _changed(session, row, actor, "change_role")


def set_active(session: Session, *, name: str, active: bool, actor: str = COMMAND_LINE) -> User:
    """Activate or deactivate an account; all its sessions end.

    Raises InputError for an unknown name; when deactivating, NotAllowed for the actor's own account, and
    Conflict for the last active admin, as nobody could reactivate an account afterwards.
    """
    if not active:
        lock(session, "switch_off")
    row = _existing(session, name)
    if not active and row.id == actor:
        raise NotAllowed("Nobody switches off their own account; another admin can.")
    if not active and active_admins(session) == {row.id}:
        raise Conflict(
            "{name!r} is the last active admin; make or switch on another one first", name=row.name
        )
    row.active = active
    return _changed(session, row, actor, "switch_on" if active else "switch_off")


def add_first_admin(session: Session, *, name: str, password: str) -> User:
    """Add the admin of a database that has none. Raises Conflict if it has one, and as `add_user` does."""
    lock(session, "first_admin")
    if active_admins(session):
        raise Conflict("There is an admin already; log in, or ask for an invitation.")
    return add_user(session, name=name, role="admin", password=password)


def active_admins(session: Session) -> set[str]:
    """User ids of the admins who can log in."""
    statement = select(UserRow.id).where(
        UserRow.role == "admin", col(UserRow.active), col(UserRow.password_hash).is_not(None)
    )
    return set(session.exec(statement))


def last_activity(session: Session) -> dict[str, datetime]:
    """When each actor of the audit log last changed anything: by user id, for accounts that changed
    something, and by name for actors without an account, such as `command line`.
    """
    statement = select(AuditRow.actor, func.max(AuditRow.at)).group_by(col(AuditRow.actor))
    return dict(session.exec(statement).all())


def end_sessions(session: Session, *, user_id: str) -> None:
    """End all sessions of an account by invalidating its cookies."""
    row = session.get_one(UserRow, user_id, with_for_update=True)
    row.session_version += 1
    session.flush()


def _existing(session: Session, name: str) -> UserRow:
    statement = select(UserRow).where(UserRow.name == name.strip().lower()).with_for_update()
    row = session.exec(statement).first()
    if row is None:
        raise InputError("no user {name!r}; expected one of the accounts that `users add` made", name=name)
    return row


def _changed(session: Session, row: UserRow, actor: str, action: str) -> User:
    row.session_version += 1
    session.add(row)
    session.exec(delete(LoginFailureRow).where(col(LoginFailureRow.name) == row.name))
    session.flush()
    user = as_user(row)
    append(session, study_id=None, actor=actor, action=action, after=user.model_dump(mode="json"))
    return user


def cookie_secret(session: Session) -> str:
    """The secret that signs cookies, created once per database, so that sessions survive a restart."""
    lock(session, "setting:cookie_secret")
    row = session.get(SettingRow, "cookie_secret")
    if row is None:
        row = SettingRow(key="cookie_secret", value=secrets.token_urlsafe(48))
        session.add(row)
        session.flush()
    return row.value


def curator(session: Session, user_id: str) -> User:
    """The account, if it may curate. Raises NotAllowed otherwise."""
    user = get_user(session, user_id)
    if user is None or not user.active:
        raise NotAllowed("Only curators and admins work on drafts; log in as one.")
    require(user.role, "curate")
    return user
