"""The annotate page shows the whole task, and what is unfolded stays so until the next item."""

import re

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.prompt import messages_for
from tests.db.examples import instance
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import Server
from tests.e2e.ward import Worker

pytestmark = pytest.mark.browser


def test_the_whole_task_is_on_the_page_and_what_is_unfolded_stays_so_until_the_next_item(
    browser: Browser, ward: Server
) -> None:
    hal = Worker(browser, ward, "hal")
    page = hal.begin()
    here = hal.assignment()
    form = page.locator(".ab-question + .cn-demand")
    expect(form).to_have_text(
        re.compile(
            '^The model was told to answer like this: End with one line of JSON: .*"not documented" if the'
        )
    )
    expect(page.locator(".ab-text + .cn-ended")).to_have_text(
        "Cut off before its end: the limit on its length was reached."
    )
    prompt, thinking = (page.locator(f"[data-fold={name}]") for name in ("prompt", "thinking"))
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_hidden()
        fold.locator("summary").click()
    system, user = messages_for(instance(0))
    assert prompt.locator("pre").all_text_contents() == [system["content"], user["content"]]
    expect(thinking.locator("summary")).to_contain_text("not judged as the answer")
    expect(thinking.locator("pre")).to_have_text("As ████████████ I would take 4242 first.")
    expect(page.locator(".ab-text")).not_to_contain_text("4242")
    assert grave_violations(page, axe_script()) == []
    hal.lock("c")
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_visible()
    hal.press("2", "v", "Enter")
    hal.moves_on(here)
    for fold in (prompt, thinking):
        expect(fold.locator("pre").first).to_be_hidden()
    hal.leave()
