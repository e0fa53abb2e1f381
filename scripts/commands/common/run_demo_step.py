"""Runs and times the steps of the demo, each of which is a command that users can also run."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import typer

T = TypeVar("T")
STEPS = "steps.txt"
"""The file, in the demo's folder, with the tables that its steps print."""


class Clock:
    """Measures the time of each step."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, float]] = []

    def add(self, name: str, seconds: float) -> None:
        """Enter a step that took so many seconds."""
        self.parts.append((name, seconds))

    def time(self, name: str, step: Callable[[], T]) -> T:
        """Run a step and enter its time; returns what it returns."""
        start = time.monotonic()
        result = step()
        self.add(name, time.monotonic() - start)
        return result

    def __str__(self) -> str:
        total = ("in all", sum(seconds for _, seconds in self.parts))
        return "where the time went\n" + "\n".join(f"  {n:<16}{s:7.1f} s" for n, s in [*self.parts, total])


def run_step(*arguments: str, tables: Path | None = None, with_messages: bool = False) -> None:
    """Run one command as a user would type it; if it fails, the demo ends with its exit code.

    What the command prints on standard output goes to the end of the file `tables`, if one is given;
    warnings and progress are shown, unless the file is to have them, too (`with_messages`). An error is
    shown in any case.
    """
    from clinicnum.scripts.cli import run_command

    command = f"$ clinicnum {' '.join(arguments)}"
    typer.echo(command, err=True)
    if tables is None:
        code = run_command(arguments)
    else:
        with tables.open("a", encoding="utf-8") as file, contextlib.ExitStack() as redirected:
            redirected.enter_context(contextlib.redirect_stdout(file))
            if with_messages:
                redirected.enter_context(contextlib.redirect_stderr(file))
            typer.echo(command)
            code = run_command(arguments)
        if code and with_messages:
            typer.echo(tables.read_text(encoding="utf-8").splitlines()[-1], err=True)
    if code:
        raise typer.Exit(code)
