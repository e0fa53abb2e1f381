"""The reference of the library, read from what `clinicnum` exports: signatures, docstrings, examples."""

import inspect
import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

from pydantic import BaseModel

import clinicnum

HEAD = """# Library

What `import clinicnum` offers. Data frames go in and come out, and no database is needed;
`docs/notebook.md` is a tour. Every example on this page is run by a test.
"""


def library_page() -> str:
    """The page as Markdown, with the exported names in alphabetical order."""
    return "\n".join([HEAD, *(part for name in _names() for part in _sections(name))])


def _names() -> list[str]:
    return [name for name in dir(clinicnum) if not name.startswith("_")]


def _sections(name: str) -> Iterator[str]:
    exported = getattr(clinicnum, name)
    yield _section("##", name, exported)
    if inspect.isclass(exported) and not issubclass(exported, BaseModel | Exception):
        for member, value in vars(exported).items():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                yield _section("###", f"{name}.{member}", value)


def _section(level: str, name: str, value: Any) -> str:
    text, _, example = (inspect.getdoc(value) or "").partition("Example:\n")
    lines = [f"{level} {name}", ""]
    if inspect.isclass(value) and issubclass(value, BaseModel):
        lines += [f"Its fields are in [File formats](formats.md#{name.lower()}).", ""]
    elif inspect.isfunction(value):
        lines += ["```python", _signature(name, value), "```", ""]
    lines += [text.strip(), ""]
    if example:
        lines += ["```pycon", dedent(example).strip(), "```", ""]
    return "\n".join(lines)


def _signature(name: str, value: Any) -> str:
    """The call as one writes it, one argument a line where there are several, and what it returns."""
    found = inspect.signature(value)
    arguments = [_without_modules(str(one)) for one in _arguments(found)]
    inner = ", ".join(arguments) if len(arguments) < 2 else "\n    " + ",\n    ".join(arguments) + ",\n"
    returned = _without_modules(inspect.formatannotation(found.return_annotation)).strip("'")
    return f"{name}({inner}) -> {returned}"


def _without_modules(text: str) -> str:
    """Types by their own names: `Path`, not `pathlib.Path`; numbers stay."""
    return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", text)


def _arguments(signature: inspect.Signature) -> Iterator[str | inspect.Parameter]:
    named = False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not named:
            yield "*"
        named = named or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        if one.name != "self":
            yield one
