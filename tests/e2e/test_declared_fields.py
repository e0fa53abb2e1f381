"""A field that a study declares is labelled by key, exported, compared and reported."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server, clinicnum
from tests.e2e.visit import visit_as_root
from tests.e2e.walk import name_study
from tests.e2e.ward import Worker, set_status

pytestmark = pytest.mark.browser


FIELDS = """
- name: readable
  label: Could a nurse act on this answer?
  type: choice
  ordered: true
  required: true
  options: [{value: at once, means: Nothing is missing., key: 5}, {value: never, key: 6}]
- name: reasons
  label: What is in the way?
  type: multiple choice
  options: [{value: units, key: 7}, {value: form, key: 8}]
- {name: minutes, label: Minutes lost, type: number, step: 2, asked: failures, required: true, key: 9}
"""


def label_with_keys(browser: Browser, server: Server, name: str, readable: str) -> None:
    """Label both items of the study; what is required and not given is asked for at each step."""
    worker = Worker(browser, server, name)
    page = worker.begin()
    for last in (False, True):
        here = worker.assignment()
        worker.press("c", "Escape", "2", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("Answer “Could a nurse act on this answer?”.")
        page.get_by_role("button", name="About At once").click()
        expect(page.locator(".cb-entry")).to_contain_text("Nothing is missing.")
        worker.press("Escape", readable, "8", "7", "Enter")
        expect(page.locator(".ab-reveal")).to_be_visible()
        worker.press("v", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("Answer “Minutes lost”.")
        worker.press("2", "Control+Enter")
        if last:
            expect(page.locator(".ab-idle")).to_contain_text("All done")
        else:
            worker.moves_on(here)
        saved = worker.saved(here)["custom"]
        assert saved == {
            "readable": "at once" if readable == "5" else "never",
            "reasons": ["form", "units"],
            "minutes": 2.0,
        }
    worker.leave()


def test_a_field_that_a_study_declares_is_labelled_by_key_exported_compared_and_reported(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    set_status(server.database, "six", "paused")
    visit, said = visit_as_root(browser, server)
    page = visit.open("/studies/", "#studies [role='gridcell']")
    page.get_by_role("tab", name="New study").click()
    name_study(page, "own")
    page.get_by_label("eve", exact=True).uncheck()
    page.get_by_label("How many people label each answer").fill("2")
    page.get_by_label("How many answers", exact=False).first.fill("2")
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("button", name="What annotators see").click()
    page.get_by_label("Fields of the study's own").fill(FIELDS.replace("key: 5", "key: s"))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("Key 's' of field readable is taken")
    page.get_by_label("Fields of the study's own").fill(FIELDS)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".st-preview")).to_contain_text("2 of 6 answers would be drawn")
    page.get_by_role("button", name="Open the study").click()
    expect(page.get_by_text("Study own is open: 2 items")).to_be_visible()

    label_with_keys(browser, server, "ann", "5")
    label_with_keys(browser, server, "ben", "6")

    page = visit.open("/agreement/?study=own", "#verdict p")
    expect(page.locator("#summary-table")).to_contain_text("Could a nurse act on this answer?")
    expect(page.locator("#summary-table")).to_contain_text("What is in the way?")
    out = tmp_path / "out"
    clinicnum("export", "--study", "own", "--out", str(out / "csv"), "--db", server.database)
    exported = (out / "csv" / "annotations.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(exported.splitlines()))
    assert {row["custom_readable"] for row in rows} == {"at once", "never"}
    assert {row["custom_reasons"] for row in rows} == {"form|units"}
    assert {row["custom_minutes"] for row in rows if row["last"] == "True"} == {"2.0"}
    said_of = clinicnum("agreement", "--study", "own", "--db", server.database, "--json")
    layers = {one["name"]: one for one in json.loads(said_of)["layers"]}
    assert layers["custom_readable"]["population"]["scale"] == "ordinal"
    clinicnum("report", "--study", "own", "--out", str(out / "report"), "--db", server.database)
    report = "".join(one.read_text(encoding="utf-8") for one in (out / "report").glob("*.html"))
    assert "What this study asked besides" in report
    assert "Could a nurse act on this answer?" in report
    assert (said, visit.foreign_requests()) == ([], [])
    visit.close()
