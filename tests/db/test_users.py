"""Accounts: passwords, throttling, sessions, on a real database."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import Engine, select, update
from sqlmodel import col

from clinicnum.annotations.types import User
from clinicnum.db import passwords
from clinicnum.db.engine import reading, writing
from clinicnum.db.login import log_in
from clinicnum.db.passwords import hash_password, verify_password
from clinicnum.db.rows import AuditRow, LoginFailureRow, UserRow, utc_now
from clinicnum.db.work.accounts import login_throttle, users
from clinicnum.errors import Conflict, InputError, NotAllowed
from tests.conftest import DEFAULT_HASHER

PASSWORD = "correct horse"


@pytest.fixture
def ann(engine: Engine) -> User:
    """An annotator with the password above."""
    with writing(engine) as session:
        return users.add_user(session, name="Ann", role="annotator", password=PASSWORD)


def test_only_name_and_password_together_let_in(engine: Engine, ann: User) -> None:
    assert log_in(engine, name="ann", password=PASSWORD) == ann
    assert log_in(engine, name=" ANN ", password=PASSWORD) == ann
    assert log_in(engine, name="ann", password=PASSWORD + "x") is None
    assert log_in(engine, name="ann", password="x" * 2000) is None
    assert log_in(engine, name="nobody", password=PASSWORD) is None


def test_ending_the_sessions_of_an_account_voids_every_cookie(engine: Engine, ann: User) -> None:
    with writing(engine) as session:
        users.end_sessions(session, user_id=ann.user_id)
    again = log_in(engine, name="ann", password=PASSWORD)
    assert again is not None
    assert again.session_version == ann.session_version + 1


def test_the_password_is_stored_as_an_argon2_hash_only(engine: Engine, ann: User) -> None:
    with reading(engine) as session:
        stored = session.get_one(UserRow, ann.user_id).password_hash
        logged = session.scalars(select(AuditRow)).one()
    assert stored is not None
    assert stored.startswith("$argon2id$")
    assert "password" not in str(logged.after)


def test_an_account_without_a_password_lets_nobody_in(engine: Engine) -> None:
    with writing(engine) as session:
        users.add_user(session, name="robot", role="annotator", password=None, kind="simulated")
    assert log_in(engine, name="robot", password="") is None
    assert log_in(engine, name="robot", password="None") is None


def test_after_five_failures_even_the_right_password_waits(engine: Engine, ann: User) -> None:
    for _ in range(login_throttle.FAILURES):
        assert log_in(engine, name="ann", password="wrong") is None
    with pytest.raises(NotAllowed, match=r"try again in 5 min\. If the password is forgotten, an admin"):
        log_in(engine, name="ann", password=PASSWORD)
    with pytest.raises(NotAllowed):
        log_in(engine, name=" Ann", password=PASSWORD)
    assert log_in(engine, name="ben", password=PASSWORD) is None
    with writing(engine) as session:
        earlier = utc_now() - login_throttle.WINDOW - timedelta(seconds=1)
        session.exec(update(LoginFailureRow).values(at=earlier))
    assert log_in(engine, name="ann", password=PASSWORD) == ann


def test_a_success_forgets_the_failures_before_it(engine: Engine, ann: User) -> None:
    for _ in range(2):
        for _ in range(login_throttle.FAILURES - 1):
            assert log_in(engine, name="ann", password="wrong") is None
        assert log_in(engine, name="ann", password=PASSWORD) == ann


def test_a_burst_of_guesses_gets_no_more_than_five(engine: Engine, ann: User) -> None:
    def guess(number: int) -> str:
        try:
            return str(log_in(engine, name="ann", password=f"guess {number}"))
        except NotAllowed:
            return "refused"

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(guess, range(8)))
    assert sorted(results) == ["None"] * 5 + ["refused"] * 3


def test_an_address_that_tries_many_names_gets_one_attempt_each_five_seconds(
    engine: Engine, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clinicnum.db.login.verify_password", lambda stored, password: password == PASSWORD)
    now = utc_now()
    monkeypatch.setattr(login_throttle, "utc_now", lambda: now)
    for number in range(login_throttle.FAILURES_OF_ADDRESS):
        assert log_in(engine, name=f"guess{number}", password="wrong", address="192.0.2.7") is None
    for password in ("wrong", PASSWORD):
        with pytest.raises(NotAllowed, match="from your network, of whatever name; wait 6 s"):
            log_in(engine, name="ann", password=password, address="192.0.2.7")
    assert log_in(engine, name="ann", password=PASSWORD, address="192.0.2.8") == ann
    assert log_in(engine, name="ann", password=PASSWORD) == ann
    now += login_throttle.TURN  # a turn, and not those that were refused, counts
    assert log_in(engine, name="ann", password=PASSWORD, address="192.0.2.7") == ann
    assert log_in(engine, name="ann", password="wrong", address="192.0.2.7") is None
    with pytest.raises(NotAllowed, match="your network"):
        log_in(engine, name="ann", password=PASSWORD, address="192.0.2.7")
    now += login_throttle.WINDOW + timedelta(seconds=1)
    for _ in range(2):
        assert log_in(engine, name="ann", password=PASSWORD, address="192.0.2.7") == ann


def test_nobody_fills_the_count_of_an_address_by_typing_it_as_a_name(engine: Engine, ann: User) -> None:
    for address in ("ADDRESS 192.0.2.7", "address 192.0.2.7"):
        log_in(engine, name=address, password="wrong")
    with reading(engine) as session:
        assert set(session.scalars(select(col(LoginFailureRow.name)))) == {"address 192.0.2.7"}


def test_another_role_ends_every_session_and_leaves_an_admin(engine: Engine, ann: User) -> None:
    with writing(engine) as session:
        changed = users.set_role(session, name="Ann", role="adjudicator", actor="an admin")
        assert (changed.role, changed.session_version) == ("adjudicator", ann.session_version + 1)
        users.set_role(session, name="ann", role="admin")
    with writing(engine) as session, pytest.raises(Conflict, match="last active admin"):
        users.set_role(session, name="ann", role="curator")
    with writing(engine) as session, pytest.raises(NotAllowed, match="another admin can"):
        users.set_role(session, name="ann", role="curator", actor=ann.user_id)
    with writing(engine) as session, pytest.raises(InputError, match="role 'king' does not exist"):
        users.set_role(session, name="ann", role="king")  # type: ignore[arg-type]
    with reading(engine) as session:
        last = session.scalars(select(AuditRow).order_by(col(AuditRow.seq).desc())).first()
    assert last is not None
    assert (last.action, (last.after or {})["role"]) == ("change_role", "admin")


def test_a_new_password_and_a_switch_end_open_sessions(engine: Engine, ann: User) -> None:
    with writing(engine) as session:
        reset = users.reset_password(session, name="ann", password="another long one")
    assert reset.session_version == ann.session_version + 1
    assert log_in(engine, name="ann", password=PASSWORD) is None
    assert log_in(engine, name="ann", password="another long one") == reset
    with writing(engine) as session:
        off = users.set_active(session, name="ann", active=False)
    assert (off.active, off.session_version) == (False, 3)
    assert log_in(engine, name="ann", password="another long one") is None
    with reading(engine) as session:
        assert users.get_user(session, ann.user_id) == off
        assert users.get_user(session, "none") is None
        assert users.list_users(session) == (off,)
        actions = [row.action for row in session.scalars(select(AuditRow).order_by(col(AuditRow.seq)))]
    assert actions == ["add_user", "reset_password", "switch_off"]


@pytest.mark.parametrize(
    ("name", "role", "password", "complaint"),
    [
        ("ann", "annotator", PASSWORD, "user 'ann' exists already"),
        ("ANN", "annotator", PASSWORD, "user 'ann' exists already"),
        ("a,b", "annotator", PASSWORD, "cannot be an account"),
        ("dr. müller", "annotator", PASSWORD, "use only letters from a to z without accents"),
        ("-ann", "annotator", PASSWORD, "begin it with a letter or a digit, not with '-'"),
        (" ", "annotator", PASSWORD, "the account has no name; write one"),
        ("a" * 65, "annotator", PASSWORD, "the name has 65 characters; expected at most 64"),
        ("ben\x00", "annotator", PASSWORD, "cannot be an account"),
        ("ben", "king", PASSWORD, "role 'king' does not exist"),
        ("ben", "annotator", "short", "has 5 characters; expected 8"),
    ],
)
def test_what_cannot_be_an_account(
    engine: Engine, ann: User, name: str, role: str, password: str, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint), writing(engine) as session:
        users.add_user(session, name=name, role=role, password=password)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no user 'nobody'"), writing(engine) as session:
        users.reset_password(session, name="nobody", password=password)


def test_the_secret_of_the_cookies_is_made_once(engine: Engine) -> None:
    def ask(_: int) -> str:
        with writing(engine) as session:
            return users.cookie_secret(session)

    with ThreadPoolExecutor(4) as pool:
        secrets = set(pool.map(ask, range(4)))
    assert len(secrets) == 1
    assert len(secrets.pop()) >= 48


def test_a_hash_fits_its_password_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "hasher", DEFAULT_HASHER)
    stored = hash_password(PASSWORD)
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert verify_password(stored, PASSWORD)
    assert not verify_password(stored, PASSWORD.upper())
    assert not verify_password(None, PASSWORD)
    assert not verify_password("not a hash", PASSWORD)
