"""Criteria on the annotate page by keyboard alone: what a tick costs, what is undone, what is then saved."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from clinicnum.annotations.criteria.criterion import Criterion
from clinicnum.annotations.study_design import read_design
from clinicnum.annotations.taxonomy import load_taxonomy
from clinicnum.db.engine import make_engine, writing
from clinicnum.db.migrate import migrate
from clinicnum.db.work.accounts import users
from clinicnum.db.work.studies import study_lifecycle
from clinicnum.types import Point
from tests.db.examples import material
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import HOSTILE, PASSWORD, Server, free_port
from tests.e2e.ward import Worker

pytestmark = pytest.mark.browser

COMMON = (
    Criterion(id="unit", text="Gives the unit.", weight=2),
    Criterion(
        id="safe", text=f"Says nothing that could harm the patient. {HOSTILE}", weight=5, must_have=True
    ),
    Criterion(id="pads", text="Repeats the whole record.", weight=-1),
)
WHOLE = ("eli", "fay", "gil")
"""They judge all items of a study by keyboard."""
ITEMS = int(os.environ.get("CLINICNUM_CRITERIA_ITEMS", "3"))
VERDICTS = {"5": "met", "6": "not_met", "7": "not_applicable"}
POINT = Point(id="p", text="The pulse pressure is 2000.", value="2000")


def open_studies(database: str) -> None:
    """`blind` and `whole`, with the same criteria for all items; `shown`, where the scorer ticks a point."""
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as session:
        for name in ("amy", "bob", "cem", "dea", *WHOLE):
            users.add_user(session, name=name, role="annotator", password=PASSWORD)
        for name, people, policy, items in (
            ("blind", ("amy", "bob", "cem"), "hidden", 4),
            ("shown", ("dea",), "shown", 4),
            ("whole", WHOLE, "hidden", ITEMS),
        ):
            made = material(wrong=items, run_id=f"{name}-run")
            asked = tuple(one.model_copy(update={"points": (POINT,)}) for one in made.instances)
            own = [Criterion(item=one.instance_id, id="p", text=POINT.text) for one in asked]
            study_lifecycle.create_study(
                session,
                name=name,
                taxonomy=load_taxonomy(),
                material=replace(made, instances=asked),
                annotators=people,
                design=read_design({"overlap": len(people), "suggestions": policy}),
                criteria=(*(own if name == "shown" else ()), *COMMON),
                seed=0,
            )
    engine.dispose()


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("criteria")
    database = f"sqlite:///{folder / 'criteria.db'}"
    open_studies(database)
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def pressed(page: Page) -> list[str]:
    """What is ticked, row by row."""
    return page.locator(".ab-criterion").evaluate_all(
        "rows => rows.map(one => one.querySelector('[aria-pressed=true] span')?.textContent ?? '')"
    )


def now(page: Page) -> int:
    """The row that the keys tick."""
    return page.locator(".ab-criterion").evaluate_all(
        "rows => rows.findIndex(one => one.getAttribute('aria-current') === 'true')"
    )


def ticked(keys: str) -> dict[str, str]:
    """The verdicts that these keys give, criterion by criterion."""
    return {one.key: VERDICTS[key] for one, key in zip(COMMON, keys, strict=True)}


def test_an_acceptable_answer_costs_a_key_a_criterion_and_four_more(
    browser: Browser, studies: Server
) -> None:
    amy = Worker(browser, studies, "amy")
    page = amy.begin()
    for ticks in ("557", "666"):
        here, before = amy.assignment(), amy.keys
        amy.press(*ticks)
        amy.lock("a")
        amy.press("v", "Enter")
        amy.moves_on(here)
        assert amy.keys - before == len(COMMON) + 4
        assert amy.saved(here)["criteria"] == ticked(ticks)
    assert page.title() != "owned"
    amy.leave()


def test_keys_go_on_go_back_and_are_undone_and_nothing_is_locked_while_one_is_open(
    browser: Browser, studies: Server
) -> None:
    bob = Worker(browser, studies, "bob")
    page = bob.begin()
    here = bob.assignment()
    assert (pressed(page), now(page)) == (["", "", ""], 0)
    bob.press("a", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("whether the answer meets it: 3 of 3 are open.")
    bob.press("5", "6")
    assert (pressed(page), now(page)) == (["Met", "Not met", ""], 2)
    bob.press("z")
    assert (pressed(page), now(page)) == (["Met", "", ""], 1)
    bob.press("8", "7")  # back to the first, which is ticked anew; then on with the open ones
    assert (pressed(page), now(page)) == (["Does not apply", "", ""], 1)
    bob.press("5", "5", "5")  # one too many does nothing
    assert (pressed(page), now(page)) == (["Does not apply", "Met", "Met"], -1)
    expect(page.locator(".ab-criteria h2")).to_contain_text("3 of 3 ticked")
    expect(page.get_by_role("status").filter(has_text="Draft kept.")).to_be_visible()
    page.reload()
    expect(page.locator(".ab-criteria h2")).to_contain_text("3 of 3 ticked")
    page.locator(".ab-criterion").nth(1).get_by_role("button", name="Not met").click()
    bob.press("?")
    expect(page.locator(".ab-sheet")).to_contain_text("back to the criterion before")
    bob.press("?")
    bob.lock()
    bob.press("8", "6", "v", "Enter")  # with the gold answer the last one looks different
    bob.moves_on(here)
    assert bob.saved(here)["criteria"] == {
        "unit@1": "not_applicable",
        "safe@1": "not_met",
        "pads@1": "not_met",
    }
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    bob.leave()


def test_the_scorer_ticks_first_where_the_study_says_so(browser: Browser, studies: Server) -> None:
    dea = Worker(browser, studies, "dea")
    page = dea.begin()
    here = dea.assignment()
    assert pressed(page) == ["Met", "", "", ""]
    expect(page.locator(".ab-criterion").first).to_contain_text("The scorer says: Met")
    dea.press("5", "5", "6")
    dea.lock("a")
    dea.press("v", "Enter")
    dea.moves_on(here)
    saved = dea.saved(here)
    assert saved["criteria"]["p@1"] == "met"
    assert saved["suggestion_shown"] is True
    dea.leave()


def test_three_people_judge_a_whole_study_by_keyboard_alone_and_every_key_is_counted(
    browser: Browser, studies: Server
) -> None:
    drawn, costs = random.Random(24), Counter[int]()
    for name in WHOLE:
        worker = Worker(browser, studies, name)
        page = worker.begin()
        for _ in range(ITEMS):
            here, before = worker.assignment(), worker.keys
            ticks = "".join(drawn.choice("5567") for _ in COMMON)
            failure = drawn.random() < 0.6
            worker.press(*ticks)
            worker.lock(*("h2" if failure else "a"))
            worker.press("v", "Enter")
            expect(page.locator(f".ab-root[data-assignment='{here}']")).to_have_count(0)
            saved = worker.saved(here)
            assert saved["criteria"] == ticked(ticks)
            assert saved["response_judgement"] == ("failure" if failure else "acceptable")
            assert worker.keys - before == len(COMMON) + (5 if failure else 4)
            costs[worker.keys - before] += 1
        expect(page.get_by_role("status").filter(has_text="All done")).to_be_visible()
        worker.leave()
    print(f"{ITEMS} items, {len(COMMON)} criteria, {len(WHOLE)} people: answers by keys {dict(costs)}")
    assert costs.total() == ITEMS * len(WHOLE)
