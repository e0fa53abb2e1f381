"""All readers, texts and commands for a bounded time at random: what `scripts/dev/evidence fuzz` runs."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.fuzz.commands import COMMANDS, Command, try_command
from tests.fuzz.judging import Case, lay_out, try_case, try_text
from tests.fuzz.longer import Tally, for_seconds
from tests.fuzz.readers import READERS, Reader
from tests.fuzz.test_commands import database
from tests.fuzz.texts import TEXTS, Text

__all__ = ["database"]
SECONDS = float(os.environ.get("CLINICNUM_FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("CLINICNUM_FUZZ_SEED", "0"))


@pytest.mark.skipif(not SECONDS, reason="takes minutes: scripts/dev/evidence fuzz")
@pytest.mark.timeout(SECONDS * 3 + 600)
def test_nothing_but_a_refusal_is_raised(database: Engine) -> None:  # the fixture
    each = SECONDS / (len(READERS) + len(TEXTS) + len(COMMANDS))
    tallies: list[Tally] = []
    for name, attempt in _attempts(database):
        tallies.append(for_seconds(name, each, SEED, attempt))
        print(tallies[-1].line(), flush=True)
    tried = sum(one.came_to.total() for one in tallies)
    print(f"{tried:,} tried of {len(READERS)} readers, {len(TEXTS)} texts and {len(COMMANDS)} commands")
    failed = [f"{one.name}: {where}: {case}" for one in tallies for where, case in one.failures.items()]
    assert not failed, "\n".join(failed)


def _attempts(database: Engine) -> Iterator[tuple[str, Callable[[Case], str]]]:
    for reader in READERS:
        with tempfile.TemporaryDirectory() as name:
            lay_out(reader, Path(name))
            yield f"reads {reader.name}", _of_reader(reader, Path(name))
    for text in TEXTS:
        yield f"takes {text.name}", _of_text(text)
    for command in COMMANDS:
        yield command.name, _of_command(command, database)


def _of_reader(reader: Reader, folder: Path) -> Callable[[Case], str]:
    return lambda case: try_case(reader, folder, case)


def _of_text(text: Text) -> Callable[[Case], str]:
    return lambda case: try_text(text, case)


def _of_command(command: Command, database: Engine) -> Callable[[Case], str]:
    def attempt(case: Case) -> str:
        with tempfile.TemporaryDirectory() as name:
            return try_command(command, Path(name), database, case)

    return attempt
