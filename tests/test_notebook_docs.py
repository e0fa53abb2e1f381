"""`docs/notebook.md`, word for word: its blocks run one after the other, in one notebook."""

import re
from pathlib import Path
from typing import Any

import pytest

DOC = Path(__file__).parents[1] / "docs" / "notebook.md"


def test_the_blocks_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        exec(compile(block, DOC.name, "exec"), notebook)
    assert (len(notebook["questions"]), len(notebook["findings"])) == (120, 0)
    totals = notebook["accuracy"].query("operation == 'all' and representation == 'all'").set_index("run_id")
    assert totals.loc["careful", "accuracy"] == 1
    assert totals.loc["hasty", "accuracy"] == pytest.approx(2 / 3, abs=0.02)
    assert len(notebook["causes"]) > 0
    assert [str(one) for one in notebook["found"].slices] == ["representation = note"]
    for name in ("hasty.scores.jsonl", "accuracy.svg"):
        assert (tmp_path / name).stat().st_size > 1_000
    assert notebook["agreement"].coefficient("cohen_kappa").undefined is not None
    assert 0 < notebook["agreement"].coefficient("krippendorff_alpha_nominal").value < 1
