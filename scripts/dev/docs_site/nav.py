"""The site's table of contents, and links to its pages in place of their paths."""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "zensical.toml"
_MENTION = re.compile(r"`?\bdocs/([\w./-]+\.md)\b`?")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def page_titles() -> dict[str, str]:
    """The title of each page of the site by its path below `docs/`, in the order of the contents."""
    return dict(_pages(tomllib.loads(CONFIG.read_text(encoding="utf-8"))["project"]["nav"]))


def _pages(entries: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        for title, place in entry.items():
            if isinstance(place, str):
                yield place, title
            else:
                yield from _pages(place)


def link_pages(text: str, place: str, titles: dict[str, str]) -> str:
    """The text of the page at `place` with links where it names other pages as `docs/NAME.md`.

    Blocks of code stay as they are, and so do paths that are no page of the site.
    """

    def linked(found: re.Match[str]) -> str:
        page = found[1]
        if page not in titles:
            return found[0]
        return f"[{titles[page]}]({os.path.relpath(page, Path(place).parent)})"

    parts = _FENCE.split(text)
    return "".join(part if part.startswith("```") else _MENTION.sub(linked, part) for part in parts)
