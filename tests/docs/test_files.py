"""Blocks and paths of pages that no other test reads: files that the program takes, and places that exist."""

import re
from pathlib import Path

import pytest
import yaml

from clinicnum.annotations.custom_fields import read_custom_fields
from clinicnum.annotations.reference_judgements import Reference
from clinicnum.prompt_file import prompt_of
from clinicnum.scripts.cli import run_command
from tests.docs.blocks import ROOT, blocks_of

PLACE = re.compile(r"`((?:annotations|clinicnum|db|docs|scripts|tests|ui)/[\w./-]+)(?:::\w+)?`")


def block(page: str, language: str) -> str:
    """The only block of its language on a page of `docs`."""
    (found,) = (one.text for one in blocks_of(f"docs/{page}") if one.language == language)
    return found


def test_the_fields_of_the_page_are_fields() -> None:
    (first, *_) = read_custom_fields(block("custom-fields.md", "yaml"))
    assert first.name == "readable"


def test_the_prompt_of_the_page_is_a_prompt() -> None:
    prompt = prompt_of(yaml.safe_load(block("prompts.md", "yaml")))
    assert (prompt.name, len(prompt.examples)) == ("brief", 1)


def test_the_reference_of_the_page_is_a_reference() -> None:
    assert Reference.model_validate_json(block("studies.md", "json")).generation_id == "g7"


def test_the_finding_of_the_page_is_what_lint_says_of_such_an_item(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = block("lint.md", "text").split(": ", 2)[2]
    times = re.findall(r"\d{4}-\S+ \S+(?=[,\n])", shown)
    records = ",\n".join(f"{{\nchart_time: {time},\nheart_rate: 88,\no2_sat: 100,\n}}" for time in times)
    question = f"{records}\n\nWhat is the record datetime when o2sat is highest?"
    row = f'question,answer,dataset_source\n"{question}",{times[0]},highest_o2sat\n'
    (tmp_path / "bench.csv").write_text(row, encoding="utf-8")
    assert run_command(["lint", str(tmp_path / "bench.csv")]) == 1
    assert shown in capsys.readouterr().out


def test_the_tree_of_the_map_is_that_of_the_checkout() -> None:
    (tree,) = (one.text for one in blocks_of("ARCHITECTURE.md") if one.language == "text")
    top, found = "", []
    for line in tree.splitlines():
        indent, names = re.match(r"( *)((?:[\w.]+/?(?:NAME/)?(?: +(?=\w+/))?)*)", line).groups()  # type: ignore[union-attr]
        if len(indent) == 0 and names.endswith("/"):
            top = names
        if len(indent) in (0, 2):
            within = top if indent else ""
            found += [f"{within}{name}" for name in names.split() if "/" in name or "." in name]
    assert len(found) > 50
    assert [name for name in found if not (ROOT / name.replace("NAME/", "annotate/")).exists()] == []


def test_files_and_folders_that_pages_name_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = [(path, place) for path in pages for place in PLACE.findall(path.read_text(encoding="utf-8"))]
    assert len(named) > 100
    wrong = [f"{path.name}: {place}" for path, place in named if "NAME" not in place]
    assert [one for one in wrong if not (ROOT / one.partition(": ")[2]).exists()] == []
