"""axe-core, as the package that brings it for tests carries it; pinned there."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

GRAVE = ("serious", "critical")
SETTLED = """async () => {
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    const moving = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(moving.map((one) => one.finished));
}"""
"""Two frames start the transitions that a change of the scheme brings about; then they end."""


def axe_script() -> str:
    """The script's text."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def grave_violations(page: Page, script: str) -> list[str]:
    """What axe-core finds serious or critical on the page once its colours have changed: rule, and where."""
    page.evaluate(SETTLED)
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(script)
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{one['id']} ({one['impact']}): {node['target']} {node['html'][:120]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
