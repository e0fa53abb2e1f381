"""`docs/tutorials/`: what they name is on the pages, their pictures are there, and their commands run.

The pictures are taken anew each time. To keep them: `CLINICNUM_PICTURES=docs/images scripts/test
tests/e2e/test_tutorials.py`.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from clinicnum.db.engine import make_engine
from clinicnum.scripts.cli import run_command
from tests.db.reporting import work_off
from tests.e2e import tutorials
from tests.e2e.conftest import Server, free_port

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "tutorials").glob("*.md")}
PICTURE = re.compile(r"!\[[^\]]*\]\((?:\.\./)?images/([\w-]+)\.png\)")


@pytest.fixture(scope="module")
def house(demo: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demo's pages, on a copy."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(demo[0] / "clinicnum.db", folder)
    database = f"sqlite:///{folder / 'clinicnum.db'}"
    server = Server(database=database, port=free_port(), log=folder / "server.log")
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def walked(
    browser: Browser, house: Server, demo: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tutorials.Camera:
    """Every tutorial walked through, in the order in which the demo's readers may."""
    kept = os.environ.get("CLINICNUM_PICTURES")
    folder = Path(kept).resolve() if kept else tmp_path_factory.mktemp("pictures")
    passwords = dict(re.findall(r"^log in +(\S+) +password (\S+)", demo[1], re.MULTILINE))
    camera = tutorials.Camera(browser, house.url, passwords, folder)
    engine = make_engine(house.database)
    tutorials.clinician(camera)
    tutorials.researcher(camera, lambda: work_off(engine, house.log.parent))
    tutorials.curator(camera)
    tutorials.report(camera, demo[0] / "report" / "report.html")
    engine.dispose()
    return camera


def sections(page: str) -> Iterator[tuple[list[str], str]]:
    """(names of its pictures, text) of each section of a tutorial."""
    for section in re.split(r"^## ", PAGES[page], flags=re.MULTILINE)[1:]:
        yield PICTURE.findall(section), section


@pytest.mark.parametrize("page", ["clinician", "researcher", "curator"])
def test_what_a_tutorial_names_is_on_the_pages_that_it_leads_to(page: str, walked: tutorials.Camera) -> None:
    for pictures, section in sections(page):
        shown = " ".join(" ".join(walked.texts[name] for name in pictures).split())
        bold = {" ".join(name.split()) for name in re.findall(r"\*\*([^*]+)\*\*", section)}
        assert {name for name in bold if name not in shown} == set(), section.partition("\n")[0]


def test_every_page_that_a_tutorial_names_is_in_the_bar(walked: tutorials.Camera) -> None:
    bar = set("\n".join(walked.texts.values()).splitlines())
    for page, text in PAGES.items():
        plain = re.sub(r"\*\*[^*]+\*\*", "", text)
        named = {" ".join(name.split()) for name in re.findall(r"\*([^*\n]+)\*", plain)}
        assert named <= bar, page


def test_every_picture_is_used_small_and_can_be_taken_anew(walked: tutorials.Camera) -> None:
    pages = [path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")]
    used = {name for text in pages for name in PICTURE.findall(text)}
    stored = {path.stem for path in (DOCS / "images").glob("*.png")}
    assert used == stored == set(walked.texts)
    for folder in (DOCS / "images", walked.folder):
        for path in folder.glob("*.png"):
            assert path.stat().st_size < tutorials.LARGEST, path


def test_the_commands_of_the_tutorials_run(
    demo: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(demo[0], tmp_path / "demo-out")
    monkeypatch.chdir(tmp_path)
    ran = 0
    for page in ("researcher", "curator"):
        for block in re.findall(r"^```sh\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                program, *arguments = shlex.split(line)
                assert (program, run_command(arguments)) == ("clinicnum", 0), line
                ran += 1
    assert ran >= 5
