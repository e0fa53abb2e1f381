"""A researcher estimates, launches, names and compares runs, with a real model and a real worker."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from clinicnum.io.benchmark import read_benchmark
from tests.e2e.conftest import Server
from tests.e2e.visit import visit_as_root
from tests.e2e.walk import settle
from tests.jobs.workers import PATIENCE_S, WorkerProcess

pytestmark = pytest.mark.browser

JOB_MS = 1_000 * PATIENCE_S


@pytest.fixture
def worker(server: Server, tmp_path: Path) -> Iterator[WorkerProcess]:
    """A worker on the server's database, with the server's folder of uploads."""
    beside = ("--files", str(tmp_path / "study.db-files"))
    started = WorkerProcess(server.database, tmp_path, options=beside).start()
    yield started
    started.kill()


def test_runs_are_estimated_launched_named_compared_and_uploaded(
    browser: Browser,
    server: Server,
    worker: WorkerProcess,
    small_model: Path,
    study_files: dict[str, Path],
) -> None:
    visit, said = visit_as_root(browser, server)
    page = visit.open("/runs/", "#runs [role='gridcell']")
    expect(page.locator("#runs")).to_contain_text("elsewhere")
    page.get_by_role("tab", name="Launch").click()
    expect(page.get_by_label("Model", exact=True)).to_have_value(small_model.name)
    page.get_by_label("Number of answers").fill("3")
    page.get_by_label("Name of the new run").fill("<b>small")
    page.get_by_role("button", name="Settings").click()
    longest = page.get_by_label("Longest answer, in tokens")
    expect(longest).to_have_value("256")
    settle(visit)  # a field in what has just been unfolded is given its value once more
    longest.fill("8")
    expect(longest).to_have_value("8")
    page.get_by_label("Answers to each question").fill("2")
    page.get_by_role("button", name="Dry run").click()
    refused = page.get_by_text("2 samples at temperature 0 would all be equal")
    expect(refused).to_be_visible()
    page.get_by_label("Temperature").fill("0.7")
    page.get_by_role("button", name="Dry run").click()
    estimate = page.get_by_text("sample 2: generations: at most 24 new tokens")
    expect(estimate).to_be_visible(timeout=JOB_MS)
    expect(refused).to_be_hidden()
    page.get_by_role("button", name="Launch the run").click()
    scored = page.get_by_text("The answers are scored:")
    expect(scored).to_be_visible(timeout=JOB_MS)
    expect(estimate).to_be_hidden()
    page.get_by_role("link", name="Show the runs").click()
    expect(page.locator("#runs")).to_contain_text("<b>small #1")
    expect(page.locator("#runs")).to_contain_text("<b>small #2")
    page.locator("#runs").get_by_role("gridcell", name="<b>small #1").first.click()
    expect(page.locator("#accuracy")).to_contain_text("Accuracy of <b>small #1")
    page.get_by_role("button", name="How it was made").click()
    expect(page.locator("#made")).to_contain_text(
        "max_new_tokens 8, method sampling, sample 1, seed 0, temperature 0.7"
    )

    page.locator("#runs").get_by_role("gridcell", name="elsewhere").first.click()
    expect(page.locator("#accuracy")).to_contain_text("Accuracy of elsewhere")
    page.get_by_role("button", name="Name of the run").click()
    settle(visit)  # as above: an unfolded field is given its value once more
    name = page.locator("#run-name").get_by_role("textbox")
    expect(name).to_have_value("")  # not that of the run before any more
    name.fill("made elsewhere")
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("status").filter(has_text="called made elsewhere now")).to_be_visible()
    expect(page.locator("#runs")).to_contain_text("made elsewhere")

    page.get_by_role("tab", name="Compare").click()
    for one in ("<b>small #1", "made elsewhere"):
        page.get_by_label("Runs to compare").click()
        page.get_by_role("option", name=one).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("questions that all 2 runs answered")).to_be_visible()
    expect(page.locator("#compared-accuracy")).to_contain_text("<b>small")
    expect(page.locator("#compared-differences")).to_contain_text("made elsewhere")

    held: list[Route] = []
    page.route("**/components/upload.js", lambda route: held.append(route))
    with page.expect_request("**/components/upload.js"):
        page.get_by_role("tab", name="Upload").click()
    field, asked = page.locator("#answers-upload-file"), [*read_benchmark(study_files["bench"])][:2]
    answers = f"instance_id,text\n{asked[0]},7\n"
    no_text = b"\x89PNG\r\n"
    field.set_input_files({"name": "picture.csv", "mimeType": "text/csv", "buffer": no_text})
    while held:  # a file that is chosen before the script has loaded is sent all the same
        held.pop().continue_()
    expect(page.get_by_text("picture.csv is a picture; expected a table")).to_be_visible()
    expect(page.get_by_text("picture.csv is uploaded")).to_have_count(0)
    assert field.evaluate("field => field.files[0].name") == "picture.csv", "not: No file chosen"
    _earlier_file_is_dropped(page, f"{answers}{asked[1]},8\n")
    for content, told in (
        (
            "instance_id,said\nx,7\n",
            "a.csv has no column 'text'",
        ),
        (f"{answers}i-none,8\n", "a.csv:3: row 2: instance_id is 'i-none'"),
        (f"{answers}{asked[1]},8\n", "The answers are scored: 2"),
    ):
        field.set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": content.encode()})
        expect(page.get_by_text("a.csv is uploaded" if "scored" in told else told)).to_be_visible()
        page.get_by_label("Model that answered").fill("gpt-x")
        page.get_by_role("button", name="Store and score").click()
        expect(page.get_by_text(told)).to_be_visible(timeout=JOB_MS)
    page.get_by_role("tab", name="Runs", exact=True).click()
    expect(page.locator("#runs")).to_contain_text("gpt-x")
    refusals = ("422", "ERR_FAILED")  # of the empty file, and the one that is cut off
    assert [one for one in said if not any(code in one for code in refusals)] == []
    assert visit.foreign_requests() == []
    visit.close()


def _earlier_file_is_dropped(page: Page, content: str) -> None:
    """Whatever becomes of a file that is chosen after a good one, the good one can no longer be stored."""
    field, stores = page.locator("#answers-upload-file"), page.get_by_role("button", name="Store and score")
    good = {"name": "a.csv", "mimeType": "text/csv", "buffer": content.encode()}
    address = re.compile("/api/runs/upload")
    for name, refused in (("empty.csv", "The file is empty"), ("cut.csv", "The upload was cut off")):
        field.set_input_files(good)
        expect(page.get_by_text("a.csv is uploaded")).to_be_visible()
        expect(stores).to_be_visible()
        if name == "cut.csv":
            page.route(address, lambda route: route.abort())
        field.set_input_files({**good, "name": name, "buffer": b"" if name == "empty.csv" else b"x"})
        expect(page.get_by_text(refused)).to_be_visible()
        expect(page.get_by_text("a.csv is uploaded")).to_have_count(0)
        expect(stores).to_be_hidden()
    page.unroute(address)
