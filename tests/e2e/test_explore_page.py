"""The explore page in a browser: from a facet to a study of the slice, and a view that a colleague opens."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.db.engine import make_engine
from tests.db.curating import add_graded
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server, free_port
from tests.e2e.visit import Visit
from tests.e2e.walk import name_study

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def explored(study_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with three runs on one benchmark, beside the study of another."""
    folder = tmp_path_factory.mktemp("explored")
    shutil.copy(study_database, folder / "study.db")
    database = f"sqlite:///{folder / 'study.db'}"
    engine = make_engine(database)
    add_graded(engine, 3)
    engine.dispose()
    one = Server(database=database, port=free_port(), log=folder / "server.log")
    one.start()
    yield one
    one.kill()


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_label(label, exact=True).first.click()
    page.get_by_role("option", name=option).first.click()
    page.keyboard.press("Escape")


def cells(page: Page, table: str) -> list[str]:
    return page.locator(f"#{table} [role=gridcell][aria-colindex='1']").all_inner_texts()


def test_from_a_facet_to_a_saved_view_and_a_study_of_the_slice(browser: Browser, explored: Server) -> None:
    rex = Visit(browser, explored, "rex")
    page = rex.open("/explore/", ".cn-figures")
    page.locator("#runs").get_by_role("button", name="Clear").or_(
        page.locator("#runs .remove-all")
    ).first.click()
    for model in ("acme/Model-0", "acme/Model-1", "acme/Model-2"):
        page.locator("#runs input").click()
        page.get_by_role("option", name=model).click()
    page.keyboard.press("Escape")
    figures = page.locator(".cn-figures")
    expect(figures).to_contain_text("36 answers")
    expect(page.locator("#answers [role=gridcell]").first).to_be_visible()
    page.get_by_label("accuracy by slice").click()
    expect(page.locator("#slices [role=gridcell]", has_text="arithmetic.bp_sum")).to_be_visible()
    choose(page, "Template", "arithmetic.bp_sum")
    expect(figures).to_contain_text("12 answers")
    page.get_by_label("Words in question or answer").fill("GOT SOMETHING")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(figures).not_to_contain_text("12 answers")
    expect(page).to_have_url(re.compile("bp_sum.*search=GOT"))
    page.get_by_label("map of failures").click()
    expect(page.locator("#map td a").first).to_be_visible()
    assert grave_violations(page, axe_script()) == []
    page.get_by_label("answers", exact=True).click()
    page.locator("#answers [role=gridcell]").first.click()
    expect(page.locator(".cn-answer")).to_have_count(3)
    expect(page.locator("#instance h2").first).to_be_in_viewport()
    expect(page.locator(".cn-answer h3").first).to_have_text("acme/Model-0")
    page.get_by_label("changes between two runs").click()
    choose(page, "From this run", "acme/Model-0")
    choose(page, "To this run", "acme/Model-2")
    expect(page.get_by_text("questions that both answered")).to_be_visible()
    page.get_by_role("button", name="Saved views").click()
    page.get_by_label("Name for what you see now").fill("What the last one unlearnt")
    page.get_by_role("button", name="Save this view").click()
    expect(page).to_have_url(re.compile(r"/explore/\?view="))
    address = page.url.removeprefix(explored.url)
    root = Visit(browser, explored, "root").open(address, ".cn-figures")
    expect(root.get_by_text("questions that both answered")).to_be_visible()
    expect(root.get_by_label("Words in question or answer")).to_have_value("GOT SOMETHING")
    page.get_by_role("button", name="Have this slice labelled in a study").click()
    page.wait_for_url("**/studies/?**")
    expect(page.get_by_text("The sample is drawn from the slice that you explored")).to_be_visible()
    name_study(page, "of the slice")
    for name in ("ann", "ben", "eve"):
        page.get_by_label(name, exact=True).check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Open the study").click()
    expect(page.get_by_text("Study of the slice is open")).to_be_visible()
