"""The `clinicnum` commands that a page of the documentation names, and what is wrong with each."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(clinicnum [a-z][^`]*)`")
END = re.compile(r"\s(?:&&|\|\||[|;>&]|2>)(?:\s|$)")
"""Where a command ends on its line: a pipe, a file for what it prints, another command."""


def block_commands(text: str) -> Iterator[str]:
    """Commands of the blocks of a page, each on one line, without what the shell does around it."""
    for kind, block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            asked = line.startswith("$ ") if kind.startswith("console") else "Description=" not in line
            for part in END.split(re.split(r"(?:^|\s)#\s", line)[0]) if asked else ():
                yield from re.findall(r"(?<![-\w.])clinicnum [a-z].*", part)


def inline_commands(text: str) -> Iterator[str]:
    """Commands in the prose of a page, which may leave out what is not spoken of."""
    for found in INLINE.findall(FENCE.sub("", text)):
        yield " ".join(found.split())


def faults(app: Any, command: str, *, complete: bool) -> str | None:
    """What the program would say of a command's words; of a `complete` one, also what it lacks.

    What stands for several words (`...`) is left open.
    """
    complete = complete and "..." not in command
    words = shlex.split(re.sub(r"[\[\]]|\.\.\.|…", " ", command))[1:]
    group, context = app, typer.Context(app)
    while isinstance(group, TyperGroup):
        if not words:
            return None if not complete else "no command"
        name = words.pop(0)
        below = group.commands.get(name)
        if below is None:
            return f"no command {name!r}"
        group, context = below, typer.Context(below, info_name=name)
    if not complete:
        known = {name for one in group.params for name in (*one.opts, *one.secondary_opts)}
        unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
        return f"has no {', '.join(unknown)}" if unknown else None
    try:
        given, left, _ = group.make_parser(context).parse_args(list(words))
    except typer.TyperException as error:
        return str(error.format_message())
    if left:
        return f"takes no {left}"
    missing = [one.name for one in group.params if one.required and given.get(one.name) is None]
    return f"lacks {', '.join(missing)}" if missing and "--help" not in words else None
