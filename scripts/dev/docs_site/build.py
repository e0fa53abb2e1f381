"""Build the site in a folder of its own: pages copied, the reference made, links checked twice."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from clinicnum.errors import InputError
from clinicnum.scripts.dev.docs_site.command_reference import commands_page
from clinicnum.scripts.dev.docs_site.figure_explanations import figures_page
from clinicnum.scripts.dev.docs_site.file_format_reference import formats_page
from clinicnum.scripts.dev.docs_site.library_reference import library_page
from clinicnum.scripts.dev.docs_site.nav import CONFIG, ROOT, link_pages, page_titles

MADE: dict[str, Callable[[], str]] = {
    "explanation/figures.md": figures_page,
    "reference/commands.md": commands_page,
    "reference/library.md": library_page,
    "reference/formats.md": formats_page,
}
COPIED = {
    "project/architecture.md": "ARCHITECTURE.md",
    "project/changes.md": "CHANGELOG.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/security.md": "SECURITY.md",
}
"""Pages that are files of the checkout's root."""
LOADED = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}
"""Elements for which a browser asks a server by itself; `a` is followed only on a click."""


def stage(folder: Path) -> None:
    """Write the site's sources into a folder: `zensical.toml`, and `docs/` with what is made from code."""
    titles = page_titles()
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(CONFIG, folder)
    texts = {place: make() for place, make in MADE.items()}
    texts |= {place: (ROOT / source).read_text(encoding="utf-8") for place, source in COPIED.items()}
    for place, text in texts.items():
        path = folder / "docs" / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(link_pages(text, place, titles), encoding="utf-8")
    for path in (folder / "docs").rglob("*.md"):
        # The gallery marks blocks that a model answers; to a reader they are like the others.
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("```console model\n", "```console\n"), encoding="utf-8")


def build(folder: Path) -> Path:
    """Build what was staged; return the folder of the site. Raises InputError for a wrong link."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "zensical.toml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)
        warned = re.findall(r"Warning: (.+)\n.*\[ (\S+) \]", said)
        raise InputError("; ".join(f"docs/{place}: {what}" for what, place in warned) or f"zensical: {said}")
    site = folder / "site"
    found = ((page.relative_to(site), page_faults(page, site)) for page in sorted(site.rglob("*.html")))
    wrong = [f"{page}: {fault}" for page, faults in found for fault in faults]
    if wrong:
        raise InputError(f"{len(wrong)} links of the site are wrong: {'; '.join(wrong)}")
    return site


class _Links(HTMLParser):
    """Collects the addresses in a page: those that a browser loads by itself, and those of links."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.followed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag in LOADED:
            self.loaded.append(told.get(LOADED[tag]) or "")
        elif tag == "a":
            self.followed.append(told.get("href") or "")


def page_faults(page: Path, site: Path) -> list[str]:
    """What is wrong with the addresses of a built page: files that are not there, loads from other hosts."""
    links = _Links()
    links.feed(page.read_text(encoding="utf-8"))
    foreign = [f"{one} is loaded from elsewhere" for one in links.loaded if urlsplit(one).netloc]
    own = {urlsplit(one) for one in (*links.loaded, *links.followed)}
    paths = sorted(unquote(one.path) for one in own if one.path and not one.netloc and not one.scheme)
    places = ((path, site / path[1:] if path.startswith("/") else page.parent / path) for path in paths)
    return foreign + [f"{path} is not there" for path, place in places if not place.exists()]
