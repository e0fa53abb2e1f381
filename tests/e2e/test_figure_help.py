"""On every page each figure has a `?`, which opens its explanation by key and mouse, in both languages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.explanations.all_explanations import EXPLANATIONS
from clinicnum.api.sample_project import sample_material
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.bank.template_versions import add_packaged_templates
from clinicnum.db.work.home import sample_project
from clinicnum.db.work.studies import study_lifecycle
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.test_overlaps import SMALL
from tests.e2e.visit import Visit
from tests.e2e.walk import pages_of, settle, unfold

pytestmark = pytest.mark.browser
WITHOUT = """() => {
  const seen = (one) => one.checkVisibility() && !one.closest(".ab-records, .aj-records");
  const helped = (one) => one.closest(".cn-figure")?.querySelector(".cn-help")
    || one.closest(".block")?.previousElementSibling?.querySelector(".cn-help");
  const found = [];
  for (const one of document.querySelectorAll(".table-container"))
    if (seen(one) && !one.closest(".cn-list") && !helped(one)) found.push(one.innerText.slice(0, 80));
  for (const one of document.querySelectorAll(".cn-table caption"))
    if (seen(one) && !one.querySelector(".cn-help") && !/^([0-9]+ )?records/i.test(one.innerText))
      found.push(one.innerText);
  for (const one of document.querySelectorAll(".cn-plot, .cn-figures"))
    if (seen(one) && one.innerText.trim() && !one.querySelector(".cn-help") && !helped(one))
      found.push(one.className);
  return found;
}"""
"""Figures that are seen and have no `?`: Gradio's tables, our own, plots and boxes of figures."""
EXPECTED = {
    "ann": {"/my-work/": {"own_work"}},
    "ada": {"/agreement/": {"agreement", "precision"}},
    "root": {
        "/home/": {"study_progress"},
        "/studies/": {"study_progress"},
        "/runs/": {"runs", "accuracy"},
        "/explore/": {"slice_accuracy", "answers"},
        "/agreement/": {"agreement", "precision"},
        "/items/": {"items"},
        "/benchmarks/": {"benchmarks"},
        "/bank/": {"item_statistics"},
        "/failures/": {"failure_groups"},
    },
}
"""What at least is explained on a role's pages as they open."""


@pytest.fixture(scope="module")
def sample_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The sample project, whose study that scripts labelled is closed."""
    folder = tmp_path_factory.mktemp("sample")
    server = Server(database=f"sqlite:///{folder / 'sample.db'}", port=free_port(), log=folder / "log")
    engine = make_engine(server.database)
    migrate(engine)
    with writing(engine) as session:
        users.add_user(session, name="root", role="admin", password=PASSWORD)
        users.add_user(session, name="ann", role="annotator", password=PASSWORD)
        users.add_user(session, name="ada", role="adjudicator", password=PASSWORD)
        add_packaged_templates(session)
    with writing(engine) as session:
        ids = {one.name: one.user_id for one in users.list_users(session)}
        material = sample_material()
        sample_project.make_sample(session, material, user_id=ids["root"], annotators=("ann",))
    with writing(engine) as session:
        study_lifecycle.close_study(session, name="Sample, labelled by scripts")
    engine.dispose()
    server.start()
    yield server
    server.kill()


def shown_keys(page: Page) -> set[str]:
    """Press each `?` that is seen, read what opens, and close it by Escape; the keys of the explanations."""
    keys = set()
    ids: list[str] = page.eval_on_selector_all("[popover]", "all => all.map(one => one.id)")
    assert len(ids) == len(set(ids)), sorted(ids)
    for button in page.locator(".cn-help:visible").all():
        target = button.get_attribute("popovertarget")
        assert target
        opened = page.locator(f"[id='{target}']")
        button.focus()
        page.keyboard.press("Enter")
        expect(opened).to_be_visible()
        key = next(
            one for one in sorted(EXPLANATIONS, key=len, reverse=True) if target.startswith(f"cn-what-{one}")
        )
        name = opened.locator("strong").inner_text()
        assert button.get_attribute("aria-label") in {f"What is this? {name}", f"Was ist das? {name}"}
        assert len(opened.inner_text()) > 100
        page.keyboard.press("Escape")
        expect(opened).to_be_hidden()
        keys.add(key)
    return keys


@pytest.mark.parametrize("name", ["ann", "ada", "root"])
def test_every_figure_of_every_page_has_its_explanation(
    browser: Browser, sample_server: Server, name: str
) -> None:
    visit = Visit(browser, sample_server, name)
    page, seen = visit.page, {}
    found: list[str] = []
    for path in pages_of(visit):
        page.goto(f"{sample_server.url}{path}")
        settle(visit)
        unfold(page)
        settle(visit)
        found += [f"{path}: {one}" for one in page.evaluate(WITHOUT)]
        seen[path] = shown_keys(page)
    assert found == []
    assert [path for path, keys in EXPECTED[name].items() if not keys <= seen[path]] == []
    visit.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_an_explanation_opens_within_the_window_in_the_language_of_the_page(
    browser: Browser, sample_server: Server, width: int, scheme: str
) -> None:
    visit = Visit(browser, sample_server, "root", locale="de-DE")
    page = visit.open("/agreement/", ".cn-help")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    settle(visit)
    page.get_by_role("button", name="Was ist das? Übereinstimmung", exact=True).click()
    opened = page.get_by_role("dialog", name="Übereinstimmung")
    expect(opened).to_contain_text("Krippendorffs Alpha zieht ab, was der Zufall ergäbe")
    box = opened.bounding_box()
    assert box
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= 800
    assert grave_violations(page, axe_script()) == []
    assert page.evaluate(SMALL, ".cn-explanation") == []
    opened.get_by_role("button", name="Schließen").click()
    expect(opened).to_be_hidden()
    visit.close()


def test_each_view_of_agreement_and_explore_explains_what_it_shows(
    browser: Browser, sample_server: Server
) -> None:
    visit = Visit(browser, sample_server, "root")
    page = visit.open("/agreement/?study=Sample, labelled by scripts", ".cn-help")
    seen = set()
    for tab in ("Coefficients", "Annotators", "Consensus"):
        page.get_by_role("tab", name=tab).click()
        settle(visit)
        assert page.evaluate(WITHOUT) == []
        seen |= shown_keys(page)
    assert {"coefficients", "agreement_population", "agreement_pairs", "consensus"} <= seen
    page = visit.open("/explore/", ".cn-figures .cn-help")
    for look, key in (("accuracy by slice", "slice_accuracy"), ("map of failures", "failure_map")):
        page.get_by_label(look).click()
        settle(visit)
        assert page.evaluate(WITHOUT) == []
        assert key in shown_keys(page)
    visit.close()
