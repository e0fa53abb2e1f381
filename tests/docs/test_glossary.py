"""The glossary: its words are those that pages, reports and documentation use, each explained once."""

import re
from functools import cache

import pytest

from clinicnum.ui.components.language import catalogue, key_of
from tests.docs.blocks import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"
ROW = re.compile(r"^\| (\*\*.+?) \| (.+) \|$", re.MULTILINE)
SAME = "Words that mean the same"


def sections() -> dict[str, str]:
    """The text of each section of the glossary by its title."""
    _, *parts = re.split(r"^## ", GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {title: text for title, _, text in (part.partition("\n") for part in parts)}


def words_of(section: str) -> list[tuple[str, str]]:
    """(word, its row) of each word that a section explains."""
    return [
        (word, row[0]) for row in ROW.finditer(section) for word in re.findall(r"\*\*([^*]+)\*\*", row[1])
    ]


EXPLAINED = [word for title, text in sections().items() if title != SAME for word, _ in words_of(text)]


@cache
def used() -> str:
    """All texts of pages, reports and documentation but the glossary, in small letters."""
    pages = [path for path in (ROOT / "docs").rglob("*.md") if path != GLOSSARY]
    reports = (ROOT / "annotations" / "report").rglob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in (*pages, *reports)]
    return " ".join(" ".join([*texts, *(key_of(one) for one in catalogue("de"))]).lower().split())


@pytest.mark.parametrize("word", sorted({*EXPLAINED, *(word for word, _ in words_of(sections()[SAME]))}))
def test_each_word_is_used(word: str) -> None:
    forms = {word.lower(), f"{word.lower()}s", re.sub("um$", "a", word.lower())}
    assert re.search(rf"(?<!\w)({'|'.join(map(re.escape, sorted(forms)))})(?!\w)", used()), word


def test_each_word_is_explained_once_and_in_few_words() -> None:
    assert len(EXPLAINED) == len(set(EXPLAINED)) > 40
    for title, text in sections().items():
        for word, row in words_of(text):
            meaning = row.split(" | ", 1)[1]
            assert len(meaning.split()) <= 60, (title, word)


@pytest.mark.parametrize("word", ["item", "instance", "generation", "subject", "sub-class"])
def test_words_that_mean_the_same_stand_together(word: str) -> None:
    assert f"**{word}**" in sections()[SAME]


@pytest.mark.parametrize("page", ["docs/index.md", "docs/tutorials/index.md", "README.md", "zensical.toml"])
def test_readers_are_led_to_the_glossary(page: str) -> None:
    assert "glossary.md" in (ROOT / page).read_text(encoding="utf-8")
