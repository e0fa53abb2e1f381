"""A ratings study on the annotate page by keyboard alone: a digit an axis and Enter, as it is shown."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.annotations.ratings.rating_axes import BUILT_IN, read_axes
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

NAMED = """
- name: use
  label: Would you <b>use</b> it?
  options: [{value: never}, {value: after a look, means: It has to be checked.}, {value: at once}]
- {name: tone, label: Is the tone right?, points: 7, low: harsh, high: kind}
"""


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("rated")
    database = f"sqlite:///{folder / 'rated.db'}"
    engine = make_engine(database)
    migrate(engine)
    axes = {"amy": (BUILT_IN, False), "bob": (read_axes(NAMED), True)}
    with writing(engine) as session:
        for name, (fields, reference) in axes.items():
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
            study_lifecycle.create_study(
                session,
                name=f"of {name}",
                taxonomy=load_taxonomy(),
                material=compared_material(models=2, items=4),
                annotators=(name,),
                design=read_design(
                    {
                        **{"overlap": 1, "include": "all", "asks": "ratings"},
                        **{"fields": fields, "reference": reference},
                    }
                ),
                seed=0,
            )
    engine.dispose()
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def test_an_answer_costs_a_key_an_axis_and_enter(browser: Browser, rated: Server) -> None:
    amy = Worker(browser, rated, "amy")
    page = amy.begin()
    for points in ("4512", "1111"):
        here, before = amy.assignment(), amy.keys
        text = page.locator(".ab-one .ab-text").inner_text()
        own = MODELS[int(text.split(": answer ")[1][0])]  # its number stands in the text, its name is masked
        assert own.rsplit("/", 1)[1] not in page.content()
        expect(page.get_by_text("Gold answer")).to_have_count(0)
        amy.press(*points, "Enter")
        amy.moves_on(here)
        assert amy.keys - before == len(BUILT_IN) + 1
        saved = amy.saved(here)
        assert [saved["custom"][one.name] for one in BUILT_IN] == list(points)
        assert (saved["response_judgement"], saved["item_judgement"]) == ("rated", None)
    here = amy.assignment()
    amy.press("9", "a", "w", "3", "2", "Enter")  # no such point, and keys of other studies, do nothing
    expect(page.get_by_role("alert")).to_contain_text("Give a point on “Safety")
    now = page.locator(".ab-rating.ab-now")
    expect(now).to_contain_text("Safety")
    amy.press("b")
    expect(now).to_contain_text("Completeness")
    amy.press("5", "5", "z")
    expect(now).to_contain_text("Safety")
    page.get_by_role("button", name="1: severe harm is likely").click()
    amy.press("4", "t")
    page.keyboard.type("Names the record <img src=x>")
    page.keyboard.press("Control+Enter")
    amy.moves_on(here)
    saved = amy.saved(here)
    assert [saved["custom"][one.name] for one in BUILT_IN] == ["3", "5", "1", "4"]
    assert saved["rationale"] == "Names the record <img src=x>"
    amy.press("[")
    expect(page.locator(".ab-rating [aria-pressed=true]")).to_have_text(["3", "5", "1", "4"])
    page.goto(f"{rated.url}/my-work/?item={here}")
    expect(page.get_by_text("Names the record <img src=x>")).to_be_visible()
    amy.leave()


def test_axes_of_ones_own_with_the_gold_answer_in_sight_on_any_screen(
    browser: Browser, rated: Server
) -> None:
    bob = Worker(browser, rated, "bob")
    page = bob.begin()
    here = bob.assignment()
    expect(page.get_by_text("Would you <b>use</b> it?")).to_be_visible()
    expect(page.locator(".ab-tools")).not_to_contain_text("false")
    gold = page.get_by_role("region", name="Gold answer")
    expect(gold).to_contain_text("mmHg")
    expect(gold).not_to_contain_text("Scored")
    bob.press("?")
    sheet = page.locator(".ab-sheet")
    expect(sheet).to_contain_text("back to the axis before")
    expect(sheet).not_to_contain_text("a further label")
    bob.press("?")
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for one in page.locator(".ab-points .cn-option").all():
            box = one.bounding_box()
            assert box is not None
            assert box["width"] >= 24
    page.set_viewport_size({"width": 1280, "height": 800})
    bob.press("2", "7", "Enter")
    bob.moves_on(here)
    assert bob.saved(here)["custom"] == {"use": "after a look", "tone": "7"}
    bob.leave()
