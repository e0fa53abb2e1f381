"""The first admin is made in the browser, by a link that the server prints while there is none, and once."""

from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.db.engine import reading, writing
from clinicnum.db.login import log_in
from clinicnum.db.work.accounts import users
from clinicnum.errors import Conflict
from clinicnum.scripts.commands.common.web_app import make_web
from tests.ui.door import ask

GOOD = {"name": "Root", "new": "a long enough password", "again": "a long enough password"}


def serve(engine: Engine) -> tuple[Any, list[str]]:
    """The application, and the links that it would print."""
    links: list[str] = []
    return make_web(engine, on_first_admin=links.append), links


def test_the_link_makes_one_admin_who_is_logged_in_and_is_then_used_up(engine: Engine) -> None:
    app, (link,) = serve(engine)
    assert ask(app, "GET", "/").headers["location"] == "/login"
    assert "There is no admin yet." in ask(app, "GET", "/login").text
    form = ask(app, "GET", f"/{link}").text
    assert "first admin" in form
    assert "letters from a to z without accents, digits and . _ @ -" in form
    for wrong, why in (
        ({"again": "another password"}, "differ"),
        ({"name": "<b>"}, "cannot be an account"),
        ({"new": "short", "again": "short"}, "8 characters"),
    ):
        refused = ask(app, "POST", f"/{link}", data={**GOOD, **wrong})
        assert (refused.status_code, why in refused.text) == (422, True)
    with reading(engine) as session:
        assert users.list_users(session) == ()
    made = ask(app, "POST", f"/{link}", data=GOOD)
    assert (made.status_code, made.headers["location"]) == (303, "/")
    cookie = [(b"cookie", made.headers["set-cookie"].split(";")[0].encode())]
    assert ask(app, "GET", "/", cookie).headers["location"] != "/login"
    assert log_in(engine, name="root", password=GOOD["new"]) is not None
    for method in ("GET", "POST"):
        again = ask(
            app, method, f"/{link}", **({"data": {**GOOD, "name": "two"}} if method == "POST" else {})
        )
        assert again.status_code == 410
    assert "There is no admin yet." not in ask(app, "GET", "/login").text
    assert serve(engine)[1] == []
    with reading(engine) as session:
        assert [(one.name, one.role) for one in users.list_users(session)] == [("root", "admin")]


def test_only_the_printed_link_opens_the_page(engine: Engine) -> None:
    app, (link,) = serve(engine)
    with writing(engine) as session:
        ann = users.add_user(session, name="ann", role="annotator", password=None)
    assert ask(app, "GET", f"/{link}x").status_code == 410
    assert ask(app, "GET", f"/invitation/{link.split('/')[1]}").status_code == 410
    assert ask(app, "POST", "/first-admin/x", data=GOOD).status_code == 410
    with reading(engine) as session:
        assert users.list_users(session) == (ann,)


def test_of_two_who_send_the_form_at_once_one_is_the_first(engine: Engine) -> None:
    with writing(engine) as session:
        users.add_first_admin(session, name="one", password="a long enough password")
    with writing(engine) as session, pytest.raises(Conflict, match="There is an admin already"):
        users.add_first_admin(session, name="two", password="a long enough password")
