"""`docs/explanation/`: its Python prints what the page shows, its commands run."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from clinicnum.scripts.cli import run_command

PAGES = sorted((Path(__file__).parents[1] / "docs" / "explanation").glob("*.md"))
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    assert [shown for kind, _, shown in blocks if kind == "python" and not shown] == []
    for kind, block, shown in blocks:
        if kind == "sh":
            for program, *arguments in map(shlex.split, block.splitlines()):
                assert (program, run_command(arguments)) == ("clinicnum", 0), block
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page.name, "exec"), {})
        assert printed.getvalue() == shown
