"""A pairwise study on the annotate page by keyboard alone: one key and Enter a pair, as it is shown."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from tests.db.comparing import MODELS, compared_material
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.ward import Worker

pytestmark = pytest.mark.browser

SIDES = {"1": "left", "2": "right"}
KEYS = {"3": "both_alike", "4": "both_bad"}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pairs")
    database = f"sqlite:///{folder / 'pairs.db'}"
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as session:
        for name in ("amy", "bob"):
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        study_lifecycle.create_study(
            session,
            name="pairs",
            taxonomy=load_taxonomy(),
            material=compared_material(models=2, items=8),
            annotators=("amy", "bob"),
            design=read_design({"overlap": 2, "include": "all", "pairwise": True}),
            seed=0,
        )
    engine.dispose()
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def texts(page: Page) -> list[str]:
    """The two answers, the left one first."""
    return page.locator(".ab-one .ab-text").all_inner_texts()


def model_of(text: str) -> str:
    """Which of the runs wrote it: its number stands in the text, its name is masked."""
    return text.split(": answer ")[1][0]


def test_a_pair_costs_two_keys_and_what_is_saved_is_what_stood_there(browser: Browser, pairs: Server) -> None:
    amy = Worker(browser, pairs, "amy")
    page = amy.begin()
    lefts = set()
    for key in ("1", "2", "1", "2", "3", "4"):
        here, before = amy.assignment(), amy.keys
        left, right = texts(page)
        lefts.add(model_of(left))
        assert {model_of(left), model_of(right)} == {"0", "1"}
        assert not any(name.rsplit("/", 1)[1] in page.content() for name in MODELS)
        expect(page.get_by_text("Gold answer")).to_have_count(0)
        amy.press(key, "Enter")
        amy.moves_on(here)
        assert amy.keys - before == 2
        saved = amy.saved(here)
        if key in KEYS:
            assert saved["response_judgement"] == KEYS[key]
        else:
            first_chosen = saved["response_judgement"] == "first_better"
            assert first_chosen == ((saved["left"] == "first") == (SIDES[key] == "left"))
        assert saved["item_judgement"] is None
    assert lefts == {"0", "1"}
    amy.leave()


def test_an_open_pair_is_not_submitted_a_reason_is_kept_and_going_back_shows_the_choice(
    browser: Browser, pairs: Server
) -> None:
    bob = Worker(browser, pairs, "bob")
    page = bob.begin()
    here = bob.assignment()
    bob.press("a", "e", "Enter")  # keys of other studies do nothing
    expect(page.get_by_role("alert")).to_contain_text("Say which answer is better")
    bob.press("2")
    right = page.get_by_role("button", name="The right one")
    expect(right).to_have_attribute("aria-pressed", "true")
    bob.press("1", "z")
    expect(right).to_have_attribute("aria-pressed", "true")
    bob.press("t")
    page.keyboard.type("Names the record <img src=x>")
    page.keyboard.press("Control+Enter")
    bob.moves_on(here)
    assert bob.saved(here)["rationale"] == "Names the record <img src=x>"
    bob.press("[")
    expect(right).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Gold answer")).to_have_count(0)
    bob.press("?")
    sheet = page.locator(".ab-sheet")
    expect(sheet).to_contain_text("Both bad")
    expect(sheet).not_to_contain_text("a further label")
    bob.press("?")
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [one.bounding_box() for one in page.locator(".ab-one").all()]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert (boxes[0]["y"] == boxes[1]["y"]) == (width > 390)  # stacked on a phone
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{pairs.url}/my-work/?item={here}")
    expect(page.get_by_text("The right one")).to_be_visible()
    expect(page.get_by_role("heading", name="Left answer")).to_be_visible()
    bob.leave()
