"""Bring the catalogues of `ui/languages` up to date with the texts in the code.

Usage: python -m clinicnum.scripts.dev.update_translations

New texts are entered without a translation, texts that have gone are removed. It prints what is untranslated.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from clinicnum.annotations.judgement import FIELDS
from clinicnum.annotations.practice_items import practice_items
from clinicnum.ui.components.language import ENGLISH, FOLDER, LANGUAGES, forms_of, key_of

ROOT = Path(__file__).resolve().parents[2]
METHODS = {".py": "python", ".js": "javascript", ".html": "jinja2"}
KEYWORDS = {"_": None, "ngettext": (1, 2), "Translatable": None}
REASONS = {"Refused": None, "Reading": (3,)}
"""Where `clinicnum` words the reason of a score, which pages show."""
ERRORS = ("InputError", "NotAllowed", "Conflict")
"""Exceptions whose messages pages show."""
ERROR_ROOMS = ("annotations", "db", "ui")
"""Where the wording of an error need not be marked as translatable."""
WORDED = {"name", "plain", "definition", "include", "exclude", "examples", "hint"}
"""The keys of a taxonomy file that hold text for people."""
WIDTH = 110


def texts_of_code() -> Catalog:
    """Every text that the code marks as translatable, and those of the codebook and the practice items."""
    texts = Catalog(fuzzy=False)
    for room in ("annotations", "clinicnum", "db", "scripts", "ui"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in METHODS and not any(one.is_symlink() for one in path.parents):
                keywords = {**KEYWORDS, **REASONS} if room == "clinicnum" else KEYWORDS
                found = [text for _, text, _, _ in extract_from_file(METHODS[path.suffix], path, keywords)]
                if room in ERROR_ROOMS and path.suffix == ".py":
                    found += _texts_of_errors(path)
                for text in found:
                    texts.add(text, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for path in sorted((ROOT / "annotations" / "taxonomies").glob("*.yaml")):
        for text in _texts_of_taxonomy(yaml.safe_load(path.read_text(encoding="utf-8"))):
            texts.add(text, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for text in _texts_of_option_rules():
        texts.add(text, locations=[("annotations/judgement_option_definitions.py", 0)])
    for item in practice_items():
        texts.add(item.why, locations=[("annotations/practice_items.json", 0)])
    return texts


def _texts_of_errors(path: Path) -> Iterator[str]:
    """The wordings of errors raised in a file. An f-string is none: it has no wording to look up."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS):
            continue
        if node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


def _texts_of_option_rules() -> Iterator[str]:
    for about in FIELDS.values():
        for rules in (option.rules for option in about.options if option.rules is not None):
            yield from (rules.definition, rules.include, rules.exclude, *rules.examples)


def _texts_of_taxonomy(node: Any, key: str = "") -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _texts_of_taxonomy(value, str(name))
    elif isinstance(node, list):
        for value in node:
            yield from _texts_of_taxonomy(value, key)
    elif isinstance(node, str) and key in WORDED:
        yield node


def updated(language: str) -> Catalog:
    """The language's catalogue with the texts of the code, keeping the translations that it has."""
    path = FOLDER / f"{language}.po"
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language, ignore_obsolete=True)
    else:
        catalog = Catalog(locale=language, fuzzy=False)
    catalog.update(texts_of_code(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def untranslated(catalog: Catalog) -> list[str]:
    """The English of each text without a translation."""
    return [key_of(message) for message in catalog if message.id and not forms_of(message)]


def main() -> None:
    """Update each catalogue and print what is left to translate; exit code 1 if anything is."""
    missing = 0
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        catalog = updated(language)
        with (FOLDER / f"{language}.po").open("wb") as file:
            write_po(file, catalog, width=WIDTH, sort_output=True, include_lineno=False, omit_header=True)
        for text in untranslated(catalog):
            missing += 1
            print(f"{language}: {text}")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
