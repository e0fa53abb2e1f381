"""The slot beside the item, filled as `docs/item-view.md` says."""

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Server, free_port
from tests.e2e.ward import Worker, open_ward

pytestmark = pytest.mark.browser
DOCS = Path(__file__).parents[2] / "docs" / "item-view.md"
PICTURE = """
import gradio as gr
from PIL import Image

seen = set()


def build():
    return gr.Image(label="Picture"), show


def show(item):
    seen.add(item.instance_id)
    if len(seen) == 2:
        raise ValueError("no picture of the second item")
    return Image.new("RGB", (40, 30), "teal")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documented module, one with a picture, and a labelling database."""
    made = tmp_path_factory.mktemp("item_view")
    (block,) = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(), flags=re.MULTILINE | re.DOTALL)
    (made / "mylab.py").write_text(block)
    (made / "picture.py").write_text(PICTURE)
    open_ward(f"sqlite:///{made / 'ward.db'}")
    return made


def served(folder: Path, item_view: str) -> Iterator[Server]:
    server = Server(
        database=f"sqlite:///{folder / 'ward.db'}",
        port=free_port(),
        log=folder / "server.log",
        options=("--item-view", item_view),
        before=partial(os.chdir, folder),
    )
    server.start()
    yield server
    server.kill()


@pytest.fixture
def with_plot(folder: Path) -> Iterator[Server]:
    yield from served(folder, "mylab:build")


@pytest.fixture
def with_picture(folder: Path) -> Iterator[Server]:
    yield from served(folder, "picture:build")


def test_the_documented_plot_stands_beside_each_item_and_goes_on_with_it(
    browser: Browser, with_plot: Server
) -> None:
    amy = Worker(browser, with_plot, "amy")
    page = amy.begin()
    slot = page.locator("#item-view")
    expect(slot.locator("img")).to_be_visible()
    before, here = slot.locator("img").get_attribute("src"), amy.assignment()
    assert before is not None
    assert before.startswith("data:image/")
    amy.lock("a")
    assert slot.locator("img").get_attribute("src") == before
    amy.press("v", "Enter")
    amy.moves_on(here)
    expect(slot).not_to_have_attribute("data-other", "")
    amy.press("[")
    expect(page.locator(f".ab-root[data-assignment='{here}']")).to_be_visible()
    expect(slot).not_to_have_attribute("data-other", "")
    assert slot.locator("img").get_attribute("src") == before
    amy.leave()


def test_an_image_needs_no_file_from_the_server_and_an_error_leaves_the_item_to_label(
    browser: Browser, with_picture: Server
) -> None:
    bob = Worker(browser, with_picture, "bob")
    page = bob.begin()
    picture = page.locator("#item-view:not([data-other]) img")
    error = page.get_by_role("alert").filter(has_text="Something went wrong here")
    for fails in (False, True, False):
        here = bob.assignment()
        if fails:
            expect(error).to_be_visible()
            expect(page.locator("#item-view")).to_be_hidden()
        else:
            expect(picture).to_be_visible()
            assert str(picture.get_attribute("src")).startswith("data:image/")
            assert picture.evaluate("(image) => image.naturalWidth") == 40
            expect(error).to_have_count(0)
        bob.lock("a")
        bob.press("v", "Enter")
        bob.moves_on(here)
    bob.leave()
