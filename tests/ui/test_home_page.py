"""The home page's sentences, steps and handlers."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine

from clinicnum.annotations.types import ROLES
from clinicnum.db.database_sessions import Store
from clinicnum.db.engine import reading, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.home.sample_project import has_sample
from clinicnum.db.work.reports.latest_reports import LatestReport
from clinicnum.scripts.commands.common.web_app_pages import build_pages
from clinicnum.scripts.dev import bench_home
from clinicnum.ui.components.gradio_page import with_error_messages
from clinicnum.ui.pages.home import view
from clinicnum.ui.pages.home.first_steps_view import PATHS
from clinicnum.ui.pages.home.page import HomeHandlers
from tests.db.examples import material, open_study
from tests.db.test_home import label
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
    assert "(/annotate/?study=" in annotator


def test_all_steps_lead_to_pages_that_are_there(engine: Engine) -> None:
    assert {path.rstrip("/") for path in PATHS.values()} <= _paths(engine)


def test_whoever_may_add_accounts_is_led_to_them_where_nobody_may_decide(engine: Engine) -> None:
    people = {role: add(engine, role, role) for role in ("admin", "researcher")}
    add(engine, "ann", "annotator")
    add(engine, "ben", "annotator")
    open_study(engine, material(wrong=1), name="first", annotators=("ann", "ben"), overlap=2)
    with reading(engine) as session:
        ids = {one.name: one.user_id for one in users.list_users(session)}
    label(engine, ids["ann"], "1")
    label(engine, ids["ben"], "4")
    handlers = HomeHandlers(Store(engine))
    admin, researcher = (handlers.load(Request(people[role]))[1] for role in ("admin", "researcher"))
    both = "first: 1 disagreement waits for a decision. Nobody may decide: "
    assert f"{both}[add an adjudicator](/people/)." in admin
    items = "[Look at its items](/items/?study=first&state=due)"
    assert f"{both}ask an admin to add an adjudicator. {items}" in researcher
    ada = add(engine, "ada", "adjudicator")
    assert "Nobody" not in handlers.load(Request(people["admin"]))[1]
    queue = "first: 1 disagreement needs a decision. [Go on with the first](/adjudicate/?study="
    assert queue in handlers.load(Request(ada))[1]


def test_a_study_that_is_labelled_and_decided_leads_to_its_report(engine: Engine) -> None:
    root = add(engine, "root", "admin")
    ann = add(engine, "ann", "annotator")
    open_study(engine, material(wrong=1), name="first", annotators=("ann",), overlap=1)
    handlers = HomeHandlers(Store(engine))
    before = handlers.load(Request(root))
    assert "Make its report" not in before[1]
    assert before[5]["visible"], "the sample project is offered until somebody has labelled"
    label(engine, ann, "1")
    waiting, steps, _studies, _reports, making = handlers.load(Request(root))[1:6]
    assert not making["visible"]
    assert "A tick says that it is there, whoever made it" in steps
    link = "[Make its report](/reports/?study=first)"
    assert (
        "first: everything is labelled, by one person each. One person's labels count no failure" in waiting
    )
    assert f"[Open a study](/studies/?part=new) {link}" in waiting
    assert '<a href="/studies/">Open a study</a>' in steps  # a step that is done can be taken again


def test_a_study_that_two_people_labelled_is_said_to_be_decided(engine: Engine) -> None:
    root, ann, ben = (
        add(engine, "root", "admin"),
        add(engine, "ann", "annotator"),
        add(engine, "ben", "annotator"),
    )
    open_study(engine, material(wrong=1), name="a & b", annotators=("ann", "ben"), overlap=2)
    for one in (ann, ben):
        label(engine, one, "1")
    waiting, _steps, studies = HomeHandlers(Store(engine)).load(Request(root))[1:4]
    assert "everything is labelled and decided. [Make its report](/reports/?study=a+%26+b)" in waiting
    assert '<a href="/studies/?study=a+%26+b">a &amp; b</a>' in studies, "a study's name leads to it"


@pytest.mark.parametrize(("role", "linked"), [("admin", True), ("researcher", False)])
def test_every_step_is_a_link_to_the_page_that_it_names_where_that_is_open(
    engine: Engine, role: str, linked: bool
) -> None:
    steps = HomeHandlers(Store(engine)).load(Request(add(engine, role, role)))[2]
    titles = re.findall(r'<strong><a href="/([a-z]+)/">', steps)
    known = [
        "benchmarks",
        "runs",
        "explore",
        "studies",
        *(["people"] if linked else []),
        "studies",
        "reports",
    ]
    assert titles == known


def test_the_last_reports_are_linked_with_titles_as_text(engine: Engine) -> None:
    made = {"created_at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC)}
    told = [
        LatestReport(report_id="r1", title="one", studies=("one",), **made),
        LatestReport(report_id="r2", title=HOSTILE, studies=("two", "a [b](http://x)"), **made),
    ]
    text = view.reports_text(told)
    assert "[one](/reports/?report=r1), made on 2026-01-02 03:04 UTC" in text
    assert "two, a " in text
    assert re.findall(r"(?<!\\)\]\(([^)]*)\)", text) == ["/reports/?report=r1", "/reports/?report=r2"]
    assert not re.search(r"(?<!\\)<img", text)
    assert view.reports_text(()) == ""


def test_the_benchmark_of_the_page_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench_home", "--items", "5", "--studies", "2", "--times", "1"])
    bench_home.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[1:]] == list(ROLES)


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
    assert '<a href="/studies/?study=Sample">Sample</a>' in made[3]
    assert "Sample" in handlers.load(Request(ann))[1]
    gone = handlers.remove_sample(False, Request(root))
    assert "removed" in gone[0]
    with reading(engine) as session:
        assert not has_sample(session)
