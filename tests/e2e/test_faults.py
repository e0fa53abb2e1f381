"""What an annotator sees when disk, database or network fail, and what is saved afterwards."""

import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.db.faults import HOLDER, fill, small_file_system
from tests.e2e.conftest import Server, free_port
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser
PATIENT_MS = 90_000
ROOM = 16 * 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """One server for the tests here, its database alone on a small file system; each has an annotator."""
    folder = tmp_path_factory.mktemp("faults")
    with small_file_system(folder / "disk", ROOM) as disk:
        shutil.copy(study_database, disk / "study.db")
        one = Server(f"sqlite:///{disk / 'study.db'}", free_port(), folder / "server.log")
        one.start()
        yield one
        one.kill()
        assert "Traceback" not in one.log.read_text()


def file_of(server: Server) -> Path:
    return Path(server.database.removeprefix("sqlite:///"))


def saved(server: Server, assignment: str) -> list[tuple[int, bool]]:
    """(revision, submitted) of an assignment, straight from the file."""
    with closing(sqlite3.connect(file_of(server))) as connection:
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        rows = connection.execute(
            "SELECT revision, submitted FROM annotation WHERE assignment_id = ? ORDER BY revision",
            (assignment,),
        )
        return [(number, bool(whole)) for number, whole in rows]


def opened(visit: Visit) -> tuple[Page, str]:
    page = visit.open("/annotate/", ".ab-question")
    return page, assignment_on(page)


def assignment_on(page: Page) -> str:
    return str(page.evaluate("document.querySelector('.ab-root').dataset.assignment"))


def told(page: Page, text: str) -> None:
    """The page says so, beside the decisions, in a place that is read out."""
    expect(page.get_by_role("status").filter(has_text=text)).to_be_visible(timeout=PATIENT_MS)


def moved_on(page: Page, before: str) -> None:
    other = page.locator(f".ab-root:not([data-assignment='{before}'])[data-assignment]")
    expect(other).to_be_visible(timeout=PATIENT_MS)


def blind(page: Page, key: str = "c") -> None:
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer", timeout=PATIENT_MS)
    page.keyboard.press("v")


def picture(page: Page, name: str) -> None:
    """Keep what is seen, where somebody asked for pictures."""
    folder = os.environ.get("CLINICNUM_PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png")


def test_a_full_disk_is_told_and_the_judgement_saved_once_there_is_room(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "ann")
    page, item = opened(visit)
    blind(page)
    filler = fill(file_of(server).parent)
    page.keyboard.press("t")
    page.get_by_label("Rationale").fill("typed while the disk was full")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    told(page, "Not saved yet; trying again. The disk that holds the database is full")
    picture(page, "full")
    assert saved(server, item) == [(1, False)]
    assert page.get_by_label("Rationale").input_value() == "typed while the disk was full"
    filler.unlink()
    moved_on(page, item)
    assert saved(server, item) == [(1, False), (2, True)]
    visit.close()


def test_a_database_kept_busy_is_told_and_the_judgement_saved_when_it_is_free(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "ben")
    page, item = opened(visit)
    command = [sys.executable, "-c", HOLDER, str(file_of(server))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        page.keyboard.press("c")
        page.keyboard.press("Enter")
        told(page, "Not saved yet; trying again. The database is kept busy by another program")
        picture(page, "busy")
        holder.stdin.close()
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer", timeout=PATIENT_MS)
    assert saved(server, item) == [(1, False)]
    for key in ("2", "v", "Enter"):
        page.keyboard.press(key)
    moved_on(page, item)
    visit.close()


def test_a_database_that_is_gone_is_told_on_every_page_and_missed_no_longer_than_it_is_away(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "eve")
    page, item = opened(visit)
    blind(page)
    path = file_of(server)
    path.rename(path.with_suffix(".away"))
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    told(page, "Not saved yet; trying again. The database cannot be reached")
    picture(page, "gone")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server.url}/ready", timeout=60)
    with caught.value as refused:
        assert refused.code == 503
    other = visit.context.new_page()
    answer = other.goto(f"{server.url}/annotate/")
    assert answer is not None
    assert answer.status == 503
    expect(
        other.get_by_text("The database cannot be reached; what was saved before is kept.")
    ).to_be_visible()
    picture(other, "gone-page")
    assert not path.exists()
    path.with_suffix(".away").rename(path)
    moved_on(page, item)
    assert saved(server, item) == [(1, False), (2, True)]
    visit.close()


