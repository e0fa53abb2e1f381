"""Every `clinicnum` command that a page names is one that the program takes, with its options."""

from pathlib import Path

import pytest
import typer

from clinicnum.scripts.cli import build_app
from tests.docs_commands import block_commands, faults, inline_commands

ROOT = Path(__file__).parents[1]
APP = typer.main.get_command(build_app())


def test_the_commands_of_every_page_are_those_of_the_program() -> None:
    wrong, read = [], 0
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        for commands, complete in ((block_commands(text), True), (inline_commands(text), False)):
            for command in commands:
                read += 1
                fault = faults(APP, command, complete=complete)
                wrong += [f"{path.relative_to(ROOT)}: {command}: {fault}"] if fault else []
    assert wrong == []
    assert read > 300


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("clinicnum lint bench.jsonl", None),
        ("clinicnum study create --nmae first", "No such option"),
        ("clinicnum study make", "no command 'make'"),
        ("clinicnum lint", "lacks file"),
        ("clinicnum lint one.jsonl two.jsonl", "takes no ['two.jsonl']"),
    ],
)
def test_what_is_wrong_with_a_command_is_found(command: str, fault: str | None) -> None:
    found = faults(APP, command, complete=True)
    assert found is None if fault is None else fault in str(found)


def test_commands_are_found_as_the_shell_takes_them() -> None:
    text = """
```
NAME=x clinicnum serve \\
    --port 1  # clinicnum lint
clinicnum verify a.zip && clinicnum verify b.zip
```

```console
$ clinicnum engines
clinicnum said this
```
The option `clinicnum study
create --fields` stands in a line of text.
"""
    assert [" ".join(one.split()) for one in block_commands(text)] == [
        "clinicnum serve --port 1",
        "clinicnum verify a.zip",
        "clinicnum verify b.zip",
        "clinicnum engines",
    ]
    assert list(inline_commands(text)) == ["clinicnum study create --fields"]
