"""The fenced blocks of the pages of the documentation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block: its page below the checkout, the line of its fence, its language and its text."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    def lines(self) -> Iterator[str]:
        """Its lines that say something, each with the lines that continue it."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith("#"):
                yield line


def pages() -> list[Path]:
    """Every page: those of the checkout's top folder, and all in `docs`."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: str) -> list[Block]:
    """The blocks of a page, such as `docs/deploy.md`, in their order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _FENCE.finditer(text)
    ]


def all_blocks() -> list[Block]:
    """The blocks of all pages."""
    return [block for path in pages() for block in blocks_of(path.relative_to(ROOT).as_posix())]
