"""An adjudicator settles criteria, preferences, ratings and verdicts on sentences by keyboard alone."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from clinicnum.annotations.judgement import Judgement
from clinicnum.db.engine import make_engine, reading
from clinicnum.db.migrate import migrate
from clinicnum.db.rows import AdjudicationRow, StudyRow
from tests.db.comparing import MODELS
from tests.db.disputing import DISPUTED, WORDS, add_people, open_judged
from tests.e2e.axe import axe_script, grave_violations
from tests.e2e.conftest import PASSWORD, Server, free_port
from tests.e2e.visit import Visit

pytestmark = pytest.mark.browser

KEYS = {"failures": "6", "pairwise": "2", "ratings": "4", "claims": "3"}
"""Not met; the right answer is better; a point; contradicted with minor harm."""


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("disputed")
    database = f"sqlite:///{folder / 'disputed.db'}"
    engine = make_engine(database)
    migrate(engine)
    ids = add_people(engine, PASSWORD)
    for kind in DISPUTED:
        open_judged(engine, ids, kind)
    engine.dispose()
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


def decisions(server: Server, name: str) -> list[AdjudicationRow]:
    engine = make_engine(server.database)
    with reading(engine) as session:
        made = select(AdjudicationRow).join(StudyRow, StudyRow.id == AdjudicationRow.study_id)  # type: ignore[arg-type]
        found = list(session.scalars(made.where(StudyRow.name == name)))  # type: ignore[arg-type]
    engine.dispose()
    return found


def study_of(server: Server, name: str) -> str:
    engine = make_engine(server.database)
    with reading(engine) as session:
        found = session.scalars(select(StudyRow).where(StudyRow.name == name)).one().id  # type: ignore[arg-type]
    engine.dispose()
    return found


@pytest.mark.parametrize(
    ("kind", "name"), [("failures", "six"), ("pairwise", "pairs"), ("ratings", "rated"), ("claims", "checks")]
)
def test_a_dispute_is_decided_by_keys_and_a_reason(
    browser: Browser, disputed: Server, kind: str, name: str
) -> None:
    visit = Visit(browser, disputed, "ada")
    errors: list[str] = []
    visit.page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    visit.page.on("pageerror", lambda error: errors.append(str(error)))
    page = visit.open(f"/adjudicate/?study={study_of(disputed, name)}", ".aj-asked.aj-now")
    expect(page.locator(".aj-asked")).to_have_count(1)
    expect(page.locator(".aj-position")).to_have_count(2)
    expect(page.locator(".aj-said")).to_have_count(2)
    shown = page.locator("#adjudicate").inner_text()
    assert not any(one in shown for one in (*MODELS, "Alpha-7B", "Beta-7B", "A1", "A2"))
    assert ("scorer read" in shown) == (kind == "failures")
    assert ("Gold answer" in shown) == (kind in ("failures", "claims"))
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        assert grave_violations(page, axe_script()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if folder := os.environ.get("CLINICNUM_SHOTS"):
            page.screenshot(path=Path(folder) / f"{kind}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})
    alert = page.locator(".aj-message")

    page.keyboard.press("Enter")
    expect(alert).to_contain_text("Choose one of the judgements" if kind == "failures" else "1 of 1 are open")
    if kind == "failures":
        page.keyboard.press("1")
        page.keyboard.press("8")  # the position's tick is gone back to, and decided otherwise
    page.keyboard.press(KEYS[kind])
    expect(page.locator(".aj-asked [aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(alert).to_contain_text("Write why")
    page.keyboard.press("t")
    page.keyboard.type(WORDS)
    page.reload()
    page.wait_for_selector(".aj-asked [aria-pressed=true]")
    if kind == "failures":
        page.keyboard.press("1")  # the position is picked anew, the tick and the reason are kept
    page.keyboard.press("t")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".aj-queue > summary")).to_be_visible()
    page.wait_for_function("() => !document.querySelector('.aj-root').hasAttribute('data-busy')")
    page.keyboard.press("[")
    expect(page.locator(".aj-side")).to_contain_text("Decided")
    expect(page.locator(".aj-side blockquote").first).to_contain_text(WORDS)
    assert errors == []
    assert visit.foreign_requests() == []
    visit.close()
    (row,) = decisions(disputed, name)
    made = Judgement.model_validate(row.payload["judgement"])
    said = {
        "failures": made.criteria.get("safe@1"),
        "pairwise": made.response_judgement,
        "ratings": made.custom.get("accuracy"),
        "claims": next(iter(made.claims.values()), None),
    }[kind]
    right = "second_better" if made.left == "first" else "first_better"
    assert (
        said
        == {"failures": "not_met", "pairwise": right, "ratings": "4", "claims": "contradicted:minor"}[kind]
    )
    assert row.payload["comment"] == WORDS
