"""A claims study on the annotate page by keyboard alone: a key a sentence, two where harm is asked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from tests.db.checking import checked_material
from tests.db.comparing import MODELS
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.ward import Worker

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("claims")
    database = f"sqlite:///{folder / 'claims.db'}"
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as session:
        for name in ("amy", "bob"):
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        study_lifecycle.create_study(
            session,
            name="checks",
            taxonomy=load_taxonomy(),
            material=checked_material(items=4),
            annotators=("amy", "bob"),
            design=read_design({"overlap": 2, "include": "all", "asks": "claims"}),
            seed=0,
        )
    engine.dispose()
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def now(page: Page) -> str:
    """The sentence that keys judge."""
    return page.locator(".ab-claim.ab-now p").first.inner_text()


def has_reference(page: Page) -> bool:
    return page.get_by_role("button", name="Lock and see the reference").count() == 1


def test_a_sentence_costs_a_key_or_two_and_what_is_saved_is_what_stood_there(
    browser: Browser, claims: Server
) -> None:
    amy = Worker(browser, claims, "amy")
    page = amy.begin()
    kinds = set()
    for _ in range(8):
        here, before = amy.assignment(), amy.keys
        kinds.add(has_reference(page))
        assert not any(name.rsplit("/", 1)[1] in page.content() for name in MODELS)
        expect(page.get_by_text("Chest pain, troponin negative.")).to_have_count(0)
        steps = has_reference(page)
        amy.press("1")
        assert now(page) == "HR was 88 b.p.m. on admission."
        amy.press("1", "2", "9", "Enter")
        if steps:
            expect(page.get_by_role("heading", name="Step 2 of 2: the reference")).to_be_visible()
            assert now(page) == "Chest pain, troponin negative."
            expect(page.get_by_text("Gold answer")).to_have_count(0)
            amy.press("1", "2", "8", "Enter")
        amy.moves_on(here)
        assert amy.keys - before == (9 if steps else 5)
        saved = amy.saved(here)
        said = list(saved["claims"].values())
        assert said == ["supported", "supported", "contradicted:major", *["stated", "omitted:minor"] * steps]
        assert saved["response_judgement"] == "checked"
        if len(kinds) == 2:
            break
    assert kinds == {True, False}
    amy.leave()


def test_open_sentences_are_asked_for_keys_go_back_and_a_draft_is_kept(
    browser: Browser, claims: Server
) -> None:
    bob = Worker(browser, claims, "bob")
    page = bob.begin()
    while not has_reference(page):
        here = bob.assignment()
        bob.press("1", "1", "1", "Enter")
        bob.moves_on(here)
    bob.press("1", "3", "Enter")  # the harm of the second is open
    expect(page.get_by_role("alert")).to_contain_text("Say of each sentence what holds: 2 of 3 are open.")
    assert now(page) == "HR was 88 b.p.m. on admission."
    bob.press("7", "0")
    assert now(page) == "HR was 88 b.p.m. on admission."
    harm = page.get_by_role("group", name="Harm: HR was").get_by_role("button", name="No harm")
    expect(harm).to_have_attribute("aria-pressed", "true")
    bob.press("1")
    assert now(page) == "He got 3.5 mg of warfarin."
    bob.press("a", "7", "2")  # keys of other studies, and a harm before its verdict, do nothing
    expect(page.get_by_role("status").filter(has_text="2 of 3 judged")).to_be_visible()
    expect(page.locator(".ab-state")).to_contain_text("Draft kept")
    page.reload()
    expect(page.get_by_role("status").filter(has_text="2 of 3 judged")).to_be_visible()
    bob.press("8")
    expect(page.locator(".ab-claim.ab-now")).to_have_count(0)
    page.get_by_role("button", name="Contradicted, Minor harm").click()
    bob.press("9", "?")
    expect(page.locator(".ab-sheet")).to_contain_text("back to the sentence before")
    expect(page.locator(".ab-sheet")).not_to_contain_text("a further label")
    expect(page.locator(".ab-root")).not_to_contain_text("false")
    bob.press("?")
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        bob.press("0")
        claim, source = page.locator(".ab-now"), page.locator(".ab-read")
        expect(claim).to_be_in_viewport()
        expect(source).to_be_in_viewport()  # beside the sentence, or above it on a phone
        box = claim.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        bob.press("9")
    page.set_viewport_size({"width": 1280, "height": 800})
    here = bob.assignment()
    bob.press("Enter")
    expect(page.get_by_role("heading", name="Step 2 of 2: the reference")).to_be_visible()
    bob.press("1", "1", "t")
    page.keyboard.type("Reads <img src=x> well")
    page.keyboard.press("Control+Enter")
    bob.moves_on(here)
    saved = bob.saved(here)
    assert list(saved["claims"].values())[:3] == ["supported", "supported", "contradicted:major"]
    assert saved["rationale"] == "Reads <img src=x> well"
    page.goto(f"{claims.url}/my-work/?item={here}")
    expect(page.get_by_text("1 contradicted (major harm), 2 stated")).to_be_visible()
    bob.leave()
