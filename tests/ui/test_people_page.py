"""The people page's handlers on a real database, called as Gradio calls them."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import col

from clinicnum.annotations.types import User
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.rows import AuditRow, Row
from clinicnum.db.work.accounts import users
from clinicnum.errors import ClinicnumError, InputError
from clinicnum.ui.components.gradio_page import with_error_messages
from clinicnum.ui.pages.people.page import PeopleHandlers
from tests.db.examples import add_users
from tests.ui.gradio_request import Request

PASSWORD = "a long enough password"


@pytest.fixture
def root(engine: Engine) -> Any:
    """An admin beside three annotators."""
    add_users(engine)
    with writing(engine) as session:
        return Request(users.add_user(session, name="root", role="admin", password=PASSWORD).user_id)


@pytest.fixture
def page(engine: Engine) -> PeopleHandlers:
    return PeopleHandlers(Store(engine), lambda user: f"/invitation/of-{user.name}")


def stored(engine: Engine) -> list[int]:
    with reading(engine) as session:
        tables = [Row.metadata.tables[name] for name in sorted(Row.metadata.tables)]
        return [session.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def people(engine: Engine) -> dict[str, User]:
    with reading(engine) as session:
        return {user.name: user for user in users.list_users(session)}


def refusal(handler: Any, *values: Any) -> str:
    with pytest.raises(ClinicnumError) as caught:
        handler(*values)
    return str(caught.value)


def test_accounts_are_added_reset_and_switched_but_never_the_last_admin(
    engine: Engine, page: PeopleHandlers, root: Any
) -> None:
    message, table, chosen, link, name, password = page.add("Ida", "admin", PASSWORD, root)
    assert "Added ida as admin." in message
    assert "<a" not in message
    message, *_ = page.add("lea", "annotator", "", root)
    assert "Added lea as annotator. Send them the invitation below" in message
    assert 'href="/studies/?part=new"' in message
    assert (len(table["value"]), chosen["value"], link["visible"]) == (5, "ida", False)
    assert (name, password) == ("", "")
    message, *_, emptied = page.reset_password("ann", PASSWORD, root)
    assert "ann has a new password" in message
    assert emptied == ""
    assert "own account" in refusal(page.switch_off, "root", root)
    assert "ida is switched off." in page.switch_off("ida", root)[0]
    ida: Any = Request(people(engine)["ida"].user_id)
    assert "is the last active admin" in refusal(page.switch_off, "root", ida)
    assert "ida is switched on." in page.switch_on("ida", root)[0]
    assert "user 'eve' exists already" in refusal(page.add, "eve", "annotator", PASSWORD, root)
    for name, why in (
        ("Dr. Müller / ward 3", "without accents, digits, and . _ @ -, as in dr.mueller"),
        ("a" * 200, "the name has 200 characters; expected at most 64"),
        ("", "the account has no name; write one"),
    ):
        assert why in refusal(page.add, name, "annotator", PASSWORD, root)
    assert "Choose a role" in refusal(page.add, "new", None, PASSWORD, root)
    assert "role" in refusal(page.add, "new", "king", PASSWORD, root)
    assert "the password has 5" in refusal(page.reset_password, "ann", "short", root)
    rows = {row[0]: row for row in page.load(root)[1]["value"]}
    assert rows["root"][3] == "on, your own account"
    assert rows["ann"][4] == "never"
    assert rows["root"][4].endswith("UTC")
    assert PASSWORD not in str(page.load(root))


def test_who_has_no_password_is_invited_and_an_invitation_is_logged(
    engine: Engine, page: PeopleHandlers, root: Any
) -> None:
    link = page.add("ida", "curator", "", root)[3]
    expected = {"value": "https://here/invitation/of-ida", "label": "Invitation for ida", "visible": True}
    assert expected.items() <= link.items()
    assert page.invite("ann", root)[3]["value"] == "https://here/invitation/of-ann"
    assert page.switch_off("ann", root)[3]["value"] == ""
    assert "is switched off" in refusal(page.invite, "ann", root)
    with reading(engine) as session:
        actions = list(session.scalars(select(col(AuditRow.action)).order_by(col(AuditRow.seq))))
    assert actions[-4:] == ["add_user", "invite", "invite", "switch_off"]


@pytest.mark.usefixtures("root")
def test_a_row_that_is_clicked_chooses_its_account(page: PeopleHandlers) -> None:
    def row(*cells: Any) -> gr.SelectData:
        return gr.SelectData(None, {"index": [1, 0], "value": "x", "row_value": list(cells)})

    assert page.choose(row("ann", "annotator")) == ("", "ann")
    for hostile in (
        row(),
        row(7),
        row({"name": "x"}),
        row("nobody"),
        gr.SelectData(None, {"index": 0, "value": 0}),
    ):
        with pytest.raises(InputError):
            page.choose(hostile)


@pytest.mark.parametrize("value", [None, "", 7, [], ["ann"], {"out": {}}, "x" * 1001, "<b>none", "\0"])
def test_a_hostile_value_changes_nothing(engine: Engine, page: PeopleHandlers, root: Any, value: Any) -> None:
    before = stored(engine)
    for handler in (page.invite, page.switch_on, page.switch_off):
        assert "\n" not in refusal(handler, value, root)
    for values in ((value, value), ("ann", value), (value, PASSWORD)):
        refusal(page.reset_password, *values, root)
    for given in ((value, "annotator", PASSWORD), ("new", value, PASSWORD), ("new", "admin", value or 7)):
        refusal(page.add, *given, root)
    assert stored(engine) == before


def test_an_error_of_ours_is_a_message_in_the_page_and_another_tells_nothing_of_itself(
    page: PeopleHandlers, root: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    message, *rest = with_error_messages(page.invite, 3)("<b>nobody", root)
    assert 'role="alert"' in message
    assert "&lt;b&gt;nobody" in message
    assert rest == [gr.skip()] * 3

    def broken(_: SimpleNamespace) -> Any:
        raise ValueError(PASSWORD)

    message, kept = with_error_messages(broken, 1)(root)
    assert "Something went wrong here" in message
    assert kept == gr.skip()
    logged = capsys.readouterr().err
    assert "ValueError" in logged
    assert PASSWORD not in logged + message
