"""Every text of the pages has a translation, in each language, with the fields of the English text."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from clinicnum.scripts.dev.update_translations import texts_of_code
from clinicnum.ui.components.language import ENGLISH, LANGUAGES, catalogue, forms_of, key_of

ROOT = Path(__file__).parents[2]
OTHERS = [one for one in LANGUAGES if one != ENGLISH]


def fields_of(text: str) -> set[tuple[str, str]]:
    """Each named field with its conversion and format; none of a text with a lone brace, which takes none."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return set()
    return {(name, f"{conversion or ''}:{form}") for _, name, form, conversion in parts if name}


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_has_every_text_of_the_code_and_no_other(language: str) -> None:
    known = {key_of(one): forms_of(one) for one in catalogue(language) if one.id}
    texts = {key_of(one) for one in texts_of_code() if one.id}
    assert known.keys() ^ texts == set(), "run python -m clinicnum.scripts.dev.update_translations"
    assert [text for text, forms in known.items() if not forms] == [], "translate these"


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_fields_of_its_text(language: str) -> None:
    for message in catalogue(language):
        texts = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        asked = set().union(*map(fields_of, texts))
        for form in forms_of(message):
            assert fields_of(form) <= asked, message.id
            assert message.pluralizable or fields_of(form) == asked, message.id


SHOWS_COMMANDS = {"ui/pages/releases/view.py"}
"""Files whose pages tell of a command and its options on purpose."""


def test_no_text_of_a_page_tells_of_an_option_of_a_command() -> None:
    """Readers of a page know its fields; `on_command_line` of an error is for those who type commands."""
    found = [
        (key_of(one), {file for file, _ in one.locations})
        for one in texts_of_code()
        if one.id and re.search(r"(?<![\w-])--[a-z]", key_of(one))
    ]
    assert [text for text, files in found if not files <= SHOWS_COMMANDS] == []
    assert found, "the search finds what there is"


def test_no_error_of_a_page_tells_of_a_command() -> None:
    found = [
        key_of(one)
        for one in texts_of_code()
        if one.id
        and not any(file.startswith("ui/") for file, _ in one.locations)
        and re.search(r"(: |`)clinicnum [a-z]+", key_of(one))
    ]
    assert found == []


def _texts_in_f_strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for inner in ast.walk(node) if isinstance(node, ast.JoinedStr) else ():
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.args:
                text = inner.args[0]
                if inner.func.id in ("_", "ngettext", "Translatable") and isinstance(text, ast.Constant):
                    yield f"{path.relative_to(ROOT)}:{inner.lineno}: {text.value!r}"


def test_no_text_stands_inside_an_f_string_where_it_is_not_found() -> None:
    rooms = ("annotations", "db", "ui")
    found = [
        text for room in rooms for path in (ROOT / room).rglob("*.py") for text in _texts_in_f_strings(path)
    ]
    assert found == []
