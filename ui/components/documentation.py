"""The documentation in `docs/` as HTML, for readers who have no checkout. No Gradio, no web server."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

FOLDER = Path(__file__).parents[1] / "documentation"
"""A link to `docs/` in a checkout, and a copy of it in a wheel."""
ADDRESS = "/help"
FIRST = "index"
"""The name of the page that documentation begins with."""
IMAGES = "images"
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_WEB = ("https://", "http://", "mailto:")


@cache
def documents() -> Mapping[str, str]:
    """The name of each page, such as `tutorials/clinician`, and its title, in the order of the titles."""
    named = {
        str(path.relative_to(FOLDER).with_suffix("")): _title(path.read_text(encoding="utf-8"))
        for path in FOLDER.rglob("*.md")
    }
    return dict(sorted(named.items(), key=lambda one: one[1].casefold()))


def image_path(name: str) -> Path | None:
    """The file of a picture; None if there is none of this name."""
    pictures = {path.name: path for path in (FOLDER / IMAGES).glob("*.png")}
    return pictures.get(name)


@cache
def document_html(name: str) -> str:
    """A page as HTML. Raw HTML is escaped; links lead to other pages of the documentation or to the web, and
    what is not among them is plain text. `name` is one of `documents`.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.core.ruler.push("headings", _number_headings)
    parser.core.ruler.push("links", lambda state: _lead(state, PurePosixPath(name).parent))
    return str(parser.render((FOLDER / f"{name}.md").read_text(encoding="utf-8")))


def anchor_of(heading: str) -> str:
    """The part of an address that leads to a heading, as the documentation's site makes it."""
    kept = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", kept)


def _title(text: str) -> str:
    found = _HEADING.search(text)
    return found[1].strip() if found else ""


def _number_headings(state: StateCore) -> None:
    """Give each heading the address that links within the documentation use."""
    for opening, inside in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open":
            said = "".join(one.content for one in inside.children or [])
            opening.attrSet("id", anchor_of(said))


def _lead(state: StateCore, folder: PurePosixPath) -> None:
    """Point links and pictures to the addresses of the app; a link to what it does not have becomes text."""
    for token in state.tokens:
        _lead_within(token.children or [], folder)


def _lead_within(tokens: Sequence[Token], folder: PurePosixPath) -> None:
    is_text = False
    for token in tokens:
        if token.type == "image":
            picture = PurePosixPath(str(token.attrGet("src"))).name
            token.attrSet("src", f"{ADDRESS}/{IMAGES}/{picture}")
            token.attrSet("loading", "lazy")
        elif token.type == "link_open":
            target = _address(str(token.attrGet("href")), folder)
            is_text = target is None
            token.attrs = {} if target is None else {"href": target}
            if (target or "").startswith(_WEB):
                token.attrs |= {"rel": "noopener noreferrer", "target": "_blank"}
        if is_text and token.type in ("link_open", "link_close"):
            token.tag = "span"


def _address(link: str, folder: PurePosixPath) -> str | None:
    """Where a link of a page in `folder` leads in the app; None for what it does not have."""
    if link.startswith(("#", *_WEB)):
        return link
    path, _, anchor = link.partition("#")
    name = normpath(folder / path).removesuffix(".md")
    if not path.endswith(".md") or name not in documents():
        return None
    return f"{ADDRESS}/{name}#{anchor}" if anchor else f"{ADDRESS}/{name}"
