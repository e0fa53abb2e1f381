"""Curators at the editor: a template from the empty form, faults beside their fields, two at one draft."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.db.engine import make_engine, writing
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank import template_versions
from clinicnum.db.work.drafts import drafts, from_failure
from clinicnum.ui.components.static_files import static_path
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, serve_copy
from tests.e2e.draft_editor import Curator, Hands, idle, told
from tests.e2e.walk import settle

pytestmark = pytest.mark.browser
MOST_INPUTS = 25
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, study_database: Path) -> Iterator[Server]:
    """A server with two curators."""
    made = serve_copy(study_database, tmp_path_factory.mktemp("studio"))
    server = next(made)
    engine = make_engine(server.database)
    with writing(engine) as session:
        for name in ("cora", "dan"):
            users.add_user(session, name=name, role="curator", password=PASSWORD)
    engine.dispose()
    yield server
    next(made, None)


def test_a_template_is_built_from_the_empty_form_with_its_errors_beside_their_fields(
    browser: Browser, studio: Server
) -> None:
    cora = Curator(browser, studio, "cora")
    page = cora.open("/draft/", ".df-root button")
    hands = Hands(page)
    hands.press("New draft")
    wording = page.get_by_label("Wording", exact=True)
    told(page.get_by_label("Source", exact=True), "It is missing")
    hands.fill(
        "Wording", "In how many records was the heart rate above 104 bpm and the systolic below 107 mmHg?"
    )
    hands.choose("What is computed: kind", "how many records where …")
    hands.choose("Where: kind", "all of several conditions")
    first_vital = page.get_by_label("Vital", exact=True).first
    told(first_vital, "It is missing")
    hands.choose("Vital", "heart rate")
    hands.fill("Number", "a hundred")
    number = page.get_by_label("Number", exact=True).first
    told(number, "expected a number")
    expect(number).to_have_attribute("aria-invalid", "true")
    hands.fill("Number", "104")
    expect(number).not_to_have_attribute("aria-invalid", "true")
    hands.choose("Vital", "systolic pressure", 1)
    hands.check("below", 1)
    hands.fill("Number", "107", 1)
    hands.fill("Source", f"Our own {HOSTILE}")
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")
    expect(page.locator(".df-panel")).to_contain_text("200 questions taken")
    expect(page.locator(".df-worked li").first).to_be_visible()
    expect(page.locator(".df-title")).to_contain_text("aggregation.heart_rate_above_104_bpm_systolic")
    for name in ("templated", "note"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("region", name=f"Context, {name}")).to_be_visible()
    expect(wording).to_have_value(re.compile("^In how many records"))
    idle(page)
    _no_grave_violation(page)
    hands.press("Send to review")
    expect(page.locator(".df-message")).to_contain_text("version 1 is in the bank")
    expect(page.locator(".df-saved")).to_contain_text("Sent to review as aggregation.heart_rate_above_104")
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name="Send to review")).to_be_visible()
    assert hands.inputs <= MOST_INPUTS
    assert page.title() != "owned"
    assert cora.said == []
    assert cora.foreign_requests() == []
    cora.close()


def _no_grave_violation(page: Page) -> None:
    script = axe_script()
    found = []
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        found += [f"{scheme} {width}: {one}" for one in grave_violations(page, script)]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})
    assert found == []


def test_named_faults_stand_beside_the_field_in_the_form_and_with_their_place_in_yaml(
    browser: Browser, studio: Server
) -> None:
    cora = Curator(browser, studio, "cora")
    page = cora.new_draft()
    hands = Hands(page)
    hands.fill("Wording", "What was the heart rate divided by nothing at {time}?")
    hands.choose("What is computed: kind", "a number, worked out from the records")
    hands.choose("Number: kind", "quotient: a ÷ b")
    hands.choose("Vital", "heart rate")
    hands.choose("Second: kind", "a fixed number")
    hands.fill("Number", "0")
    hands.fill("Source", "our own")
    divisor = page.get_by_label("Second: kind", exact=True)
    told(divisor, "Divides by zero")
    unit = page.get_by_label("Unit", exact=True)
    told(unit, "Missing unit")
    hands.fill("Number", "2")
    hands.fill("Unit", "bpm")
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")

    page.get_by_role("button", name="YAML", exact=True).click()
    yaml = page.get_by_label("The template as YAML")
    expect(yaml).to_have_value(re.compile("heart_rate_bpm"))
    idle(page)
    settle(cora)
    expect(page.locator(".df-title")).to_have_text("arithmetic.heart_rate_divided_nothing")
    text = yaml.input_value()
    yaml.fill(text.replace("heart_rate_bpm", "glucose"))
    expect(page.locator(".df-lost")).to_contain_text("tree.of.left.vital")
    expect(page.locator(".df-lost")).to_contain_text("Unknown vital sign")
    yaml.fill(text + "\n  wrong: [")
    expect(page.locator(".df-yaml-error")).to_contain_text(re.compile(r"line \d+|:\d+"))
    expect(yaml).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".df-saved")).to_contain_text("cannot be read yet")
    page.get_by_role("button", name="Form", exact=True).click()
    expect(page.locator(".df-message")).to_contain_text("mend the line")
    yaml.fill(text.replace("heart_rate_bpm", "glucose"))
    expect(page.locator(".df-lost")).to_contain_text("Unknown vital sign")
    page.get_by_role("button", name="Form", exact=True).click()
    vital = page.get_by_label("Vital", exact=True)
    told(vital, "Unknown vital sign")
    hands.choose("Vital", "heart rate")
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")
    assert cora.said == []
    cora.close()


def test_a_version_of_the_bank_opens_in_the_form_as_it_is_and_a_mistake_begins_as_its_tree(
    browser: Browser, studio: Server
) -> None:
    cora = Curator(browser, studio, "cora")
    page = cora.open("/draft/", ".df-root button")
    draft = page.evaluate(
        """async (requests) => (await (await import(requests)).post(
            "create", { template: "arithmetic.qsofa", version: 1 })).draft.id""",
        static_path("draft/requests.js"),
    )
    page = cora.open(f"/draft/?draft={draft}", ".df-form")
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    example = page.get_by_role("group", name="Published example")
    expect(example.get_by_label("Time", exact=True).first).to_have_value("2150-01-01 08:00:00")
    expect(example.get_by_label("gcs", exact=True)).to_have_value("15")
    expect(page.locator(".df-root")).not_to_contain_text("[object")
    assert page.evaluate(
        """async (module) => { const { state, same } = await import(module);
            return same(state.content, state.base) && !state.touched; }""",
        static_path("draft/state.js"),
    )
    page.get_by_role("button", name="Add to Mistakes").click()
    mistake = page.get_by_role("group", name="Mistake 4", exact=True)
    expect(mistake.get_by_label("Vital", exact=True).first).to_have_value("2")  # the respiratory rate
    mistake.get_by_label("Cause", exact=True).select_option(label="causal reasoning: wrong comparator")
    mistake.get_by_label("Name", exact=True).fill("strict")
    mistake.get_by_role("radio", name="above", exact=True).first.check()
    expect(page.locator(".df-count")).to_have_text("Nothing to mend")
    idle(page)
    assert cora.said == []
    cora.close()


def test_of_two_curators_on_one_draft_the_second_is_told_and_neither_loses_a_word(
    browser: Browser, studio: Server
) -> None:
    cora, dan = Curator(browser, studio, "cora"), Curator(browser, studio, "dan")
    first = cora.new_draft()
    first.get_by_label("Wording", exact=True).fill("What was the pulse?")
    first.get_by_label("Source", exact=True).fill("both")
    idle(first)
    address = first.url.removeprefix(studio.url)
    second = dan.open(address, ".df-form")
    expect(second.get_by_label("Source", exact=True)).to_have_value("both")

    first.get_by_label("Source", exact=True).fill("Cora's source")
    idle(first)
    second.get_by_label("Wording", exact=True).fill("Dan's question?")
    notice = second.get_by_role("alert", name="Saved by somebody else")
    expect(notice).to_contain_text("cora saved this draft at")
    expect(notice).to_contain_text("Cora's source")
    expect(notice).to_contain_text("Dan's question?")
    expect(second.get_by_label("Wording", exact=True)).to_have_value("Dan's question?")
    second.reload()  # a tab that closes now loses nothing either
    expect(notice).to_contain_text("Dan's question?")
    expect(notice.get_by_role("group", name="Source").get_by_label(re.compile("^Theirs"))).to_be_checked()
    expect(notice.get_by_role("group", name="Wording").get_by_label(re.compile("^Mine"))).to_be_checked()
    notice.get_by_role("button", name="Save what is chosen").click()
    expect(notice).to_have_count(0)
    idle(second)
    expect(second.get_by_label("Source", exact=True)).to_have_value("Cora's source")
    expect(second.get_by_label("Wording", exact=True)).to_have_value("Dan's question?")

    first.get_by_label("Source", exact=True).fill("Cora's other source")
    banner = first.get_by_role("alert", name="Saved by somebody else")
    expect(banner).to_contain_text("dan saved this draft at")
    banner.get_by_role("button", name="Keep mine as a new draft").click()
    expect(banner).to_have_count(0)
    expect(first.get_by_label("Source", exact=True)).to_have_value("Cora's other source")
    assert first.url.removeprefix(studio.url) != address
    page = dan.open(address, ".df-form")
    expect(page.get_by_label("Source", exact=True)).to_have_value("Cora's source")
    assert cora.said == dan.said == []
    cora.close()
    dan.close()


def test_what_a_closed_tab_had_not_saved_is_back_when_the_draft_is_opened_again(
    browser: Browser, studio: Server
) -> None:
    cora = Curator(browser, studio, "cora")
    page = cora.new_draft()
    address = page.url.removeprefix(studio.url)
    idle(page)
    settle(cora)
    cora.context.set_offline(True)
    page.get_by_label("Wording", exact=True).fill("Typed while the line was down")
    page.close()
    cora.context.set_offline(False)
    cora.page = cora.context.new_page()
    page = cora.open(address, ".df-form")
    expect(page.get_by_label("Wording", exact=True)).to_have_value("Typed while the line was down")
    expect(page.locator(".df-message")).to_contain_text("is back")
    idle(page)
    dan = Curator(browser, studio, "dan")
    elsewhere = dan.open(address, ".df-form")
    expect(elsewhere.get_by_label("Wording", exact=True)).to_have_value("Typed while the line was down")
    elsewhere.get_by_role("button", name="Discard").click()
    elsewhere.get_by_role("button", name="Discard it").click()
    expect(elsewhere.locator(".df-message")).to_contain_text("discarded")
    cora.close()
    dan.close()


def test_a_newer_version_is_compared_with_the_draft_that_then_goes_on_from_it(
    browser: Browser, studio: Server
) -> None:
    name, engine = "arithmetic.map", make_engine(studio.database)
    with writing(engine) as session:
        ids = {one.name: one.user_id for one in users.list_users(session)}
        hers, his = (
            from_failure.begin_next_version(session, actor=ids[who], template_id=name, version=1)
            for who in ("cora", "dan")
        )
        said = {**drafts.load(session, hers).content, "source": HOSTILE}
        drafts.save(session, draft_id=hers, revision=1, content=said, actor=ids["cora"])
        drafts.submit(session, draft_id=hers, revision=2, actor=ids["cora"])
        version = template_versions.find_version(session, name, 2)
        template_versions.set_status(session, version, "in_review", actor=ids["cora"], why={})
    engine.dispose()
    dan = Curator(browser, studio, "dan")
    page = dan.open(f"/draft/?draft={his}", ".df-form")
    idle(page)
    page.get_by_role("button", name="Send to review").click()
    box = page.get_by_role("alert", name="A newer version")
    expect(box).to_contain_text(f"{name} version 2 was added")
    expect(box.get_by_role("group")).to_have_count(1)
    expect(box.get_by_role("radio", name=re.compile("^Theirs"))).to_be_checked()
    box.get_by_role("button", name="Go on from version 2").click()
    expect(page.get_by_label("Source", exact=True)).to_have_value(HOSTILE)
    expect(page.locator(".df-facts")).to_contain_text(f"Puts right {name} version 2")
    page.get_by_label("Source", exact=True).fill("Dan looked it up")  # a version without a change is refused
    idle(page)
    page.get_by_role("button", name="Send to review").click()
    expect(page.locator(".df-message")).to_contain_text(f"{name} version 3 is in the bank")
    assert dan.said == []
