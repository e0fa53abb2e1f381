"""The reference of the commands, read from the Typer app: what each does, an example, and its options."""

import re
from collections.abc import Iterator

import typer
from typer.core import TyperCommand, TyperGroup

from clinicnum.scripts.cli import build_app

HEAD = """# Commands

Every command with its options, as `clinicnum COMMAND --help` prints them. Exit code 0 means success, 1 that a
check failed or a request was refused, 2 that the input was wrong, 130 that the command was interrupted.
"""


def commands_page() -> str:
    """The page as Markdown, with the commands in the order of the workflow."""
    root = typer.main.get_command(build_app())
    parts = [_section(name, command) for name, command in commands(root, "clinicnum")]
    return "\n".join([HEAD, *parts])


def commands(command: object, name: str) -> Iterator[tuple[str, TyperCommand]]:
    """(full name, command) of each command below a group."""
    if isinstance(command, TyperGroup):
        for member, below in command.commands.items():
            yield from commands(below, f"{name} {member}")
    elif isinstance(command, TyperCommand):
        yield name, command


def _section(name: str, command: TyperCommand) -> str:
    text, _, example = (command.help or "").partition("Example: ")
    context = typer.Context(command, info_name=name)
    told = [one for one in (parameter.get_help_record(context) for parameter in command.params) if one]
    rows = [f"| `{flags}` | {cell(meaning)} |" for flags, meaning in told]
    lines = [f"## {name}", "", plain(text.strip()), "", "```sh", " ".join(example.split()), "```", ""]
    return "\n".join([*lines, "| option | what it does |", "|---|---|", *rows, ""])


def plain(text: str) -> str:
    """Text as Markdown that shows it unchanged: special characters are escaped, except in code between
    backquotes.
    """
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[\]])", r"\\\1", part) for part in parts)


def cell(text: str) -> str:
    """Text for a cell of a table, on one line."""
    return plain(" ".join(text.split())).replace("|", "\\|")
