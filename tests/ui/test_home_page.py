"""The home page's sentences, steps and handlers."""

import re
from typing import Any

from sqlalchemy import Engine

from clinicnum.annotations.types import ROLES
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.home.sample_project import has_sample
from clinicnum.scripts.commands.common.web_pages import build_pages
from clinicnum.ui.components.gradio_page import with_error_messages
from clinicnum.ui.pages.home import view
from clinicnum.ui.pages.home.page import HomeHandlers
from tests.db.examples import material, open_study
from tests.ui.gradio_request import Request

HOSTILE = "<img src=x onerror=alert(1)> [x](javascript:alert(1))"


def add(engine: Engine, name: str, role: str) -> str:
    with writing(engine) as session:
        return users.add_user(session, name=name, role=role, password=None).user_id  # type: ignore[arg-type]


def test_every_role_has_a_home_whose_links_lead_to_pages_that_are_there(engine: Engine) -> None:
    people = {role: add(engine, role, role) for role in ROLES}
    open_study(engine, material(), name=HOSTILE, annotators=("annotator",), overlap=1)
    handlers, paths = HomeHandlers(Store(engine)), _paths(engine)
    for role in ROLES:
        status, waiting, steps, *_rest = handlers.load(Request(people[role]))
        assert status == ""
        assert not re.search(r"(?<!\\)<img|(?<!\\)\](?=\(javascript)", waiting + steps)
        links = re.findall(r"\]\((/[a-z-]*)/", waiting) + re.findall(r'href="(/[a-z-]*)/', steps)
        assert set(links) <= paths, role
        assert bool(steps) == (role in ("researcher", "admin"))
    annotator = handlers.load(Request(people["annotator"]))[1]
    assert "items are left" in annotator
    assert "(/annotate/)" in annotator


def test_all_steps_lead_to_pages_that_are_there(engine: Engine) -> None:
    assert {path.rstrip("/") for path in view.PATHS.values()} <= _paths(engine)


def _paths(engine: Engine) -> set[str]:
    never: Any = None
    pages = build_pages(
        Store(engine),
        find_user=lambda user_id: None,
        invitation=lambda user: "",
        after_closing=lambda: None,
        item_view=None,
        uploads=never,
    )
    return {page.path for page in pages}


def test_the_sample_is_made_for_chosen_annotators_and_refused_to_other_roles(engine: Engine) -> None:
    root, ann = add(engine, "root", "admin"), add(engine, "ann", "annotator")
    handlers = HomeHandlers(Store(engine))
    refused = with_error_messages(handlers.make_sample, 8)(["ann"], Request(ann))
    assert "may not evaluate" in refused[0]
    bad = with_error_messages(handlers.make_sample, 8)([{"a": 1}], Request(root))
    assert "Nothing was changed" in bad[0]
    with reading(engine) as session:
        assert not has_sample(session)
    made = handlers.make_sample(["ann"], Request(root))
    assert "The sample project is made." in made[0]
    assert made[3]["value"][0][0] == "Sample"
    assert "Sample" in handlers.load(Request(ann))[1]
    gone = handlers.remove_sample(False, Request(root))
    assert "removed" in gone[0]
    with reading(engine) as session:
        assert not has_sample(session)
