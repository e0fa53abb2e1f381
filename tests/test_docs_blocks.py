"""Blocks and paths of pages that no other test reads: files that the program takes, and places that exist."""

import re
from pathlib import Path

import yaml

from clinicnum.annotations.custom_fields import read_custom_fields
from clinicnum.annotations.reference_judgements import Reference
from clinicnum.prompt_file import prompt_of

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"`((?:annotations|clinicnum|db|docs|scripts|tests|ui)/[\w./-]+)(?:::\w+)?`")


def block(page: str, kind: str) -> str:
    """The only block of its kind on a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_fields_of_the_page_are_fields() -> None:
    (first, *_) = read_custom_fields(block("custom-fields.md", "yaml"))
    assert first.name == "readable"


def test_the_prompt_of_the_page_is_a_prompt() -> None:
    prompt = prompt_of(yaml.safe_load(block("prompts.md", "yaml")))
    assert (prompt.name, len(prompt.examples)) == ("brief", 1)


def test_the_reference_of_the_page_is_a_reference() -> None:
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    (line,) = re.findall(r'^\{"generation_id".*\}$', text, re.MULTILINE)
    assert Reference.model_validate_json(line).generation_id == "g7"


def test_files_and_folders_that_pages_name_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = [(path, place) for path in pages for place in PLACE.findall(path.read_text(encoding="utf-8"))]
    assert len(named) > 100
    wrong = [f"{path.name}: {place}" for path, place in named if "NAME" not in place]
    assert [one for one in wrong if not (ROOT / one.partition(": ")[2]).exists()] == []
