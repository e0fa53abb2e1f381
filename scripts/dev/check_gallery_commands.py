"""Run the commands of `docs/gallery.md`, in order, and compare what they print with what the page shows.

Without `--write` it prints the differences; with it, differing outputs are rewritten, long ones shortened. A
line of `…` in the page stands for any number of lines. Blocks that open with "```console model" contain times
or a real model's answers, which vary between machines: there numbers are masked, and of tables printed by
`cat` only the head is compared.
"""

import argparse
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from unittest.mock import patch

from clinicnum.scripts.cli import run_command
from clinicnum.scripts.commands.common.install_small_model import ensure_small_model

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "gallery.md"
CUT = "…"
KEPT = 8
"""Lines of a long output that `--write` keeps before the cut; two more stay after it."""
WIDTH = "100"
NEVER_ALIKE = re.compile(r"sha256 (?:of all files )?\w+|\b[0-9a-f]{12,64}\b|\d[\d.,:]*")
"""Hashes and numbers."""


@dataclass(frozen=True)
class Difference:
    """A command whose output is not what the page shows."""

    command: str
    shown: tuple[str, ...]
    printed: tuple[str, ...]

    def __str__(self) -> str:
        shown, printed = ("\n".join(f"  {line}" for line in lines) for lines in (self.shown, self.printed))
        return f"$ {self.command}\nthe page shows\n{shown}\nit printed\n{printed}\n"


class _Programs:
    """Runs the Python files that the page shows; one that is started with `&` at its end is stopped at the
    end of the block.
    """

    def __enter__(self) -> Self:
        self._begun: list[subprocess.Popen[str]] = []
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._begun:
            one.terminate()
            one.communicate()

    def run(self, arguments: list[str]) -> str:
        """What a file prints; of one that is started with `&`, its first line."""
        if arguments[-1] != "&":
            told = [sys.executable, *arguments]
            return subprocess.run(told, capture_output=True, text=True, check=True).stdout  # noqa: S603
        told = [sys.executable, *arguments[:-1]]
        begun = subprocess.Popen(told, stdout=subprocess.PIPE, text=True)  # noqa: S603
        self._begun.append(begun)
        assert begun.stdout is not None
        return begun.stdout.readline()


def run_page(
    text: str, folder: Path, model: Path, printed: Mapping[str, str]
) -> tuple[str, tuple[Difference, ...]]:
    """Run a page's blocks in a folder; return the page with differing outputs replaced, and the differences.

    `printed` has the outputs of commands that were run already; their files must be in the folder.
    """
    (folder / "data").symlink_to(ROOT / "tests" / "data")
    (folder / "smollm2").symlink_to(model)
    made: list[str] = []
    differences: list[Difference] = []
    with contextlib.chdir(folder), patch.dict(os.environ, {"COLUMNS": WIDTH}), _Programs() as programs:
        for kind, name, block in _parts(text):
            if kind == "file":
                (folder / name).write_text(block, encoding="utf-8")
            elif kind.startswith("console"):
                found = [_compare(*one, "model" in kind, printed, programs) for one in commands_of(block)]
                differences += [one for _, one in found if one]
                block = "".join(new for new, _ in found)
            made.append(block)
    return "".join(made), tuple(differences)


def commands_of(block: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each command of a console block, verbatim, with the lines of its output."""
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if part:
            command, shown = re.findall(r"\A\$ ((?:.*\\\n)*.*\n)((?:.*\n)*)\Z", part)[0]
            yield command.rstrip("\n"), tuple(shown.splitlines())


def _parts(text: str) -> Iterator[tuple[str, str, str]]:
    """(kind, name, text) of all that stands in a page: blocks that are run, files, and what lies between."""
    fence = re.compile(
        r"(?:[Tt]his\s+is\s+`(?P<name>[^`]+)`[^`]*?)?^```(?P<kind>[^\n]*)\n(?P<block>.*?)^```$",
        re.MULTILINE | re.DOTALL,
    )
    end = 0
    for found in fence.finditer(text):
        yield "text", "", text[end : found.start("block")]
        yield ("file" if found["name"] else found["kind"]), found["name"] or "", found["block"]
        end = found.end("block")
    yield "text", "", text[end:]


def _compare(
    command: str, shown: tuple[str, ...], masked: bool, printed: Mapping[str, str], programs: _Programs
) -> tuple[str, Difference | None]:
    """A command as the page is to show it, and how its output differs from what the page shows."""
    told = command.replace("\\\n", "")
    output = printed[told] if told in printed else _run(shlex.split(told), programs)
    lines = tuple(line.rstrip() for line in output.splitlines() if line.strip())
    told_by_all = (*shown[:1], CUT) if masked and told.startswith("cat ") else shown
    if _alike(told_by_all, lines, _masked if masked else str):
        return _as_shown(command, shown), None
    kept = lines if len(lines) <= KEPT + 3 else (*lines[:KEPT], CUT, *lines[-2:])
    return _as_shown(command, kept), Difference(told, shown, lines)


def _as_shown(command: str, lines: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in (f"$ {command}", *lines))


def _run(words: list[str], programs: _Programs) -> str:
    """What one command prints, on both streams."""
    program, *arguments = words
    if program == "cat":
        return "".join(Path(name).read_text(encoding="utf-8") for name in arguments)
    if program == "export":
        name, _, value = arguments[0].partition("=")
        os.environ[name] = value
        return ""
    if program == "python":
        return programs.run(arguments)
    if program != "clinicnum":
        raise ValueError(
            f"{PAGE.name}: got the command {program!r}; expected clinicnum, python, cat or export"
        )
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        run_command(arguments)
    return heard.getvalue()


def _masked(line: str) -> str:
    """A line without its numbers and hashes, and without the width of its columns."""
    return re.sub(r"[\s─]+", " ", NEVER_ALIKE.sub("#", line)).strip()


def _alike(shown: tuple[str, ...], lines: tuple[str, ...], seen: Callable[[str], str]) -> bool:
    """Whether the lines are those shown, where a cut stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == CUT else re.escape(seen(line)) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{seen(line)}\n" for line in lines)) is not None


def main() -> int:
    """Run the page in a temporary folder; exit code 1 if it differs and `--write` is absent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help="rewrite the outputs that differ")
    asked = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        new, differences = run_page(text, Path(folder), ensure_small_model(), {})
    for one in differences:
        print(one)
    if asked.write:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
