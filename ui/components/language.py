"""The language of the current request, and texts of pages in it.

English texts stand in the code; `ui/languages` has a gettext catalogue for each other language, whose keys
are the English texts. `python -m clinicnum.scripts.dev.update_translations` brings them up to date.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from markupsafe import Markup

from clinicnum.errors import ClinicnumError, one_line
from clinicnum.translatable_text import Translatable
from clinicnum.ui.components.static_files import static_path

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""Each language by its code, under its own name."""
FOLDER = Path(__file__).parents[1] / "languages"
COOKIE = "clinicnum_language"
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """The code of the language in which the current request is answered."""
    return _current.get()


@contextmanager
def answer_in(language: str) -> Iterator[None]:
    """Show texts in this language inside the `with` block, and in threads and tasks started from it."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def language_of(cookie: str | None, accepted: str | None) -> str:
    """The language to answer in: the chosen one, else the first accepted one that there is, else English.

    `cookie` is the value of COOKIE; `accepted` is the request's `Accept-Language` header.
    """
    if cookie in LANGUAGES:
        return cookie
    weighted = []
    for place, one in enumerate((accepted or "").split(",")[:20]):
        name, _, weight = one.strip().partition(";q=")
        try:
            weighted.append((-float(weight or 1), place, name.split("-")[0].lower()))
        except ValueError:
            continue  # a weight that is no number: the entry is ignored
    return next((name for _, _, name in sorted(weighted) if name in LANGUAGES), ENGLISH)


@cache
def catalogue(language: str) -> Catalog:
    """The catalogue of a language; an empty one for English, whose texts stand in the code."""
    if language == ENGLISH:
        return Catalog()
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def key_of(message: Message) -> str:
    """The English text under which a catalogue's message is looked up: of a plural, its first form."""
    return str(message.id[0] if isinstance(message.id, (tuple, list)) else message.id)


def forms_of(message: Message) -> tuple[str, ...]:
    """The translations of a catalogue's message, one for each form of a plural; empty if one is missing."""
    text = message.string
    forms = tuple(str(one or "") for one in text) if isinstance(text, (tuple, list)) else (str(text or ""),)
    return forms if all(forms) else ()


@cache
def _translations(language: str) -> dict[str, tuple[str, ...]]:
    """The forms of each translated text; the second form of a plural is for all numbers but one."""
    messages = (one for one in catalogue(language) if one.id)
    return {key_of(one): forms for one in messages if (forms := forms_of(one))}


def _filled(wording: str, values: dict[str, Any]) -> str:
    if not values:
        return wording
    return wording.format(**{name: _value(value) for name, value in values.items()})


def _value(value: Any) -> Any:
    return _(value) if isinstance(value, Translatable) else value


def _(text: str, /, **values: Any) -> str:
    """The text in the current language, with `values` filled into its `{named}` fields.

    A Translatable brings its own values. With values, text written as `Markup` stays so, and values are
    escaped.
    """
    if isinstance(text, Translatable):
        values = {**text.values, **values}
        text = text.wording
    forms = _translations(_current.get()).get(str(text))
    wording = forms[0] if forms else text
    return _filled(type(text)(wording) if isinstance(text, Markup) else str(wording), values)


def ngettext(one: str, many: str, n: int, /, **values: Any) -> str:
    """`one` if `n` is 1, else `many`, in the current language, with `n` and `values` filled in."""
    forms = _translations(_current.get()).get(one, (one, many))
    return _filled(forms[0 if n == 1 else 1], {"n": n, **values})


def error_text(error: ClinicnumError) -> str:
    """The error's message in the current language, on one line."""
    text = error.args[0] if error.args else ""
    return one_line(_(text)) if isinstance(text, Translatable) else error.for_pages


@cache
def script_messages(language: str) -> str:
    """A `<script>` tag with the texts of the page scripts in this language; empty for English."""
    if language == ENGLISH:
        return ""
    used = {
        key_of(message): forms
        for message in catalogue(language)
        if (forms := forms_of(message)) and any(file.endswith(".js") for file, _ in message.locations)
    }
    data = json.dumps({"language": language, "messages": used}, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<script type="application/json" id="cn-messages">{data}</script>'
        f'<script type="module" src="{static_path("components/language.js")}"></script>'
    )
