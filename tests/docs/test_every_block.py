"""Every block of the documentation is run or read by a test, or a table says why it is not."""

import re

import pytest

from tests.docs.blocks import ROOT, Block, all_blocks, pages
from tests.docs.settings import NOT_HERE, SETTINGS
from tests.docs.who_runs import ELSEWHERE, pages_of_shell, who_runs

BLOCKS = all_blocks()


def test_every_block_is_run_or_says_why_not() -> None:
    assert len(BLOCKS) > 150
    fences = [re.findall("^ *```", path.read_text("utf-8"), re.MULTILINE) for path in pages()]
    assert sum(map(len, fences)) == 2 * len(BLOCKS)  # none is indented, and so missed
    assert [f"{one}: {one.language or 'no language'}" for one in BLOCKS if who_runs(one) is None] == []


@pytest.mark.parametrize(
    ("page", "language", "text", "by"),
    [
        ("docs/new.md", "sh", "clinicnum engines\n", "tests/docs/test_shell_blocks.py"),
        ("docs/new.md", "sh", "docker ps\n", "needs a container engine"),
        ("docs/new.md", "sh", "# nothing\n", None),
        ("docs/new.md", "", "clinicnum engines\n", None),
        ("docs/new.md", "yaml", "a: 1\n", None),
        ("docs/gallery.md", "ini", "[Unit]\n", None),
    ],
)
def test_what_nothing_runs_is_found(page: str, language: str, text: str, by: str | None) -> None:
    found = who_runs(Block(page, 1, language, text))
    assert found is None if by is None else str(found).startswith(by)


def test_no_entry_of_the_tables_is_of_what_is_not_there() -> None:
    assert set(ELSEWHERE) <= {(one.page, one.language) for one in BLOCKS}
    for (page, _), test in ELSEWHERE.items():
        if not test.startswith("tests/docs/"):
            named = {page.rpartition("/")[2], page.split("/")[1]}
            assert any(name in (ROOT / test).read_text("utf-8") for name in named), test
    commands = [line for one in BLOCKS if one.language == "sh" for line in one.lines()]
    assert [start for start in NOT_HERE if not any(re.match(start, line) for line in commands)] == []
    assert set(SETTINGS) <= set(pages_of_shell())
