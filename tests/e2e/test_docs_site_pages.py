"""The built documentation in a browser: it can be searched, and asks no other machine for anything."""

import functools
import importlib.util
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from clinicnum.scripts.dev.docs_site.build import build, stage
from tests.e2e.conftest import PATIENCE_MS

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the built site."""
    if importlib.util.find_spec("zensical") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("zensical is missing; CI must install scripts/dev/docs.lock")
        pytest.skip("zensical is not installed (scripts/dev/docs.lock)")
    folder: Path = tmp_path_factory.mktemp("site")
    stage(folder)
    handler = functools.partial(Quiet, directory=str(build(folder)))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_site_is_read_and_searched_without_a_request_to_others(
    browser: Browser, site: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, locale="en-US")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for place in ("index", "tutorials/clinician", "reference/commands", "gallery"):
        page.goto(f"{site}/{place}.html")
        expect(page.locator("h1")).to_be_visible()
        too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, place
        for picture in page.locator("article img").all():
            assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 300
    if width > 1000:  # on a phone it is folded
        page.get_by_role("button", name="Search").click()
        page.keyboard.type("krippendorff")
        expect(page.get_by_role("option", name="Which to look at")).to_be_visible()
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert wrong == []
    context.close()
