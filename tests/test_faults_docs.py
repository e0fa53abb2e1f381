"""`docs/faults.md` names every fault, and for each only tests that are there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "faults.md"
FAULTS = (
    *("disk full", "database locked", "gone", "clock set back", "a killed worker", "a half-written file"),
    *("a browser that vanishes", "two tabs", "slow network", "a model server that lies"),
    *("wrong ids", "duplicate answers", "a gigabyte of text"),
)


def rows() -> list[list[str]]:
    """The cells of the table, without its head."""
    lines = [line for line in DOC.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_fault_has_a_row_with_all_its_cells() -> None:
    for row in rows():
        assert len(row) == 4, row
        assert all(row), row
    told = "\n".join(row[0] for row in rows())
    assert [fault for fault in FAULTS if fault not in told] == []


def test_every_test_that_is_named_is_there() -> None:
    named = [re.findall(r"`(tests/[^`]+\.py)::(test_\w+)`", row[3]) for row in rows()]
    assert all(named)
    assert [
        row[3] for row, found in zip(rows(), named, strict=True) if len(found) != row[3].count("`") // 2
    ] == []
    for path, name in {pair for found in named for pair in found}:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in there, f"{path} has no {name}"