def test_a_slow_or_absent_network_saves_once(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ann")
    page, item = opened(visit)
    network = visit.context.new_cdp_session(page)
    network.send("Network.enable")

    def conditions(*, offline: bool, latency: int) -> None:
        bounds = {"downloadThroughput": 20_000, "uploadThroughput": 20_000} if latency else {}
        rate = {"downloadThroughput": -1, "uploadThroughput": -1} | bounds
        network.send("Network.emulateNetworkConditions", {"offline": offline, "latency": latency, **rate})

    conditions(offline=False, latency=2000)
    blind(page)
    page.keyboard.press("2")
    for _ in range(3):
        page.keyboard.press("Enter")
    told(page, "Saving…")
    moved_on(page, item)
    assert saved(server, item) == [(1, False), (2, True)]
    following = assignment_on(page)
    conditions(offline=True, latency=0)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    told(page, "Not saved yet; trying again. The server does not answer.")
    assert saved(server, following) == []
    conditions(offline=False, latency=0)
    expect(page.locator(".ab-reveal")).to_contain_text("Gold answer", timeout=PATIENT_MS)
    page.keyboard.press("v")
    page.keyboard.press("Enter")
    moved_on(page, following)
    assert [submitted for _, submitted in saved(server, following)] == [False, True]
    visit.close()


def test_two_tabs_on_one_item_and_on_two(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "ben")
    left, item = opened(visit)
    right = visit.open_tab("/annotate/", ".ab-question")
    assert assignment_on(right) == item
    left.keyboard.press("f")
    left.keyboard.press("1")
    blind(left, "f")
    left.keyboard.press("Enter")
    moved_on(left, item)
    before = saved(server, item)
    assert [submitted for _, submitted in before] == [False, True]
    right.keyboard.press("h")
    right.keyboard.press("4")
    right.keyboard.press("Enter")
    expect(
        right.get_by_role("alert").filter(has_text="You changed this item in another window")
    ).to_be_visible()
    picture(right, "second-tab")
    assert saved(server, item) == before
    following = assignment_on(left)
    blind(left, "a")
    right.keyboard.press("1")
    right.keyboard.press("Enter")
    moved_on(right, item)
    left.keyboard.press("Enter")
    moved_on(left, following)
    assert [submitted for _, submitted in saved(server, item)] == [False, True, True]
    assert [submitted for _, submitted in saved(server, following)] == [False, True]
    visit.close()


def test_a_page_of_the_researcher_says_it_too_and_can_be_used_again(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server, "root")
    page = visit.open("/people/", "[role='row']:has-text('eve')")
    page.get_by_role("row", name="eve").get_by_text("eve", exact=True).click()
    expect(page.get_by_role("combobox", name="Account")).to_have_value("eve")
    path = file_of(server)
    path.rename(path.with_suffix(".away"))
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("alert").filter(has_text="The database cannot be reached")).to_be_visible()
    picture(page, "people")
    path.with_suffix(".away").rename(path)
    page.get_by_role("button", name="Switch off").click()
    told(page, "eve is switched off.")
    visit.close()


def test_a_page_of_the_researcher_says_that_the_server_is_gone_or_the_session_over(
    browser: Browser, server: Server
) -> None:
    visit = Visit(browser, server, "root")
    page = visit.open("/people/", "[role='row']:has-text('eve')")
    page.get_by_role("row", name="eve").get_by_text("eve", exact=True).click()
    expect(page.get_by_role("combobox", name="Account")).to_have_value("eve")
    server.kill()
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_text("Connection to the server was lost")).to_be_visible()
    server.start()
    page = visit.open("/people/", "[role='row']:has-text('eve')")
    page.get_by_role("row", name="eve").get_by_text("eve", exact=True).click()
    page.context.request.post(f"{server.url}/logout", headers={"origin": server.url})
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("alert").filter(has_text="You are logged out")).to_be_visible()
    picture(page, "people-logged-out")
    visit.close()
